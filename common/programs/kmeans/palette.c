/* palette.c - the colors of a picture: drawn from its pixels, grouped by the GPU, and painted with: see kmeans.h.
 *
 * The kernel writes the number of its steps to memory of the host, where a thread can see it: all steps are
 * one call, and nobody has to wait between two of them. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdlib.h>

#include "cuda_check.h"
#include "k_means.h"
#include "kmeans.h"
#include "random_numbers.h"
#include "status_line.h"
#include "util.h"

/* The square of the distance of two colors. */
static float squared_distance(const float *one, const float *other, size_t channels)
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
        const float current = squared_distance(points + p * channels, color, channels);
        weight[p] = palette->colors > 0 && weight[p] < current ? weight[p] : current;
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

/* What the line knows that tells how far it is. */
struct watched {
    const volatile unsigned int *made; /* by the kernel */
    unsigned int most;
    double began;
};

static const char *step_of(const void *of_watched)
{
    const struct watched *watched = of_watched;
    const unsigned int step = *watched->made + 1;
    return format("step %u of at most %u  %.1f s", step < watched->most ? step : watched->most,
                  watched->most, seconds_now() - watched->began);
}

/* Copies an array to the device. */
static void *on_device(const void *array, size_t bytes)
{
    void *copy;
    CHECK(cudaMalloc(&copy, bytes));
    if (array)
        CHECK(cudaMemcpy(copy, array, bytes, cudaMemcpyHostToDevice));
    return copy;
}

/* Copies an array back, and frees it on the device. */
static void from_device(void *array, void *copy, size_t bytes)
{
    CHECK(cudaMemcpy(array, copy, bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(copy));
}

/* All steps; `made` is memory of the host that the device can write. */
static void group(struct palette *palette, const float *points, unsigned int steps,
                  unsigned int *made)
{
    const size_t channels = palette->channels, pixels = palette->pixels;
    const size_t of_colors = palette->colors * channels * sizeof(float);
    float *d_points = on_device(points, pixels * channels * sizeof *d_points);
    float *d_colors = on_device(palette->color, of_colors);
    unsigned int *d_labels = on_device(NULL, pixels * sizeof *d_labels);
    unsigned int *d_counts = on_device(NULL, palette->colors * sizeof *d_counts);
    k_means(d_points, pixels, (unsigned int)channels, d_colors, palette->colors, steps,
            pixels / PIXELS_PER_CHANGE, d_labels, d_counts, made);
    CHECK(cudaDeviceSynchronize());
    from_device(palette->color, d_colors, of_colors);
    from_device(palette->label, d_labels, pixels * sizeof *d_labels);
    from_device(palette->count, d_counts, palette->colors * sizeof *d_counts);
    CHECK(cudaFree(d_points));
}

void palette_group(struct palette *palette, const float *points, unsigned int steps, bool progress)
{
    void *made;
    CHECK(cudaHostAlloc(&made, sizeof(unsigned int), cudaHostAllocDefault));
    *(unsigned int *)made = 0;
    const struct watched watched = {made, steps, seconds_now()};
    if (progress)
        status_line_begin(step_of, &watched);
    group(palette, points, steps, made);
    if (progress)
        status_line_end(NULL);
    palette->steps = *(unsigned int *)made;
    CHECK(cudaFreeHost(made));
}

const char *palette_check(const struct palette *palette)
{
    static const char mistake[] = "this is a mistake of k_means(): no result";
    unsigned int *left = grow(NULL, 0, palette->colors, sizeof *left);
    for (size_t p = 0; p < palette->pixels; p++) {
        if (palette->label[p] >= palette->colors)
            return format("pixel %zu has no color, but label %u of %u: %s", p, palette->label[p],
                          palette->colors, mistake);
        left[palette->label[p]]++;
    }
    for (unsigned int c = 0; c < palette->colors; c++)
        if (left[c] != palette->count[c])
            return format("color %u has %u pixels, and %u were counted: %s", c, left[c],
                          palette->count[c], mistake);
    free(left);
    return "";
}

void palette_paint(struct palette *palette, const struct picture *original, struct picture *painted)
{
    const size_t channels = palette->channels;
    double sum = 0;
    *painted = picture_of(original->width, original->height, original->channels, original->most);
    for (size_t p = 0; p < palette->pixels; p++)
        for (size_t i = 0; i < channels; i++) {
            const float light = palette->color[palette->label[p] * channels + i];
            const unsigned short sample = picture_sample(original, light, FULL_LIGHT);
            const double difference = (double)sample - original->shade[p * channels + i];
            painted->shade[p * channels + i] = sample;
            sum += difference * difference;
        }
    palette->error =
        sqrt(sum / (double)picture_samples(original)) * (double)FULL_LIGHT / original->most;
}
