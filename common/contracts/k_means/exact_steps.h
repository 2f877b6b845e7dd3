/* exact_steps.h - what k_means() should leave, a step at a time, in double precision.
 *
 * A float distance is a sum of d squares of differences. Its root is off by less than d 2^-24, and so two
 * distances change places only when their roots differ by less than 2 d 2^-24: a label is right when the root
 * of its exact distance is at most (1 + 2 d 2^-24) times the least. A mean is compared with the exact one of
 * the points that the kernel itself has given this label: it may be off by 2^-22 times the largest magnitude of
 * a coordinate. So a step is judged by itself. Of several steps the last one is, if in none of them any point
 * was so near to two centroids that right kernels may differ (is_sure); else counts and means are compared with
 * the labels alone. */
#ifndef EXACT_STEPS_H
#define EXACT_STEPS_H

#include "contract.h"
#include "drawn_points.h"

/* Labels of points, and the counts and exact means of the clusters that they make: those of the last step, where
 * nothing rounds, and those of the call that is compared. */
struct groups {
    uint32_t *labels, *counts;
    double *means;
};

struct oracle {
    struct outputs at;
    uint64_t left_out, asked_steps;
    float *points, *before; /* `before`: the centroids before the last step */
    uint32_t *held_before;  /* words of the outputs, before the call */
    struct groups right, held;
    uint64_t steps; /* that are made */
    double largest; /* magnitude of a coordinate of a point with a label */
    bool is_sure;
};

/* What word `i` of the outputs is: CENTROID_WORD has a cluster and a component, COUNT_WORD a cluster,
 * LABEL_WORD a point. */
enum role { CENTROID_WORD, COUNT_WORD, STEP_WORD, LABEL_WORD };
struct word {
    enum role role;
    size_t number, component;
    bool is_left_out; /* its pointer is NULL: it holds what it held before */
};
struct word oracle_word(const struct oracle *oracle, size_t i);

/* The sum of squares between a point and a centroid before the last step; infinite when it is so as a float. */
double oracle_distance(const struct oracle *oracle, size_t point, size_t cluster);

extern const struct causes causes_of_clusters;

#endif
