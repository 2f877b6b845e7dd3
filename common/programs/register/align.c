/* align.c - a search through a pyramid of pictures: see align.h.
 *
 * Each level has half the side of the one below. On the smallest one all shifts of up to a quarter of the side are
 * tried. Each larger level doubles the best shift, and tries its neighbors. In the end a parabola in each direction
 * gives the fraction of a pixel. No trial reads between pixels: that would blur the noise of one picture, and blurred
 * noise tells more than noise. */
#include "align.h"

#include <math.h>
#include <stdlib.h>

#include "program.h"

enum { SMALLEST_SIDE = 24, MOST_LEVELS = 12 };      /* pixels of the smallest level */
enum { BRIGHTNESS_BINS = 16, SAMPLES_A_SIDE = 64 }; /* of a trial */
enum { MOST_TOGETHER = 64, MOST_MOVES = 4 };

struct level {
    struct plane fixed, moving;
};

/* Shifts that are tried in one call of the kernel, and the bits of each. */
struct trials {
    size_t count;
    struct shift shift[MOST_TOGETHER];
    double bits[MOST_TOGETHER];
};

struct search {
    count_pairs *count;
    struct shift best;
    double bits;
    unsigned int trials;
};

static float *floats(size_t count)
{
    float *array = calloc(count + 1, sizeof *array);
    if (!array)
        stop("no memory for %zu floats", count);
    return array;
}

