/* start.c - the colors that grouping begins with: see kmeans.h. */
#include <stdlib.h>

#include "kmeans.h"
#include "random_numbers.h"
#include "util.h"

/* The square of the distance of two colors. */
static float apart(const float *one, const float *other, size_t channels)
{
    float sum = 0;
    for (size_t i = 0; i < channels; i++)
        sum += (one[i] - other[i]) * (one[i] - other[i]);
    return sum;
}

/* A pixel, drawn by its weight. At least one weight is above 0, and `sum` is that of all. */
static size_t draw_pixel(const float *weight, size_t pixels, double sum, uint64_t *state)
{
    const double goal = (double)(next_random(state) >> 11) * 0x1p-53 * sum;
    double before = 0;
    size_t last = 0;
    for (size_t p = 0; p < pixels && before <= goal; p++)
        if (weight[p] > 0) { /* never a color that has been drawn */
            before += weight[p];
            last = p;
        }
    return last;
}

/* Puts a pixel's color to the palette, and lessens the weights of the pixels near it. Returns their sum. */
static double add_color(struct palette *palette, const float *points, size_t drawn, float *weight)
{
    const size_t channels = palette->channels;
    float *color = palette->color + palette->colors * channels;
    double sum = 0;
    for (size_t i = 0; i < channels; i++)
        color[i] = points[drawn * channels + i];
    for (size_t p = 0; p < palette->pixels; p++) {
        const float now = apart(points + p * channels, color, channels);
        weight[p] = palette->colors > 0 && weight[p] < now ? weight[p] : now;
        sum += weight[p];
    }
    palette->colors++;
    return sum;
}

struct palette palette_start(const float *points, size_t pixels, size_t channels,
                             unsigned int colors, uint64_t seed)
{
    struct palette palette = {.channels = channels, .pixels = pixels};
    float *weight = grow(NULL, 0, pixels, sizeof *weight);
    palette.color = grow(NULL, 0, colors * channels, sizeof *palette.color);
    palette.label = grow(NULL, 0, pixels, sizeof *palette.label);
    palette.count = grow(NULL, 0, colors, sizeof *palette.count);
    const size_t first = random_below(&seed, (uint32_t)pixels);
    double sum = add_color(&palette, points, first, weight);
    while (palette.colors < colors && sum > 0)
        sum = add_color(&palette, points, draw_pixel(weight, pixels, sum, &seed), weight);
    free(weight);
    return palette;
}
