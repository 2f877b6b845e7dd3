/* timed.c - the atoms on which pair_forces() is timed on a card: as many as in "Compiling Generalized Histograms for
 * GPU" (SC20), in the order of their places and in any order. See timed_input.h. */
#include "timed_input.h"

#include "drawn_atoms.h"

enum { ATOMS_OF_PAPER = 23178 };

static struct input sorted(unsigned int times)
{
    (void)times;
    return input_of(ATOMS_SORTED, 1, ATOMS_OF_PAPER, 1);
}

static struct input shuffled(unsigned int times)
{
    (void)times;
    return input_of(ATOMS_SHUFFLED, 1, ATOMS_OF_PAPER, 1);
}

static bool once(unsigned int times)
{
    return times == 1;
}

const struct timed_shape timed_shapes[] = {
    {"sorted", {1}, once, sorted}, {"shuffled", {1}, once, shuffled}, {NULL, {0}, NULL, NULL}};