float plane_at(const struct plane *plane, double x, double y)
{
    const double left = floor(x), top = floor(y), right = x - left, down = y - top;
    if (!(left >= 0 && top >= 0 && x <= (double)plane->width - 1 && y <= (double)plane->height - 1))
        return NAN;
    const float *at = plane->pixels + (size_t)top * plane->width + (size_t)left;
    const size_t next = right > 0 ? 1 : 0, below = down > 0 ? plane->width : 0;
    return (float)((1 - down) * ((1 - right) * (double)at[0] + right * (double)at[next]) +
                   down * ((1 - right) * (double)at[below] + right * (double)at[below + next]));
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

/* The mutual information of a joint histogram, in bits: the sum of p log2(p / (p_x p_y)) over its bins. */
static double mutual_information(const float *bins)
{
    double columns[BRIGHTNESS_BINS] = {0}, rows[BRIGHTNESS_BINS] = {0}, all = 0, bits = 0;
    for (size_t i = 0; i < BRIGHTNESS_BINS * BRIGHTNESS_BINS; i++) {
        columns[i % BRIGHTNESS_BINS] += (double)bins[i];
        rows[i / BRIGHTNESS_BINS] += (double)bins[i];
        all += (double)bins[i];
    }
    for (size_t i = 0; i < BRIGHTNESS_BINS * BRIGHTNESS_BINS; i++)
        if (bins[i] > 0)
            bits += (double)bins[i] / all *
                    log2((double)bins[i] * all /
                         (columns[i % BRIGHTNESS_BINS] * rows[i / BRIGHTNESS_BINS]));
    return bits;
}

/* The place of sample number `i`: samples lie evenly in the picture, each somewhere in its cell of a side. */
static size_t place_in_cell(size_t cell, size_t cells, size_t side, size_t scattered)
{
    const size_t from = cell * side / cells, to = (cell + 1) * side / cells;
    return from + scattered % (to - from);
}

/* Tries all of them in one call: each trial has rows of bins of its own. A pixel that is shifted out of the moving
 * picture is a NaN, which the kernel does not count. */
static void try_all(struct search *search, const struct level *level, struct trials *trials)
{
    const struct plane *fixed = &level->fixed;
    const size_t least = fixed->width < fixed->height ? fixed->width : fixed->height;
    const size_t side = least < SAMPLES_A_SIDE ? least : SAMPLES_A_SIDE, samples = side * side;
    const size_t length = samples * trials->count;
    const float scale =
        BRIGHTNESS_BINS - 3 - 0.001f; /* the last bins a coordinate touches are its own */
    float *x = floats(length), *y = floats(length);
    float *bins = floats(BRIGHTNESS_BINS * BRIGHTNESS_BINS * trials->count);
    for (size_t i = 0; i < length; i++) {
        const struct shift *shift = &trials->shift[i / samples];
        const size_t scattered = i % samples * 2654435761u >> 7;
        const size_t column = place_in_cell(i % side, side, fixed->width, scattered);
        const size_t row = place_in_cell(i % samples / side, side, fixed->height, scattered >> 8);
        x[i] = scale * fixed->pixels[row * fixed->width + column];
        y[i] = scale * plane_at(&level->moving, (double)column + shift->right,
                                (double)row + shift->down) +
               (float)(BRIGHTNESS_BINS * (i / samples));
    }
    search->count(x, y, length, BRIGHTNESS_BINS, (unsigned int)(BRIGHTNESS_BINS * trials->count),
                  bins);
    for (size_t t = 0; t < trials->count; t++)
        trials->bits[t] = mutual_information(bins + t * BRIGHTNESS_BINS * BRIGHTNESS_BINS);
    search->trials += (unsigned int)trials->count;
    free(x);
    free(y);
    free(bins);
}

/* Tries them, and keeps the best; then there are none. */
static void try_and_keep(struct search *search, const struct level *level, struct trials *trials)
{
    if (trials->count > 0)
        try_all(search, level, trials);
    for (size_t t = 0; t < trials->count; t++)
        if (trials->bits[t] > search->bits) {
            search->bits = trials->bits[t];
            search->best = trials->shift[t];
        }
    trials->count = 0;
}

/* Every second shift of up to a quarter of the side, and one more for rounding. */
static void search_all(struct search *search, const struct level *level)
{
    struct trials trials = {.count = 0};
    const double most_x = floor((double)level->fixed.width / 4) + 1;
    const double most_y = floor((double)level->fixed.height / 4) + 1;
    search->bits = -1;
    for (double down = -most_y; down <= most_y; down += 2)
        for (double right = -most_x; right <= most_x; right += 2) {
            trials.shift[trials.count++] = (struct shift){right, down};
            if (trials.count == MOST_TOGETHER)
                try_and_keep(search, level, &trials);
        }
    try_and_keep(search, level, &trials);
}

/* The shift and its eight neighbors: those in a row of three lie side by side. */
static struct trials around(struct shift shift)
{
    struct trials trials = {.count = 9};
    for (int i = 0; i < 9; i++)
        trials.shift[i] = (struct shift){shift.right + i % 3 - 1, shift.down + i / 3 - 1};
    return trials;
}

/* The best shift and its neighbors; where one of these is better, its neighbors, too. */
static void search_near(struct search *search, const struct level *level)
{
    struct shift from = {NAN, NAN};
    for (int move = 0; move < MOST_MOVES; move++) {
        if (search->best.right == from.right && search->best.down == from.down)
            return;
        struct trials trials = around(from = search->best);
        search->bits = -1;
        try_and_keep(search, level, &trials);
    }
}

/* The top of the parabola through three neighbors, as a distance from the middle one, which is the highest. */
static double top_of(double before, double middle, double after)
{
    const double bend = before - 2 * middle + after;
    return bend < 0 ? fmax(-1, fmin(1, (before - after) / (2 * bend))) : 0;
}

/* The best shift of the largest level, to a fraction of a pixel; and the bits before and after. */
static struct alignment finish(struct search *search, const struct level *level)
{
    struct trials near = around(search->best), still = {.count = 1};
    try_all(search, level, &near);
    try_all(search, level, &still);
    const double *bits = near.bits;
    const struct shift shift = {search->best.right + top_of(bits[3], bits[4], bits[5]),
                                search->best.down + top_of(bits[1], bits[4], bits[7])};
    return (struct alignment){shift, still.bits[0], bits[4], search->trials};
}

struct alignment align(const struct plane *fixed, const struct plane *moving, count_pairs *count)
{
    struct level levels[MOST_LEVELS] = {{reduced(fixed, 1), reduced(moving, 1)}}, *last = levels;
    struct search search = {.count = count};
    while (last + 1 < levels + MOST_LEVELS && last->fixed.width >= 2 * SMALLEST_SIDE &&
           last->fixed.height >= 2 * SMALLEST_SIDE) {
        last[1] = (struct level){reduced(&last->fixed, 2), reduced(&last->moving, 2)};
        last++;
    }
    search_all(&search, last);
    search_near(&search, last);
    while (last > levels) {
        free(last->fixed.pixels);
        free(last->moving.pixels);
        search.best = (struct shift){2 * search.best.right, 2 * search.best.down};
        search_near(&search, --last);
    }
    const struct alignment found = finish(&search, levels);
    free(levels->fixed.pixels);
    free(levels->moving.pixels);
    return found;
}
