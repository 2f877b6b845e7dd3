/* timed.c - the points on which pair_counts() is timed on a card: as many as in "Compiling Generalized Histograms
 * for GPU" (SC20), in clusters, and so many random sets. See timed_input.h. */
#include "timed_input.h"

#include "drawn_sky.h"

/* A set has 162 million pairs. */
const struct timed_shape timed_shapes[] = {{"paper", {1, 100}, 2}, {NULL, {0}, 0}};

struct input timed_draw(size_t shape, unsigned int sets)
{
    (void)shape;
    return input_of(SKY_CLUSTERS, 1, (struct sky_sizes){10391, sets, 20});
}
