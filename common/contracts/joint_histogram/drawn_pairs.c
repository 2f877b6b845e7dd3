/* drawn_pairs.c - draws pairs of coordinates, the same on every machine: see drawn_pairs.h. */
#include "contract.h"
#include "drawn_pairs.h"

#include <math.h>
#include <stdio.h>

#include "grouped.h"
#include "must_have.h"
#include "random_numbers.h"

static const char *const words[PAIRS_KINDS] = {
    [PAIRS_UNIFORM] = "uniform pairs",          [PAIRS_BEYOND] = "pairs, some beyond the bins",
    [PAIRS_WHOLE] = "pairs on edges of bins",   [PAIRS_ONE_PLACE] = "pairs in one place",
    [PAIRS_PICTURE] = "pixels of two pictures", [PAIRS_SHUFFLED] = "pixels in a shuffled order",
};

/* Rises and falls smoothly between 0 and 1, once in each whole number. */
static double wave(double at)
{
    const double z = fabs(2 * (at - floor(at)) - 1);
    return z * z * (3 - 2 * z);
}

/* A smooth picture, 0 to 1; the position is a part of its side. */
static double brightness(double u, double v)
{
    return (wave(u / 2 + v / 3) + wave(v / 2 - u / 3 + 0.25)) / 2;
}

/* Coordinates that are counted begin at 0, and are less than this. */
static double room(size_t bins)
{
    return bins < 4 ? 1 : (double)bins - 3;
}

static double coordinate_pairs(unsigned int kind, uint64_t *state, size_t bins)
{
    enum { BEYOND = 2 };
    switch (kind) {
    case PAIRS_BEYOND:
        return random_fraction(state) * ((double)bins + 2 * BEYOND) - BEYOND;
    case PAIRS_WHOLE:
        return random_below(state, 2 * (uint32_t)bins + 2) / 2.0 - 1;
    case PAIRS_ONE_PLACE:
        return floor(room(bins) / 2);
    default:
        return random_fraction(state) * room(bins);
    }
}

/* Draws the pixels of a square picture, row by row, until there are enough. */
static void draw_picture(struct input *input, size_t x_bins, size_t y_bins)
{
    const double most = 0.999;
    size_t side = 1;
    while (side * side < input->length)
        side++;
    for (size_t i = 0; i < input->length; i++) {
        const double u = (double)(i % side) / (double)side, v = (double)(i / side) / (double)side;
        const double moved = 1 - brightness(u + 0.03, v - 0.05);
        input_set_float(input, i, (float)(brightness(u, v) * most * room(x_bins)));
        input_set_float(input, input->length + i, (float)(moved * moved * most * room(y_bins)));
    }
}

static void shuffle(struct input *input, uint64_t *state)
{
    for (size_t i = input->length; i > 1; i--) {
        const size_t other = random_below(state, (uint32_t)i);
        for (size_t at = 0; at <= input->length; at += input->length) {
            const float one = input_float(input, at + i - 1);
            input_set_float(input, at + i - 1, input_float(input, at + other));
            input_set_float(input, at + other, one);
        }
    }
}

struct input pairs_drawn(const struct drawn_case *drawn, uint64_t seed)
{
    const size_t length = drawn->units, x_bins = drawn->numbers[X_BINS];
    const size_t y_bins = drawn->numbers[Y_BINS];
    struct input input = input_for(&joint_histogram_contract);
    input.length = length;
    input.num_bins = x_bins * y_bins;
    input.more[X_BINS] = x_bins;
    input.more[Y_BINS] = y_bins;
    snprintf(input.name, sizeof input.name, "%s %s, %zu x %zu bins", grouped(length),
             words[drawn->kind], x_bins, y_bins);
    input.elements = room_for(2 * length, sizeof(float), "for the coordinates of a test");
    /* On a card the bins begin with these zeros; for a suite other contents are drawn. Slopes may come behind them. */
    input.bins = room_for(input.num_bins + length, sizeof(float), "for bins");
    if (drawn->kind >= PAIRS_PICTURE)
        draw_picture(&input, x_bins, y_bins);
    if (drawn->kind == PAIRS_SHUFFLED)
        shuffle(&input, &seed);
    for (size_t i = 0; drawn->kind < PAIRS_PICTURE && i < 2 * length; i++)
        input_set_float(&input, i,
                        (float)coordinate_pairs(drawn->kind, &seed, i < length ? x_bins : y_bins));
    return input;
}
