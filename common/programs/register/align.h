/* align.h - by how much one picture is moved against another: the shift with the largest mutual information. */
#ifndef ALIGN_H
#define ALIGN_H

#include <stddef.h>

enum { LEAST_SIDE = 16 }; /* pixels */

/* Rows of brightness, from 0 to 1. */
struct plane {
    size_t width, height;
    float *pixels;
};

struct shift {
    double right, down; /* pixels */
};

struct alignment {
    struct shift
        shift; /* what lies at p in the fixed picture lies at p + shift in the moving one */
    double before, after; /* mutual information in bits: without the shift, and with it */
    unsigned int trials;
};

/* Counts pairs of coordinates, as joint_histogram() does, from memory of the host to memory of the host. */
typedef void count_pairs(const float *x, const float *y, size_t length, unsigned int x_bins,
                         unsigned int y_bins, float *bins);

/* Aligns two planes of the same size, of at least LEAST_SIDE x LEAST_SIDE pixels. Stops without memory. */
struct alignment align(const struct plane *fixed, const struct plane *moving, count_pairs *count);

/* Returns the brightness at a place, between pixels; NaN outside of the picture. */
float plane_at(const struct plane *plane, double x, double y);

#endif
