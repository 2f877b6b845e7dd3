/* drawn_points.h - the points that a test groups, drawn from a seed; and how they, what else k_means() is given,
 * and what it leaves are laid out in a call.
 *
 * A unit of the input is a coordinate. The outputs are words of 4 bytes, one behind the other: the centroids,
 * the counts, the number of steps, the labels. So labels begin at any multiple of 4. */
#ifndef DRAWN_POINTS_H
#define DRAWN_POINTS_H

#include "to_run.h"

extern const struct contract k_means_contract;

/* The numbers that a call has besides; an input is drawn with the first four. LEFT_OUT is a sum of what is NULL. */
enum { DIMENSIONS, CLUSTERS, STEPS, MAY_CHANGE, LEFT_OUT };
enum { NO_LABELS = 1, NO_COUNTS = 2, NO_STEPS = 4 };

/* Where the outputs begin, in words. A call on the longest input, whose numbers are all 0, has one cluster, one
 * dimension, one step, and no output but the centroid. */
struct outputs {
    size_t points, dimensions, clusters;
    size_t sums; /* clusters x dimensions, the centroids' words, behind which the counts begin */
    size_t steps, labels, end;
};

static inline struct outputs outputs_of(size_t coordinates, const uint64_t *more)
{
    const size_t dimensions = more[DIMENSIONS] > 0 ? more[DIMENSIONS] : 1;
    const size_t clusters = more[DIMENSIONS] > 0 ? more[CLUSTERS] : 1, sums = clusters * dimensions;
    const size_t points = coordinates / dimensions, steps = sums + clusters,
                 end = steps + 1 + points;
    return (struct outputs){points, dimensions, clusters, sums, steps, steps + 1, end};
}

/* Centroids begin at the first points; where these are too few, at others that are drawn. What the other outputs hold
 * before is drawn, too. Points are uniform in [0, 1); around centers that are far apart; uniform, 10,000 away from the
 * origin; whole numbers from 0 to 3, of which many are equal, and as far from one centroid as from another. */
enum points { POINTS_UNIFORM, POINTS_BLOBS, POINTS_OFFSET, POINTS_EQUAL, POINTS_KINDS };

/* Draws one, to be freed. */
struct input points_drawn(const struct drawn_case *drawn, uint64_t seed);

#endif
