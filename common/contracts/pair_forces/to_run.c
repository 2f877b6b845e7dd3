/* to_run.c - on which atoms the chapters of pair_forces() are run, traced and timed: see to_run.h. */
#include "to_run.h"

#include "drawn_atoms.h"

/* As many as in "Compiling Generalized Histograms for GPU" (SC20), in the order of their places and in any order. */
static const struct timed_shape timed[] = {{"sorted", {1}, 1, {ATOMS_SORTED, 23178, {1}}},
                                           {"shuffled", {1}, 1, {ATOMS_SHUFFLED, 23178, {1}}},
                                           {.name = NULL}};

static const struct traced_case cases[] = {
    TRACED(ATOMS_LISTS, 0, NUMBERS(1)),    TRACED(ATOMS_LISTS, 1, NUMBERS(1)),
    TRACED(ATOMS_SORTED, 2, NUMBERS(1)),   TRACED(ATOMS_COINCIDENT, 3, NUMBERS(1)),
    TRACED(ATOMS_SORTED, 8, NUMBERS(2)),   TRACED(ATOMS_LISTS, 2, NUMBERS(2)),
    TRACED(ATOMS_LISTS, 33, NUMBERS(3)),   TRACED(ATOMS_SHUFFLED, 64, NUMBERS(3)),
    TRACED(ATOMS_SORTED, 301, NUMBERS(5)), NO_MORE_TRACED,
};

/* No word is made plainer, since it may be the number of an atom. */
static const struct to_run atoms_to_run = {
    .contract = &pair_forces_contract,
    .draw = atoms_drawn,
    .kind = "atoms",
    .units = "atoms",
    .does = "has forces of atoms",
    .usual = 1 << 12,
    .most = 1 << 24,
    .why_no_more = "more than 16M atoms may have more entries than 32 bits can number",
    .called = "words",
    .shape = " (%u atoms of %u types)",
    .few = {ATOMS_SORTED, 0, {1}},
    .many = {ATOMS_SORTED, 0, {4}},
    .timed = timed,
    .tales = {8, 16, 32},
    .cases = cases};

const struct to_run *kernel_to_run(void)
{
    return &atoms_to_run;
}
