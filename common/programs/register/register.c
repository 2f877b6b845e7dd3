/* register.c - finds by how much one picture is moved against another: an example that calls chapter 71's
 * joint_histogram().
 *
 *     register [OPTION]... FIXED MOVING
 *
 * It searches from small pictures to large ones: each level has half the side of the one below. On the smallest, shifts
 * of up to a quarter of the side are tried. Each larger level doubles the best shift, and tries its neighbors. The exit
 * status is 0 when the shift was found and all that was asked for is written, else 1. */
#define _GNU_SOURCE
#include <getopt.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "cuda_check.h"
#include "joint_histogram.h"
#include "netpbm.h"
#include "program.h"

enum { LEAST_SIDE = 16, SMALLEST_SIDE = 24 }; /* pixels: of a picture, of the smallest level */
enum { LEVELS = 16, BINS_OF_ONE = LEVELS * LEVELS }; /* of brightness; of a joint histogram */
enum { SAMPLES_A_SIDE = 64 };                        /* of a trial */

static const char help[] =
    "usage: register [OPTION]... FIXED MOVING\n"
    "\n"
    "Finds by how many pixels the picture MOVING is moved against FIXED: the shift with the\n"
    "largest mutual information, of up to a quarter of the side. The pictures may come from\n"
    "two machines: one may be inverted, brighter, blurred or noisy. They are PGM or PPM files\n"
    "(P5 or P6) of the same size, of at least 16 x 16 pixels; colors become grey. Prints the\n"
    "shift and the bits before and after.\n"
    "\n"
    "  -o, --output FILE  write MOVING, moved back, to FILE; - is standard output, and then\n"
    "                     the lines go to standard error\n"
    "  -h, --help         this\n";

/* Rows of brightness, from 0 to 1. */
struct plane {
    size_t width, height;
    float *pixels;
};

/* What lies at p in the fixed picture lies at p + shift in the moving one. */
struct shift {
    long right, down; /* pixels */
};

struct search {
    struct shift best;
    double bits; /* the mutual information with it */
    unsigned int trials;
};

/* Reads the options. Returns the file to write, or NULL; the two pictures are words[optind] and the next one. */
static const char *read_options(int count, char **words)
{
    static const struct option known[] = {{"output", required_argument, NULL, 'o'},
                                          {"help", no_argument, NULL, 'h'},
                                          {NULL, 0, NULL, 0}};
    const char *output = NULL;
    for (int letter; (letter = getopt_long(count, words, "o:h", known, NULL)) != -1;) {
        if (letter == 'h')
            exit(fputs(help, stdout) < 0 || fflush(stdout) != 0);
        if (letter != 'o')
            exit(1); /* getopt_long has said why */
        output = optarg;
    }
    if (count - optind != 2)
        stop("two pictures are needed, FIXED and MOVING; register --help says more");
    return output;
}

static float *floats(size_t count)
{
    float *array = calloc(count + 1, sizeof *array);
    if (!array)
        stop("no memory for %zu floats", count);
    return array;
}

/* The brightness of a picture; a color becomes its luma. Stops where all pixels are equal, for they tell nothing. */
static struct plane plane_of(const struct picture *picture, const char *path)
{
    const float luma[RGB] = {0.299f, 0.587f, 0.114f}, grey[GREY] = {1};
    const float *weight = picture->channels == RGB ? luma : grey;
    struct plane plane = {picture->width, picture->height, NULL};
    const size_t pixels = plane.width * plane.height;
    bool are_equal = true;
    if (plane.width < LEAST_SIDE || plane.height < LEAST_SIDE)
        stop("%s: has %zu x %zu pixels, and %d x %d are the least", path, plane.width, plane.height,
             LEAST_SIDE, LEAST_SIDE);
    plane.pixels = floats(pixels);
    for (size_t i = 0; i < picture_samples(picture); i++)
        plane.pixels[i / picture->channels] +=
            weight[i % picture->channels] * (float)picture->samples[i] / (float)picture->most;
    for (size_t i = 1; i < pixels; i++)
        are_equal &= plane.pixels[i] == plane.pixels[0];
    if (are_equal)
        stop("%s: all pixels are equal, so that they tell nothing", path);
    return plane;
}

