/* drawn_pairs.h - the pairs of coordinates that a test counts, drawn from a seed; and how they lie in a call.
 *
 * A unit of the input is a pair, of 8 bytes: first all x, then all y. So y begins at any multiple of 4. */
#ifndef DRAWN_PAIRS_H
#define DRAWN_PAIRS_H

#include "to_run.h"

extern const struct contract joint_histogram_contract;

/* The numbers that a call has besides; an input is drawn with the first two. With WITH_SLOPES the bins become the table
 * of joint_slopes(): the outputs are the bins, and behind them a slope for each pair. */
enum { X_BINS, Y_BINS, WITH_SLOPES };

struct sides {
    size_t x, y; /* bins */
};

/* On the longest input all numbers of the call are 0, and nobody says how long the sides are: then the bins lie in
 * rows of 16. */
static inline struct sides sides_of(size_t bins, const uint64_t *more)
{
    enum { A_ROW = 16 };
    if (more[X_BINS] == 0 && bins > 0)
        return (struct sides){A_ROW, bins / A_ROW};
    return (struct sides){more[X_BINS], more[Y_BINS]};
}

enum pairs {
    PAIRS_UNIFORM, /* all are counted */
    PAIRS_BEYOND, /* they lie from 2 bins before the first to 2 behind the last: some are not counted */
    PAIRS_WHOLE,     /* whole numbers and halves */
    PAIRS_ONE_PLACE, /* all pairs are equal */
    PAIRS_PICTURE, /* the pixels of two pictures, row by row: one is the other, inverted and moved */
    PAIRS_SHUFFLED, /* the same pixels in another order */
    PAIRS_KINDS
};

/* Draws one, to be freed. */
struct input pairs_drawn(const struct drawn_case *drawn, uint64_t seed);

#endif
