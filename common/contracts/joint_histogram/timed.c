/* timed.c - the pairs on which joint_histogram() is timed on a card: as many as in "Compiling Generalized Histograms
 * for GPU" (SC20), the pixels of two pictures and the same pixels shuffled. See timed_input.h. */
#include "timed_input.h"

#include "drawn_pairs.h"

const struct timed_shape timed_shapes[] = {{"pictures53", {1}, 1},
                                           {"shuffled53", {1}, 1},
                                           {"pictures203", {1}, 1},
                                           {"shuffled203", {1}, 1},
                                           {NULL, {0}, 0}};

struct input timed_draw(size_t shape, unsigned int times)
{
    const enum pairs kind = shape % 2 == 0 ? PAIRS_PICTURE : PAIRS_SHUFFLED;
    (void)times;
    return shape < 2 ? input_of(kind, 1, 2000000, (struct sides){53, 53})
                     : input_of(kind, 1, 8000000, (struct sides){203, 203});
}