/* The brightness of a pixel; NaN outside of the picture. */
static float light_at(const struct plane *plane, long x, long y)
{
    const bool is_inside = x >= 0 && y >= 0 && x < (long)plane->width && y < (long)plane->height;
    return is_inside ? plane->pixels[(size_t)y * plane->width + (size_t)x] : NAN;
}

/* The mean of the pixels of a square from `by` * x - 1 to `by` * x + `by`, as far as it lies in the picture. */
static float mean_around(const struct plane *plane, size_t x, size_t y, size_t by)
{
    float sum = 0, count = 0;
    for (size_t v = y * by - (y > 0); v <= y * by + by && v < plane->height; v++)
        for (size_t u = x * by - (x > 0); u <= x * by + by && u < plane->width; u++) {
            sum += plane->pixels[v * plane->width + u];
            count++;
        }
    return sum / count;
}

/* A picture with a `by`th of the sides, smoother, for noise tells nothing; its brightness is stretched to what lies
 * between 0 and 1. */
static struct plane reduced(const struct plane *plane, size_t by)
{
    struct plane small = {plane->width / by, plane->height / by, NULL};
    const size_t count = small.width * small.height;
    float least = INFINITY, most = -INFINITY;
    small.pixels = floats(count);
    for (size_t i = 0; i < count; i++) {
        small.pixels[i] = mean_around(plane, i % small.width, i / small.width, by);
        least = fminf(least, small.pixels[i]);
        most = fmaxf(most, small.pixels[i]);
    }
    for (size_t i = 0; i < count; i++)
        small.pixels[i] = most > least ? (small.pixels[i] - least) / (most - least) : 0;
    return small;
}

/* Counts pairs on the GPU, from arrays of the host to bins of the host: `tables` tables, one above the other. */
static void count_pairs(const float *x, const float *y, size_t length, size_t tables, float *bins)
{
    const size_t bytes = length * sizeof *x, of_bins = BINS_OF_ONE * tables * sizeof *bins;
    float *d_x = on_device(x, bytes), *d_y = on_device(y, bytes),
          *d_bins = on_device(bins, of_bins);
    joint_histogram(d_x, d_y, length, LEVELS, (unsigned int)(LEVELS * tables), d_bins);
    from_device(bins, d_bins, of_bins);
    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_y));
}

/* The mutual information of a joint histogram, in bits: the sum of p log2(p / (p_x p_y)) over its bins. */
static double mutual_information(const float *bins)
{
    double columns[LEVELS] = {0}, rows[LEVELS] = {0}, all = 0, bits = 0;
    for (size_t i = 0; i < BINS_OF_ONE; i++) {
        columns[i % LEVELS] += (double)bins[i];
        rows[i / LEVELS] += (double)bins[i];
        all += (double)bins[i];
    }
    for (size_t i = 0; i < BINS_OF_ONE; i++)
        if (bins[i] > 0)
            bits += (double)bins[i] / all *
                    log2((double)bins[i] * all / (columns[i % LEVELS] * rows[i / LEVELS]));
    return bits;
}

/* Tries a row of shifts, `step` pixels apart, in one call: each has a table of its own. Keeps the best. A pixel that is
 * shifted out of the moving picture is a NaN, which the kernel does not count. */
static void try_row(struct search *search, const struct plane *fixed, const struct plane *moving,
                    struct shift first, long step, size_t trials)
{
    const size_t least = fixed->width < fixed->height ? fixed->width : fixed->height;
    const size_t side = least < SAMPLES_A_SIDE ? least : SAMPLES_A_SIDE, samples = side * side;
    const float scale = LEVELS - 3 - 0.001f; /* the last bins a coordinate touches are its own */
    float *x = floats(samples * trials), *y = floats(samples * trials);
    float *bins = floats(BINS_OF_ONE * trials);
    for (size_t i = 0; i < samples * trials; i++) {
        const size_t trial = i / samples, column = i % side * fixed->width / side;
        const size_t row = i % samples / side * fixed->height / side;
        const long right = first.right + step * (long)trial;
        x[i] = scale * fixed->pixels[row * fixed->width + column];
        y[i] = scale * light_at(moving, (long)column + right, (long)row + first.down) +
               (float)(LEVELS * trial);
    }
    count_pairs(x, y, samples * trials, trials, bins);
    for (size_t t = 0; t < trials; t++) {
        const double bits = mutual_information(bins + t * BINS_OF_ONE);
        if (bits > search->bits)
            *search =
                (struct search){{first.right + step * (long)t, first.down}, bits, search->trials};
    }
    search->trials += (unsigned int)trials;
    free(x);
    free(y);
    free(bins);
}

