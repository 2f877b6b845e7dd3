/* timed.c - the pairs on which joint_histogram() is timed on a card: as many, in as many bins, as in "Compiling
 * Generalized Histograms for GPU" (SC20), of smooth pictures, and the smaller ones shuffled. See timed_input.h. */
#include "timed_input.h"

#include "drawn_pairs.h"

enum { MILLION = 1000 * 1000 };

static struct input paper_53(unsigned int times)
{
    return input_of(PAIRS_PICTURE, times, (size_t)2 * MILLION, (struct sides){53, 53});
}

static struct input paper_203(unsigned int times)
{
    return input_of(PAIRS_PICTURE, times, (size_t)8 * MILLION, (struct sides){203, 203});
}

static struct input shuffled_53(unsigned int times)
{
    return input_of(PAIRS_SHUFFLED, times, (size_t)2 * MILLION, (struct sides){53, 53});
}

static bool once(unsigned int times)
{
    return times > 0;
}

const struct timed_shape timed_shapes[] = {{"paper53", {1}, once, paper_53},
                                           {"paper203", {1}, once, paper_203},
                                           {"shuffled53", {1}, once, shuffled_53},
                                           {NULL, {0}, NULL, NULL}};
