/* traced.c - what make trace asks of pair_forces(): see traced_contract.h. */
#include "traced_contract.h"

#include <stdio.h>

#include "asked_input.h"
#include "drawn_atoms.h"
#include "run.h"
#include "util.h"

static const struct traced_case cases[] = {
    {ATOMS_LISTS, 0, 0, 1, 0, 1, 1},
    {ATOMS_SORTED, 0, 2, 1, 0, 1, 1},
    {ATOMS_COINCIDENT, 0, 3, 1, 0, 1, 1},
    {ATOMS_SORTED, 0, 8, 2, 0, 1, 1},
    {ATOMS_LISTS, 0, 2, 2, 0, 1, 1},
    {ATOMS_LISTS, 0, 33, 3, 0, 1, 1},
    {ATOMS_SHUFFLED, 0, 64, 3, 0, 1, 1},
    {ATOMS_SORTED, 0, 301, 5, 0, 1, 1},
    {0},
};

/* A word is a float or a whole number: bits that are no ordinary float a page shows as a number. */
static void shapes(struct shape *input, struct shape *output)
{
    *input = (struct shape){4, 4, 1, {{"word", FIELD_FLOAT, 0, 32}}};
    *output = (struct shape){16,
                             4,
                             4,
                             {{"x", FIELD_FLOAT, 0, 32},
                              {"y", FIELD_FLOAT, 32, 32},
                              {"z", FIELD_FLOAT, 64, 32},
                              {"energy", FIELD_FLOAT, 96, 32}}};
}

static void settings(char *text, size_t size)
{
    snprintf(text, size, "OPERATION=%s", operation_name(operation_now()));
}

static struct input with_command(struct input made, size_t atoms, uint64_t seed)
{
    snprintf(made.drawn, sizeof made.drawn, "SIZE=%zu TEXT_SEED=%llu", atoms,
             (unsigned long long)seed);
    return made;
}

/* A tale is usual; a case has so many types as bins. */
static struct input make(const struct traced_case *drawn, uint64_t seed)
{
    if (drawn->num_bins == 0)
        return with_command(input_usual(seed, drawn->length), drawn->length, seed);
    return input_of((enum atoms)drawn->kind, seed, drawn->length, drawn->num_bins);
}

/* As many as a page of every step has room for, where no SIZE was typed. */
static struct input read_atoms(const char *file)
{
    enum { FEW = 16 };
    const struct drawn drawn = drawn_read(file);
    const size_t atoms = *chosen("SIZE") ? drawn.length : FEW;
    return with_command(input_usual(drawn.seed, atoms), atoms, drawn.seed);
}

/* Nothing: a word may be the number of an atom. */
static void simplify(struct input *input, size_t from, size_t count, unsigned int way)
{
    (void)input, (void)from, (void)count, (void)way;
}

const struct traced_contract traced = {.unit = "word",
                                       .outputs = "forces",
                                       .shapes = shapes,
                                       .settings = settings,
                                       .cases = cases,
                                       .tale = ATOMS_SORTED,
                                       .tales = {8, 16, 32},
                                       .make = make,
                                       .read = read_atoms,
                                       .simplify = simplify};
