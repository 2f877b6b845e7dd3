/* traced.c - what make trace asks of pair_forces(): see traced_contract.h. */
#include "traced_contract.h"

#include "drawn_atoms.h"

/* Bins are types. */
static const struct traced_case cases[] = {
    {ATOMS_LISTS, 0, 0, 1, 0, 1, 1},    {ATOMS_LISTS, 0, 1, 1, 0, 1, 1},
    {ATOMS_SORTED, 0, 2, 1, 0, 1, 1},   {ATOMS_COINCIDENT, 0, 3, 1, 0, 1, 1},
    {ATOMS_SORTED, 0, 8, 2, 0, 1, 1},   {ATOMS_LISTS, 0, 2, 2, 0, 1, 1},
    {ATOMS_LISTS, 0, 33, 3, 0, 1, 1},   {ATOMS_SHUFFLED, 0, 64, 3, 0, 1, 1},
    {ATOMS_SORTED, 0, 301, 5, 0, 1, 1}, {0},
};

/* No word is simplified, since it may be the number of an atom. */
const struct traced_contract traced = {.contract = &pair_forces_contract,
                                       .outputs = "forces",
                                       .cases = cases,
                                       .make = traced_drawn,
                                       .usual = 16};
