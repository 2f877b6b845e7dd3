/* timed.c - the points on which k_means() is timed on a card: those of "Compiling Generalized Histograms for GPU"
 * (SC20), and the pixels of a picture. See timed_input.h. */
#include "timed_input.h"

#include "drawn_points.h"

/* One step of the last has 26 billion squares. */
const struct timed_shape timed_shapes[] = {
    {"picture", {1, 10}, 10}, {"paper5", {1, 10}, 10}, {"paper1024", {1, 10}, 1}, {NULL, {0}, 0}};

struct input timed_draw(size_t shape, unsigned int times)
{
    const struct sizes sizes[] = {{(size_t)4096 * 4096, 3, 16, times, 0},
                                  {100000, 256, 5, times, 0},
                                  {100000, 256, 1024, times, 0}};
    return input_of(POINTS_UNIFORM, 1, sizes[shape]);
}
