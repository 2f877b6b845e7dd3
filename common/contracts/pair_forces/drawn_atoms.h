/* drawn_atoms.h - the atoms and lists that a test draws from a seed; and how they, and what else pair_forces() is
 * given, are laid out in a call.
 *
 * A unit of the input is a word of 4 bytes. All arrays lie in one, with words between them that no kernel may
 * use: a NaN, or a neighbor that there is not. The output is a float4 for each atom. */
#ifndef DRAWN_ATOMS_H
#define DRAWN_ATOMS_H

#include "to_run.h"

extern const struct contract pair_forces_contract;

/* The numbers that a call has besides. BOX and CUTOFF are the bits of a float. No input is without types; a call
 * without them is the one on too many atoms. */
enum { TYPES, ATOMS, BOX, CUTOFF };

/* Where the arrays begin, in words. */
struct arrays {
    size_t atoms, types; /* how many there are */
    size_t c6_c12, first, type, neighbors, end;
};

static inline struct arrays arrays_of(size_t words, const uint64_t *more)
{
    const size_t atoms = (size_t)more[ATOMS], types = (size_t)more[TYPES];
    const size_t c6_c12 = 4 * atoms + 2, first = c6_c12 + 2 * types * types + 1;
    const size_t type = first + atoms + 1 + 1, neighbors = type + atoms + 1;
    return (struct arrays){atoms, types, c6_c12, first, type, neighbors, words};
}

/* One of the two numbers that are floats. */
static inline float float_of(const uint64_t *more, int number)
{
    return float_of_bits((uint32_t)more[number]);
}

/* Atoms of a liquid lie near the places of a lattice, in the order of these, with lists of all pairs that count; or in
 * any order, with lists of some more pairs; or they have lists of 0 to 100 atoms that are drawn; or such lists, where
 * two atoms each lie at one place, and atoms are their own neighbors, too. */
enum atoms { ATOMS_SORTED, ATOMS_SHUFFLED, ATOMS_LISTS, ATOMS_COINCIDENT, ATOMS_KINDS };

/* A case has a number of types. Lists are those of the operation that is chosen, but ATOMS_LISTS and ATOMS_COINCIDENT
 * have the same for both. */

/* Draws one, to be freed. */
struct input atoms_drawn(const struct drawn_case *drawn, uint64_t seed);

#endif
