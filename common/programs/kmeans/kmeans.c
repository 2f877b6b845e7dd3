/* kmeans.c - paints a picture with few colors, which the GPU finds: an example that calls chapter 70's k_means().
 *
 *     kmeans [OPTION]... PICTURE
 *
 * A pixel is a point of three dimensions, red, green and blue, and a color is a centroid. The exit status is 0 when
 * all that was asked for is written, else 1. */
#define _GNU_SOURCE
#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cuda_check.h"
#include "grouped.h"
#include "k_means.h"
#include "netpbm.h"
#include "program.h"

enum { MOST_COLORS = 256, MOST_STEPS = 50, PIXELS_PER_CHANGE = 100 };

static const char help[] =
    "usage: kmeans [OPTION]... PICTURE\n"
    "\n"
    "Finds the colors that a picture is painted with best, and prints them with their\n"
    "shares. PICTURE is a PPM or PGM file (P6 or P5) with 8 bits a sample; - is standard\n"
    "input. pngtopnm and jpegtopnm make such files.\n"
    "\n"
    "  -c, --colors N     so many colors, 1 to 256; 16 without it\n"
    "  -o, --output FILE  paint the picture with them, and write it to FILE; - is standard\n"
    "                     output, and then the colors go to standard error\n"
    "  -h, --help         this\n"
    "\n"
    "The last step is that in which at most 1 pixel of 100 changes its color, or step 50.\n";

struct options {
    const char *input, *output; /* output: NULL, none is written */
    unsigned int colors;
};

/* The pixels in groups. */
struct palette {
    unsigned int colors;     /* no more than the picture has */
    size_t channels, pixels; /* floats of a color; length of the labels */
    float color[MOST_COLORS * RGB];
    unsigned int *label; /* the number of each pixel's color */
    unsigned int count[MOST_COLORS], steps;
};

static struct options read_options(int count, char **words)
{
    static const struct option known[] = {{"colors", required_argument, NULL, 'c'},
                                          {"output", required_argument, NULL, 'o'},
                                          {"help", no_argument, NULL, 'h'},
                                          {NULL, 0, NULL, 0}};
    struct options options = {.colors = 16};
    for (int letter; (letter = getopt_long(count, words, "c:o:h", known, NULL)) != -1;) {
        if (letter == 'c')
            options.colors = (unsigned int)number_of("colors", optarg, 1, MOST_COLORS);
        else if (letter == 'o')
            options.output = optarg;
        else if (letter == 'h')
            exit(fputs(help, stdout) < 0 || fflush(stdout) != 0);
        else
            exit(1); /* getopt_long has said why */
    }
    if (optind + 1 != count)
        stop("one picture is needed: kmeans PICTURE; kmeans --help says more");
    options.input = words[optind];
    return options;
}

static float squared_distance(const float *one, const float *other, size_t channels)
{
    float sum = 0;
    for (size_t i = 0; i < channels; i++)
        sum += (one[i] - other[i]) * (one[i] - other[i]);
    return sum;
}

/* The first colors: that of the first pixel, and then again and again that of the pixel which is farthest from all
 * colors so far. So no color is taken twice, and a picture of few colors keeps them all. */
static void choose_colors(struct palette *palette, const float *points, unsigned int colors)
{
    const size_t channels = palette->channels;
    /* Of each pixel from its nearest color, squared. */
    float *distance = malloc(palette->pixels * sizeof *distance);
    if (!distance)
        stop("no memory for %zu distances", palette->pixels);
    for (size_t farthest = 0; palette->colors < colors; palette->colors++) {
        if (palette->colors > 0 && distance[farthest] == 0)
            break;
        float *color = palette->color + palette->colors * channels;
        memcpy(color, points + farthest * channels, channels * sizeof *color);
        farthest = 0;
        for (size_t p = 0; p < palette->pixels; p++) {
            const float now = squared_distance(points + p * channels, color, channels);
            distance[p] = palette->colors > 0 && distance[p] < now ? distance[p] : now;
            farthest = distance[p] > distance[farthest] ? p : farthest;
        }
    }
    free(distance);
}

