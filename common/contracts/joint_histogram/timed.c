/* timed.c - the pairs on which joint_histogram() is timed on a card: as many as in "Compiling Generalized Histograms
 * for GPU" (SC20), the pixels of two pictures and the same pixels shuffled. See timed_input.h. */
#include "timed_input.h"

#include "drawn_pairs.h"

enum { TWO_MILLION = 2000000, EIGHT_MILLION = 8000000, FEW_BINS = 53, MANY_BINS = 203 };

static struct input pictures_53(unsigned int times)
{
    (void)times;
    return input_of(PAIRS_PICTURE, 1, TWO_MILLION, (struct sides){FEW_BINS, FEW_BINS});
}

static struct input shuffled_53(unsigned int times)
{
    (void)times;
    return input_of(PAIRS_SHUFFLED, 1, TWO_MILLION, (struct sides){FEW_BINS, FEW_BINS});
}

static struct input pictures_203(unsigned int times)
{
    (void)times;
    return input_of(PAIRS_PICTURE, 1, EIGHT_MILLION, (struct sides){MANY_BINS, MANY_BINS});
}

static struct input shuffled_203(unsigned int times)
{
    (void)times;
    return input_of(PAIRS_SHUFFLED, 1, EIGHT_MILLION, (struct sides){MANY_BINS, MANY_BINS});
}

static bool once(unsigned int times)
{
    return times == 1;
}

const struct timed_shape timed_shapes[] = {{"pictures53", {1}, once, pictures_53},
                                           {"shuffled53", {1}, once, shuffled_53},
                                           {"pictures203", {1}, once, pictures_203},
                                           {"shuffled203", {1}, once, shuffled_203},
                                           {NULL, {0}, NULL, NULL}};
