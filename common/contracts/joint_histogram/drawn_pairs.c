/* drawn_pairs.c - draws pairs of coordinates, the same on every machine: see drawn_pairs.h. */
#include "drawn_pairs.h"

#include <math.h>
#include <stdio.h>

#include "drawn_input.h"
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

static double coordinate(enum pairs kind, uint64_t *state, size_t bins)
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

/* The pixels of a square picture, row by row, as far as there are so many. */
static void draw_picture(struct input *input, struct sides sides)
{
    const double most = 0.999;
    size_t side = 1;
    while (side * side < input->length)
        side++;
    for (size_t i = 0; i < input->length; i++) {
        const double u = (double)(i % side) / (double)side, v = (double)(i / side) / (double)side;
        const double moved = 1 - brightness(u + 0.03, v - 0.05);
        input_set_float(input, i, (float)(brightness(u, v) * most * room(sides.x)));
        input_set_float(input, input->length + i, (float)(moved * moved * most * room(sides.y)));
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

struct input input_of(enum pairs kind, uint64_t seed, size_t length, struct sides sides)
{
    struct input input = {
        .length = length, .num_bins = sides.x * sides.y, .more = {sides.x, sides.y}};
    snprintf(input.name, sizeof input.name, "%s %s, %zu x %zu bins", grouped(length), words[kind],
             sides.x, sides.y);
    input.elements = room_for(2 * length, sizeof(float), "for the coordinates of a test");
    /* On a card the bins begin with that; for a suite they are drawn. Slopes may come behind them. */
    input.bins = room_for(input.num_bins + length, sizeof(float), "for bins");
    if (kind >= PAIRS_PICTURE)
        draw_picture(&input, sides);
    if (kind == PAIRS_SHUFFLED)
        shuffle(&input, &seed);
    for (size_t i = 0; kind < PAIRS_PICTURE && i < 2 * length; i++)
        input_set_float(&input, i, (float)coordinate(kind, &seed, i < length ? sides.x : sides.y));
    return input;
}

void input_ask_for_slopes(struct input *input)
{
    input->more[WITH_SLOPES] = 1;
    input->num_bins += input->length;
    input_say_more(input, ", and slopes");
}

/* In so many bins, by the sides. */
static struct input draw(const struct drawn_case *drawn, uint64_t seed)
{
    return input_of((enum pairs)drawn->kind, seed, drawn->units,
                    (struct sides){drawn->numbers[0], drawn->numbers[1]});
}

/* As many as in "Compiling Generalized Histograms for GPU" (SC20), the pixels of two pictures and the same pixels
 * shuffled. */
static const struct timed_shape timed[] = {
    {"pictures53", {1}, 1, {PAIRS_PICTURE, 2000000, {53, 53}}},
    {"shuffled53", {1}, 1, {PAIRS_SHUFFLED, 2000000, {53, 53}}},
    {"pictures203", {1}, 1, {PAIRS_PICTURE, 8000000, {203, 203}}},
    {"shuffled203", {1}, 1, {PAIRS_SHUFFLED, 8000000, {203, 203}}},
    {.name = NULL}};

static void tell(const struct input *input, char *text, size_t size)
{
    snprintf(text, size, " (in %u x %u bins)", (unsigned int)input->more[X_BINS],
             (unsigned int)input->more[Y_BINS]);
}

const struct drawn_input drawn_input = {.kind = "pairs",
                                        .units = "pairs",
                                        .does = "counts pairs",
                                        .instead =
                                            "they are drawn, with TEXT_SEED=1, and SIZE=8K of them",
                                        .usual = 1 << 13,
                                        .most_simulated = 1 << 24,
                                        .draw = draw,
                                        .few = {PAIRS_UNIFORM, 0, {6, 5}},
                                        .many = {PAIRS_PICTURE, 0, {53, 53}},
                                        .traced = {PAIRS_UNIFORM, 0, {6, ASKED}},
                                        .timed = timed,
                                        .called = "pairs",
                                        .tell = tell};