/* Every second shift of up to a quarter of the side, and one more for rounding. */
static void search_all(struct search *search, const struct plane *fixed, const struct plane *moving)
{
    const long most_x = (long)fixed->width / 4 + 1, most_y = (long)fixed->height / 4 + 1;
    for (long down = -most_y; down <= most_y; down += 2)
        try_row(search, fixed, moving, (struct shift){-most_x, down}, 2, (size_t)most_x + 1);
}

/* Tries the best shift and its eight neighbors; where one of these is better, its neighbors, too, and so on. */
static void search_near(struct search *search, const struct plane *fixed,
                        const struct plane *moving)
{
    struct shift from;
    do {
        from = search->best;
        search->bits = -1;
        for (long down = from.down - 1; down <= from.down + 1; down++)
            try_row(search, fixed, moving, (struct shift){from.right - 1, down}, 1, 3);
    } while (search->best.right != from.right || search->best.down != from.down);
}

/* The best shift, in pixels of these planes: that of planes with half the side comes first. */
static struct search find(const struct plane *fixed, const struct plane *moving)
{
    struct search search = {.bits = -1};
    if (fixed->width >= 2 * SMALLEST_SIDE && fixed->height >= 2 * SMALLEST_SIDE) {
        const struct plane small_fixed = reduced(fixed, 2), small_moving = reduced(moving, 2);
        search = find(&small_fixed, &small_moving);
        search.best = (struct shift){2 * search.best.right, 2 * search.best.down};
        free(small_fixed.pixels);
        free(small_moving.pixels);
    } else
        search_all(&search, fixed, moving);
    search_near(&search, fixed, moving);
    return search;
}

/* Moves the picture back; what comes from outside of it is black. */
static void write_aligned(const char *path, const struct plane *moving, struct shift shift)
{
    struct picture aligned = {moving->width, moving->height, GREY, 255, NULL};
    aligned = picture_like(&aligned);
    for (size_t i = 0; i < picture_samples(&aligned); i++) {
        const float light = light_at(moving, (long)(i % moving->width) + shift.right,
                                     (long)(i / moving->width) + shift.down);
        aligned.samples[i] =
            (unsigned char)(light > 0 ? 255 * light + 0.5f : 0); /* 0: a NaN, too */
    }
    picture_write(&aligned, path);
    free(aligned.samples);
}

int main(int count, char **words)
{
    const char *output = read_options(count, words), *const *paths = (const char **)words + optind;
    struct search before = {.bits = -1};
    prefer_speed();
    const struct picture fixed = picture_read(paths[0]), moving = picture_read(paths[1]);
    const struct plane still = plane_of(&fixed, paths[0]), moved = plane_of(&moving, paths[1]);
    if (still.width != moved.width || still.height != moved.height)
        stop("%s has %zu x %zu pixels, and %s has %zu x %zu: they have to be the same", paths[0],
             still.width, still.height, paths[1], moved.width, moved.height);
    const struct plane smooth_still = reduced(&still, 1), smooth_moved = reduced(&moved, 1);
    try_row(&before, &smooth_still, &smooth_moved, (struct shift){0, 0}, 1, 1);
    const struct search found = find(&smooth_still, &smooth_moved);
    FILE *out = output && strcmp(output, "-") == 0 ? stderr : stdout;
    if (output)
        write_aligned(output, &moved, found.best);
    fprintf(out,
            "shift: %ld pixels to the right, %ld down\n"
            "mutual information: %.3f bits before, %.3f after; %u trials\n",
            found.best.right, found.best.down, before.bits, found.bits, found.trials);
    output_end(out, "standard output");
    return 0;
}
