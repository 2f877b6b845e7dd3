/* timed.c - the atoms on which pair_forces() is timed on a card: as many as in "Compiling Generalized Histograms for
 * GPU" (SC20), in the order of their places and in any order. See timed_input.h. */
#include "timed_input.h"

#include "drawn_atoms.h"

const struct timed_shape timed_shapes[] = {
    {"sorted", {1}, 1}, {"shuffled", {1}, 1}, {NULL, {0}, 0}};

struct input timed_draw(size_t shape, unsigned int times)
{
    (void)times;
    return input_of(shape == 0 ? ATOMS_SORTED : ATOMS_SHUFFLED, 1, 23178, 1);
}
