/* kmeans.h - what the parts of build/kmeans ask of each other. A function that says what is wrong returns a
 * sentence, or "" when all is well. */
#ifndef KMEANS_H
#define KMEANS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "netpbm.h"

/* Light of a sample, as floats that are grouped: 8 bits are whole numbers then. */
#define FULL_LIGHT 255.0f

enum { MOST_COLORS = 256, MOST_STEPS = 1000000, PIXELS_PER_CHANGE = 100 };

/* What a command line of kmeans asks for. */

struct kmeans_options {
    const char *input;  /* "-" is standard input */
    const char *output; /* of the picture; "-" is standard output, NULL: none is written */
    uint64_t colors, steps, seed;
    bool quiet, help;
};

/* Pixels in groups. */

struct palette {
    unsigned int colors;     /* of the start, 1 to MOST_COLORS: no more than the picture has */
    size_t channels, pixels; /* floats of a color; length of the labels */
    float *color;            /* colors x channels, from 0 to FULL_LIGHT */
    unsigned int *label;     /* of each pixel: the number of its color */
    unsigned int *count;     /* pixels of each color */
    unsigned int steps;      /* that were made */
    double error;            /* root mean square difference of a sample, of FULL_LIGHT */
};

/* Draws the first colors by a seed: `colors` of the pixels, or all different ones, if they are fewer. The
 * first is any pixel, and each further one is drawn by the square of its distance from the nearest that has been
 * drawn (Arthur and Vassilvitskii, k-means++, 2007). */
struct palette palette_start(const float *points, size_t pixels, size_t channels,
                             unsigned int colors, uint64_t seed);

/* Groups the pixels on the GPU, in at most so many steps; no more when at most one of PIXELS_PER_CHANGE pixels has
 * changed its color. With `progress` a line of standard error says how far it is. A CUDA call that
 * fails ends the program with one line and status 1. */
void palette_group(struct palette *palette, const float *points, unsigned int steps, bool progress);

/* Says what no right kernel returns: a label that is no color's, or counts that are not those of the labels. */
const char *palette_check(const struct palette *palette);

/* Gives each pixel its color. *painted is a picture as the original is; palette->error tells how much
 * they differ. */
void palette_paint(struct palette *palette, const struct picture *original,
                   struct picture *painted);

/* A line for each color that has pixels, from the most frequent on: its name "#rrggbb", its share and its number
 * of pixels; on a terminal that can with a block of the color. `heading`: with lines about the whole above. */
void palette_print(FILE *out, const struct palette *palette, const char *name,
                   const struct picture *picture, const struct kmeans_options *options);

#endif
