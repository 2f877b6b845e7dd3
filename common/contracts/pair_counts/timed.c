/* timed.c - the points on which pair_counts() is timed on a card: as many as in "Compiling Generalized Histograms
 * for GPU" (SC20), in clusters, and so many random sets. See timed_input.h. */
#include "timed_input.h"

#include "drawn_sky.h"

enum { POINTS_OF_PAPER = 10391, BINS_OF_PAPER = 20 };

static struct input paper(unsigned int sets)
{
    return input_of(SKY_CLUSTERS, 1, (struct sky_sizes){POINTS_OF_PAPER, sets, BINS_OF_PAPER});
}

/* A set has 162 million pairs. */
static bool few(unsigned int sets)
{
    return sets <= 2;
}

const struct timed_shape timed_shapes[] = {{"paper", {1, 100}, few, paper},
                                           {NULL, {0}, NULL, NULL}};
