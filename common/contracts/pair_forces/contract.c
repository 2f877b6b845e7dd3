/* contract.c - what the judge knows of pair_forces(): see contract.h; and how inputs lie in memory. */
#include "contract.h"

#include <math.h>
#include <stdio.h>

#include "exact_forces.h"

/* Of so many words, about: an atom has 59 entries, or twice as many. Few words are so many atoms. */
static struct input draw_forces(uint64_t seed, size_t length)
{
    enum { FEW = 64, WORDS_OF_ATOM = 16, TYPES_DRAWN = 5 };
    return atoms_drawn(&(struct drawn_case){seed % 2 == 0 ? ATOMS_LISTS : ATOMS_SHUFFLED,
                                            length <= FEW ? length : length / WORDS_OF_ATOM,
                                            {1 + (unsigned int)(seed % TYPES_DRAWN)}},
                       seed);
}

/* Atoms and lists lie among words that nobody has to read. */
static bool has_read(const char *name, const struct measurement *cost, char *what, size_t size)
{
    if (cost->bytes_read >= cost->length * sizeof(uint32_t))
        return true;
    snprintf(what, size, "some entries or atoms are read by no kernel (%s): each has to be read",
             name);
    return false;
}

/* A word is a float or a whole number: bits that are no ordinary float are shown as a number. */
static void shapes_of_forces(enum operation unused, struct shape *unit, struct shape *output)
{
    (void)unused;
    *unit = (struct shape){4, 4, 1, {{"word", FIELD_FLOAT, 0, 32}}};
    *output = (struct shape)FOUR_FLOATS(4, "x", "y", "z", "energy");
}

/* No part of an input is an input: longest_part is 0. */
const struct contract pair_forces_contract = {
    .words = {.function = "pair_forces()",
              .unit = "word",
              .units = "words",
              .input = "atoms and lists",
              .output = "result",
              .output_is = "the forces are",
              .by_kernel = "the forces have to be worked out by kernels, on the device",
              .when_empty = "without atoms the grid has 0 blocks, which CUDA refuses"},
    .oracle = forces_oracle,
    .may_hold = forces_may_hold,
    .say = forces_say,
    .causes = &causes_of_forces,
    .has_operation = true,
    .outputs = "atoms",
    .has_done = has_read,
    .later_schedules = 2,
    .draw = draw_forces,
    .race_shift = 4,
    .shapes = shapes_of_forces,
    .sets = true,
    .guard = NAN,    /* or a neighbor that there is not */
    .accesses = 256, /* an entry brings four atomics */
};