/* Groups the pixels. */
static void group(struct palette *palette, const float *points)
{
    const size_t pixels = palette->pixels, labels = pixels * sizeof *palette->label;
    void *d_points = on_device(points, pixels * palette->channels * sizeof *points);
    void *d_colors = on_device(palette->color, sizeof palette->color);
    void *d_labels = on_device(palette->label, labels);
    void *d_counts = on_device(palette->count, sizeof palette->count);
    void *d_steps = on_device(&palette->steps, sizeof palette->steps);
    k_means(d_points, pixels, (unsigned int)palette->channels, d_colors, palette->colors,
            MOST_STEPS, pixels / PIXELS_PER_CHANGE, d_labels, d_counts, d_steps);
    CHECK(cudaDeviceSynchronize());
    from_device(palette->color, d_colors, sizeof palette->color);
    from_device(palette->label, d_labels, labels);
    from_device(palette->count, d_counts, sizeof palette->count);
    from_device(&palette->steps, d_steps, sizeof palette->steps);
    CHECK(cudaFree(d_points));
}

/* Gives each pixel its color. Returns the root mean square difference of a sample. */
static double paint(const struct palette *palette, const struct picture *original,
                    struct picture *painted)
{
    const size_t channels = palette->channels;
    double sum = 0;
    for (size_t i = 0; i < picture_samples(original); i++) {
        const unsigned int label = palette->label[i / channels];
        if (label >= palette->colors)
            stop("pixel %zu has the label %u of %u colors: a mistake of k_means()", i / channels,
                 label, palette->colors);
        painted->samples[i] =
            (unsigned char)(palette->color[label * channels + i % channels] + 0.5f);
        sum += pow((double)painted->samples[i] - original->samples[i], 2);
    }
    return sqrt(sum / (double)picture_samples(original));
}

static int by_count(const void *one, const void *other, void *counts)
{
    const unsigned int *count = counts, a = *(const unsigned int *)one,
                       b = *(const unsigned int *)other;
    return count[a] != count[b] ? (count[a] < count[b]) - (count[a] > count[b]) : (a > b) - (a < b);
}

/* Prints a line for each color that has pixels, "#rrggbb" of 255, from the most frequent on. */
static void print(FILE *out, struct palette *palette, unsigned int most)
{
    unsigned int order[MOST_COLORS];
    for (unsigned int c = 0; c < palette->colors; c++)
        order[c] = c;
    qsort_r(order, palette->colors, sizeof *order, by_count, palette->count);
    fprintf(out, "%-8s %8s %14s\n", "color", "share", "pixels");
    for (unsigned int k = 0; k < palette->colors && palette->count[order[k]] > 0; k++) {
        const float *color = palette->color + order[k] * palette->channels;
        fputc('#', out);
        for (size_t i = 0; i < RGB; i++)
            fprintf(
                out, "%02x",
                (unsigned int)(color[palette->channels == RGB ? i : 0] * 255 / (float)most + 0.5f));
        fprintf(out, "  %7.2f%% %14s\n",
                100 * (double)palette->count[order[k]] / (double)palette->pixels,
                grouped(palette->count[order[k]]));
    }
}

/* The picture's pixels, and room for a label of each. */
static struct palette palette_of(const struct picture *picture, float **points)
{
    struct palette palette = {.channels = picture->channels,
                              .pixels = picture->width * picture->height};
    *points = malloc(picture_samples(picture) * sizeof **points);
    palette.label = calloc(palette.pixels, sizeof *palette.label);
    if (!*points || !palette.label)
        stop("no memory for %zu pixels", palette.pixels);
    for (size_t i = 0; i < picture_samples(picture); i++)
        (*points)[i] = picture->samples[i];
    return palette;
}

int main(int count, char **words)
{
    const struct options options = read_options(count, words);
    float *points;
    prefer_speed();
    const struct picture picture = picture_read(options.input);
    struct picture painted = picture_like(&picture);
    struct palette palette = palette_of(&picture, &points);
    choose_colors(&palette, points, options.colors);
    group(&palette, points);
    const double error = paint(&palette, &picture, &painted);
    FILE *out = options.output && strcmp(options.output, "-") == 0 ? stderr : stdout;
    if (options.output)
        picture_write(&painted, options.output);
    fprintf(out, "%s: %zu x %zu pixels in %u color%s\nsteps: %u\n", options.input, picture.width,
            picture.height, palette.colors, palette.colors == 1 ? "" : "s", palette.steps);
    fprintf(out, "error: %.2f of %u, the root mean square difference of a sample\n\n", error,
            picture.most);
    print(out, &palette, picture.most);
    output_end(out, "standard output");
    return 0;
}
