/* pair_forces.h - the function of chapter 73: forces of pairs of atoms, where a bin may also be gathered. */
#ifndef PAIR_FORCES_H
#define PAIR_FORCES_H

#include <stddef.h>
#include <vector_types.h>

/* -DOPERATION=half: each pair is in the list of one of its atoms, and that list brings both their forces.
 * -DOPERATION=full: each pair is in the lists of both, and a list brings the force of its own atom alone. */
#ifndef OPERATION
#define OPERATION half
#endif
#include "operation.h"
#define LIST_IS_FULL OPERATION_IS(full)

#ifdef __cplusplus
extern "C" {
#endif

/* 1 / (4 pi epsilon_0), in kJ nm / (mol e^2). */
#define COULOMB 138.935485f

/* Sets the force and the energy of each atom, in the lengths, energies and charges of the input: nm, kJ/mol and
 * e, for instance. An entry j in the list of atom i, a distance r apart, with c6 and c12 for their types, has
 *
 *   V = c12 r^-12 - c6 r^-6 + f q_i q_j / r
 *   F = (12 c12 r^-12 - 6 c6 r^-6 + f q_i q_j / r) r^-2 d,    d = x_i - x_j,    f = COULOMB
 *
 * and adds F to the force of i, and half of V to its energy. With half lists it also adds -F to the force of j,
 * and half of V to the energy of j. Of all images of j, which are a box apart in each direction, the nearest one
 * counts: d is d - box * rint(d / box), by component.
 *
 * An entry brings nothing if r is 0 (j is i itself, or is at the same place), if r is above the cutoff, or if r
 * is a NaN or infinite: an atom with such a coordinate has no force. r equal to the cutoff counts. A charge or a
 * parameter that is a NaN or infinite makes the energies of its pairs a NaN or infinite. Where 0 < r < 2^-8, or a
 * term is 2^120 or more, a float may not hold what comes on the way: these atoms' forces are not specified.
 *
 * d_atoms      device pointer to `atoms` positions x, y, z, with charges w; a position may lie outside the box,
 *              by up to 8 boxes
 * d_types      device pointer to `atoms` types, each below `types`
 * atoms        0 to 2^32 - 1; of more, one line on standard error says so, nothing is touched, and the program
 *              exits with status 1
 * d_first      device pointer to atoms + 1 rising numbers: the list of atom i are the entries from d_first[i] on,
 *              and below d_first[i + 1], of
 * d_neighbors  device pointer to numbers of atoms, each below `atoms`; what is in no list is not read
 * d_c6_c12     device pointer to types x types pairs, c6 in x and c12 in y: of types s and t number s * types + t,
 *              which is the same as t * types + s
 * types        1 or more
 * box          length of the box, a cube; there are no images if it is 0, below 0, infinite or a NaN
 * cutoff       what is not above 0 leaves all forces 0; infinity leaves no pair out
 * d_forces     device pointer to `atoms` forces x, y, z, with energies w; what they held does not matter
 *
 * Each array is aligned as its type, and d_forces overlaps with none. An error is at most a few units in the last
 * place of the sum of all terms' magnitudes, and what the rounding of positions makes of it. Full lists have the
 * same bits on every grid and schedule; half lists need not. Returns when the kernels have been launched. A
 * CUDA call that fails ends the program with one line on standard error. */
void pair_forces(const float4 *d_atoms, const unsigned int *d_types, size_t atoms,
                 const unsigned int *d_first, const unsigned int *d_neighbors,
                 const float2 *d_c6_c12, unsigned int types, float box, float cutoff,
                 float4 *d_forces);

#ifdef __cplusplus
}
#endif

#endif
