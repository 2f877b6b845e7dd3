/* align.c - a search through a pyramid of pictures: see align.h.
 *
 * Each level has half the side of the one below. On the smallest one all shifts of up to a quarter of the side are
 * tried. Each larger level doubles the best shift, and tries its neighbors. In the end a paraboloid through the
 * trials around the best one gives the fraction of a pixel. No trial reads between pixels: that would blur the noise of one
 * picture, and blurred noise tells more than noise. */
#include "align.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "util.h"

enum { LEAST_SIDE = 24, MOST_LEVELS = 12 };         /* pixels of the smallest level */
enum { BRIGHTNESS_BINS = 16, SAMPLES_A_SIDE = 64 }; /* of a trial */
enum { MOST_TOGETHER = 64, STEP = 2, MOST_MOVES = 4, AROUND = 2 };

struct level {
    struct plane fixed, moving;
};

/* Shifts that are tried in one call of the kernel, and what becomes of them. */
struct trials {
    size_t count;
    struct shift shift[MOST_TOGETHER];
    double bits[MOST_TOGETHER];
};

static void forget(struct level *level)
{
    free(level->fixed.pixels);
    free(level->moving.pixels);
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

/* Each pixel is the mean of four. */
static struct plane halved(const struct plane *plane)
{
    struct plane half = {plane->width / 2, plane->height / 2, NULL};
    half.pixels = grow(NULL, 0, half.width * half.height, sizeof(float));
    for (size_t y = 0; y < half.height; y++)
        for (size_t x = 0; x < half.width; x++) {
            const float *at = plane->pixels + 2 * y * plane->width + 2 * x;
            half.pixels[y * half.width + x] =
                (at[0] + at[1] + at[plane->width] + at[plane->width + 1]) / 4;
        }
    return half;
}

/* The mean of the pixels around a place, which leaves a third of the noise. */
static float mean_around(const struct plane *plane, size_t x, size_t y)
{
    float sum = 0, count = 0;
    for (size_t v = y - (y > 0); v <= y + (y + 1 < plane->height); v++)
        for (size_t u = x - (x > 0); u <= x + (x + 1 < plane->width); u++) {
            sum += plane->pixels[v * plane->width + u];
            count++;
        }
    return sum / count;
}

/* A smoother one, stretched to what lies between 0 and 1. */
static struct plane prepared(const struct plane *plane)
{
    struct plane smooth = {plane->width, plane->height, NULL};
    const size_t count = plane->width * plane->height;
    float least = INFINITY, most = -INFINITY;
    smooth.pixels = grow(NULL, 0, count, sizeof(float));
    for (size_t i = 0; i < count; i++) {
        smooth.pixels[i] = mean_around(plane, i % plane->width, i / plane->width);
        least = fminf(least, smooth.pixels[i]);
        most = fmaxf(most, smooth.pixels[i]);
    }
    for (size_t i = 0; i < count; i++)
        smooth.pixels[i] = most > least ? (smooth.pixels[i] - least) / (most - least) : 0;
    return smooth;
}

double mutual_information(const float *bins, size_t x_bins, size_t y_bins)
{
    double *columns = grow(NULL, 0, x_bins, sizeof *columns),
           *rows = grow(NULL, 0, y_bins, sizeof *rows);
    double all = 0, bits = 0;
    for (size_t i = 0; i < x_bins * y_bins; i++) {
        columns[i % x_bins] += (double)bins[i];
        rows[i / x_bins] += (double)bins[i];
        all += (double)bins[i];
    }
    for (size_t i = 0; i < x_bins * y_bins; i++)
        if (bins[i] > 0)
            bits += (double)bins[i] / all *
                    log2((double)bins[i] * all / (columns[i % x_bins] * rows[i / x_bins]));
    free(columns);
    free(rows);
    return bits;
}

/* Sample number `i`, of `side` x `side` at most: pixels that lie evenly in the fixed picture, each somewhere in its
 * cell. */
static void place_of_sample(const struct plane *plane, size_t side, size_t i, size_t *x, size_t *y)
{
    const size_t scattered = i * 2654435761u >> 7;
    const size_t cell_x = i % side, cell_y = i / side;
    const size_t from_x = cell_x * plane->width / side, to_x = (cell_x + 1) * plane->width / side;
    const size_t from_y = cell_y * plane->height / side, to_y = (cell_y + 1) * plane->height / side;
    *x = from_x + scattered % (to_x - from_x);
    *y = from_y + (scattered >> 8) % (to_y - from_y);
}

/* Tries all of them in one call: those of trial number t lie in rows of bins of its own. A pixel that is shifted out
 * of the moving picture is a NaN, which the kernel does not count. */
static void try_all(const struct level *level, struct trials *trials, count_pairs *count)
{
    const size_t least =
        level->fixed.width < level->fixed.height ? level->fixed.width : level->fixed.height;
    const size_t side = least < SAMPLES_A_SIDE ? least : SAMPLES_A_SIDE, samples = side * side;
    const size_t length = samples * trials->count;
    float *x = grow(NULL, 0, length, sizeof *x), *y = grow(NULL, 0, length, sizeof *y);
    float *bins = grow(NULL, 0, BRIGHTNESS_BINS * BRIGHTNESS_BINS * trials->count, sizeof *bins);
    for (size_t i = 0; i < length; i++) {
        const struct shift *shift = &trials->shift[i / samples];
        size_t at_x, at_y;
        place_of_sample(&level->fixed, side, i % samples, &at_x, &at_y);
        const float scale = BRIGHTNESS_BINS - 3 - 0.001f;
        x[i] = scale * level->fixed.pixels[at_y * level->fixed.width + at_x];
        y[i] = scale * plane_at(&level->moving, (double)at_x + shift->right,
                                (double)at_y + shift->down) +
               (float)(BRIGHTNESS_BINS * (i / samples));
    }
    count(x, y, length, BRIGHTNESS_BINS, (unsigned int)(BRIGHTNESS_BINS * trials->count), bins);
    for (size_t t = 0; t < trials->count; t++)
        trials->bits[t] = mutual_information(bins + t * BRIGHTNESS_BINS * BRIGHTNESS_BINS,
                                             BRIGHTNESS_BINS, BRIGHTNESS_BINS);
    free(x);
    free(y);
    free(bins);
}

struct search {
    count_pairs *count;
    struct shift best;
    double bits;
    unsigned int trials;
};

static void try_and_keep(struct search *search, const struct level *level, struct trials *trials)
{
    if (trials->count > 0)
        try_all(level, trials, search->count);
    for (size_t t = 0; t < trials->count; t++)
        if (trials->bits[t] > search->bits) {
            search->bits = trials->bits[t];
            search->best = trials->shift[t];
        }
    search->trials += (unsigned int)trials->count;
    trials->count = 0;
}

/* Every second shift of up to a quarter of the side, and one more for rounding. */
static void search_all(struct search *search, const struct level *level)
{
    struct trials trials = {.count = 0};
    const double most_x = floor((double)level->fixed.width / 4) + 1;
    const double most_y = floor((double)level->fixed.height / 4) + 1;
    search->bits = -1;
    for (double down = -most_y; down <= most_y; down += STEP)
        for (double right = -most_x; right <= most_x; right += STEP) {
            trials.shift[trials.count++] = (struct shift){right, down};
            if (trials.count == MOST_TOGETHER)
                try_and_keep(search, level, &trials);
        }
    try_and_keep(search, level, &trials);
}

/* The best shift and its eight neighbors; where one of these is better, its neighbors, too. */
static void search_near(struct search *search, const struct level *level)
{
    struct trials trials = {.count = 0};
    struct shift from = {NAN, NAN};
    for (int move = 0; move < MOST_MOVES; move++) {
        if (search->best.right == from.right && search->best.down == from.down)
            return;
        from = search->best;
        for (int i = 0; i < 9; i++)
            trials.shift[trials.count++] =
                (struct shift){from.right + i % 3 - 1, from.down + i / 3 - 1};
        search->bits = -1;
        try_and_keep(search, level, &trials);
    }
}

/* The top of the paraboloid through the bits of the trials around `best`, by least squares: on a square of whole
 * numbers all its terms but the two squares and the constant are independent of each other, and these by `spread`. */
static struct shift top_of(const struct trials *trials, struct shift best)
{
    double x = 0, y = 0, xy = 0, xx = 0, yy = 0, second = 0, fourth = 0, mixed = 0;
    const double count = (double)trials->count;
    for (size_t i = 0; i < trials->count; i++)
        second += pow(trials->shift[i].right - best.right, 2);
    const double spread = second / count;
    for (size_t i = 0; i < trials->count; i++) {
        const double right = trials->shift[i].right - best.right;
        const double down = trials->shift[i].down - best.down, bits = trials->bits[i];
        x += bits * right / second;
        y += bits * down / second;
        fourth += pow(right * right - spread, 2);
        mixed += pow(right * down, 2);
        xx += bits * (right * right - spread);
        yy += bits * (down * down - spread);
        xy += bits * right * down;
    }
    xx /= fourth;
    yy /= fourth;
    xy /= mixed;
    const double bend = 4 * xx * yy - xy * xy;
    if (!(bend > 0 && xx < 0))
        return best;
    const double right = (xy * y - 2 * yy * x) / bend, down = (xy * x - 2 * xx * y) / bend;
    if (fabs(right) > AROUND || fabs(down) > AROUND)
        return best;
    return (struct shift){best.right + right, best.down + down};
}

/* The best shift of the largest level, to a fraction of a pixel. */
static struct shift finish(struct search *search, const struct level *level)
{
    struct trials trials = {.count = 0};
    const struct shift best = search->best;
    for (int down = -AROUND; down <= AROUND; down++)
        for (int right = -AROUND; right <= AROUND; right++)
            trials.shift[trials.count++] = (struct shift){best.right + right, best.down + down};
    try_all(level, &trials, search->count);
    search->trials += (unsigned int)trials.count;
    return top_of(&trials, best);
}

/* Each level is prepared when the one above it has been made of it. */
static size_t build(struct level *levels, const struct plane *fixed, const struct plane *moving)
{
    size_t count = 0;
    struct level raw = {*fixed, *moving};
    for (bool is_last = false; !is_last; count++) {
        const struct level above = {halved(&raw.fixed), halved(&raw.moving)};
        levels[count] = (struct level){prepared(&raw.fixed), prepared(&raw.moving)};
        if (count > 0)
            forget(&raw);
        raw = above;
        is_last = count + 1 == MOST_LEVELS || raw.fixed.width < LEAST_SIDE ||
                  raw.fixed.height < LEAST_SIDE;
    }
    forget(&raw);
    return count;
}

static double bits_of(struct search *search, const struct level *level, struct shift shift)
{
    struct trials trials = {.count = 1, .shift = {shift}};
    try_all(level, &trials, search->count);
    search->trials++;
    return trials.bits[0];
}

struct alignment align(const struct plane *fixed, const struct plane *moving, count_pairs *count)
{
    struct level levels[MOST_LEVELS];
    struct search search = {.count = count};
    const size_t depth = build(levels, fixed, moving);
    search_all(&search, &levels[depth - 1]);
    search_near(&search, &levels[depth - 1]);
    for (size_t i = depth - 1; i-- > 0;) {
        search.best = (struct shift){2 * search.best.right, 2 * search.best.down};
        search_near(&search, &levels[i]);
    }
    struct alignment found = {.shift = finish(&search, &levels[0])};
    found.before = bits_of(&search, &levels[0], (struct shift){0, 0});
    found.after = bits_of(&search, &levels[0],
                          (struct shift){round(found.shift.right), round(found.shift.down)});
    found.trials = search.trials;
    for (size_t i = 0; i < depth; i++)
        forget(&levels[i]);
    return found;
}
