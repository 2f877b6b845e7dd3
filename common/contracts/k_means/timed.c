/* timed.c - the points on which k_means() is timed on a card: those of "Compiling Generalized Histograms for GPU"
 * (SC20), and the pixels of a picture. See timed_input.h. */
#include "timed_input.h"

#include "drawn_points.h"

static struct input drawn(size_t points, unsigned int dimensions, unsigned int clusters,
                          unsigned int steps)
{
    return input_of(POINTS_UNIFORM, 1, (struct sizes){points, dimensions, clusters, steps, 0});
}

static struct input picture(unsigned int steps)
{
    return drawn((size_t)4096 * 4096, 3, 16, steps);
}

static struct input paper_5(unsigned int steps)
{
    return drawn(100000, 256, 5, steps);
}

static struct input paper_1024(unsigned int steps)
{
    return drawn(100000, 256, 1024, steps);
}

static bool any(unsigned int steps)
{
    return steps > 0;
}

/* One step has 26 billion squares. */
static bool one(unsigned int steps)
{
    return steps == 1;
}

const struct timed_shape timed_shapes[] = {{"picture", {1, 10}, any, picture},
                                           {"paper5", {1, 10}, any, paper_5},
                                           {"paper1024", {1, 10}, one, paper_1024},
                                           {NULL, {0}, NULL, NULL}};
