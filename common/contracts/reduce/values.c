/* values.c - draws values, the same on every machine. */
#include "values.h"

#include <stdio.h>
#include <string.h>

#include "drawn_input.h"
#include "grouped.h"
#include "must_have.h"
#include "operations.h"
#include "random_numbers.h"

enum { EXACT_BITS = 24, A_PRIME = 1021 };

static const struct {
    const char *before, *after; /* the word "values" */
} words[VALUES_KINDS] = {
    [VALUES_ONES] = {"", " of 1"},
    [VALUES_SMALL] = {"small ", ""},
    [VALUES_ANY] = {"", " of all sizes"},
    [VALUES_ALTERNATING] = {"", " that cancel"},
    [VALUES_LARGEST] = {"", ", large and tiny"},
    [VALUES_RISING] = {"rising ", ""},
    [VALUES_SPIKE] = {"", ", all but one neutral"},
};

void input_set(struct input *input, size_t i, uint32_t x, uint32_t y)
{
    const size_t bytes = operation_bin_bytes(operation_now());
    memcpy(input->values + i * bytes, (const uint32_t[]){x, y}, bytes);
}

void input_set_number(struct input *input, size_t i, double x, double y)
{
    const enum operation operation = operation_now();
    if (operation == SUM || operation == MAX)
        input_set(input, i, (uint32_t)(int64_t)x, 0);
    else
        input_set(input, i, bits_of_float((float)x), bits_of_float((float)y));
}

/* How values are drawn. */
struct draw {
    enum values kind;
    uint64_t state;
    size_t length, place; /* of what is alone */
    uint32_t range;       /* so large that the sum of so many needs no more than 24 bits */
    double last_x, last_y;
    uint32_t last;
};

static double whole(struct draw *draw, uint32_t range)
{
    return (double)random_below(&draw->state, 2 * range + 1) - (double)range;
}

/* A factor that shows when it is left out. */
static double factor(struct draw *draw)
{
    const double factors[] = {1, 2, -1, -2};
    return operation_now() == DOT ? factors[random_below(&draw->state, 4)] : 1;
}

/* A float of any size from 2^-9 to 2^8, with all its digits. */
static double any_float(struct draw *draw)
{
    const uint32_t digits = random_below(&draw->state, 1u << 23);
    const int exponent = (int)random_below(&draw->state, 18) - 9;
    double number = 1 + (double)digits / (1 << 23);
    for (int i = 0; i < exponent; i++)
        number *= 2;
    for (int i = 0; i > exponent; i--)
        number /= 2;
    return random_below(&draw->state, 2) ? -number : number;
}

static void set_small(struct input *input, size_t i, struct draw *draw)
{
    const uint32_t range = operation_now() == DOT ? (draw->range + 1) / 2 : draw->range;
    if (operation_now() == MAX)
        input_set(input, i, (uint32_t)(next_random(&draw->state) >> 32), 0);
    else if (operation_now() == SUM)
        input_set(input, i, random_below(&draw->state, 201), 0);
    else
        input_set_number(input, i, whole(draw, range), factor(draw));
}

static void set_any(struct input *input, size_t i, struct draw *draw)
{
    if (operation_now() == SUM || operation_now() == MAX)
        input_set(input, i, (uint32_t)(next_random(&draw->state) >> 32), 0);
    else
        input_set_number(input, i, any_float(draw), any_float(draw));
}

static void set_alternating(struct input *input, size_t i, struct draw *draw)
{
    if (i % 2 == 0) {
        draw->last = (uint32_t)(next_random(&draw->state) >> 32);
        draw->last_x = 1 + (double)random_below(&draw->state, draw->range);
        draw->last_y = factor(draw) / (operation_now() == DOT ? 2 : 1);
    } else {
        draw->last = 0 - draw->last;
        draw->last_x = -draw->last_x;
    }
    if (operation_now() == SUM || operation_now() == MAX)
        input_set(input, i, draw->last, 0);
    else
        input_set_number(input, i, draw->last_x, draw->last_y);
}

/* Floats that are less than half of what 2^20 can tell apart: one after the other they are lost. */
static void set_largest(struct input *input, size_t i, struct draw *draw)
{
    enum { LARGE = 1 << 20, TINY = 64 };
    const double number =
        i == draw->place ? LARGE : (1 + random_below(&draw->state, 3)) / (double)TINY;
    if (operation_now() == SUM || operation_now() == MAX)
        input_set(input, i, UINT32_MAX - random_below(&draw->state, 4), 0);
    else
        input_set_number(input, i, operation_now() == DOT ? number * 2 : number,
                         operation_now() == DOT ? 0.5 : 1);
}

static void set_spike(struct input *input, size_t i, struct draw *draw)
{
    unsigned char neutral[16];
    const size_t bytes = operation_bin_bytes(operation_now());
    operation_neutral(operation_now(), neutral);
    if (i == draw->place)
        input_set_number(input, i, 1 + random_below(&draw->state, 1000), factor(draw));
    else
        memcpy(input->values + i * bytes, neutral, bytes);
}

static void set_value(struct input *input, size_t i, struct draw *draw)
{
    switch (draw->kind) {
    case VALUES_ONES:
        input_set_number(input, i, 1, 1);
        break;
    case VALUES_SMALL:
        set_small(input, i, draw);
        break;
    case VALUES_ANY:
        set_any(input, i, draw);
        break;
    case VALUES_ALTERNATING:
        set_alternating(input, i, draw);
        break;
    case VALUES_LARGEST:
        set_largest(input, i, draw);
        break;
    case VALUES_RISING:
        input_set_number(input, i, (double)(i % A_PRIME), 1);
        break;
    default:
        set_spike(input, i, draw);
    }
}

struct input input_of(enum values kind, uint64_t seed, size_t length)
{
    const size_t range = ((size_t)1 << EXACT_BITS) / (length > 0 ? length : 1);
    struct input input = {.length = length, .num_bins = 1};
    struct draw draw = {.kind = kind, .state = seed, .length = length};
    draw.range = range > 100 ? 100 : range < 1 ? 1 : (uint32_t)range;
    if (length > 0)
        draw.place = next_random(&draw.state) % (kind == VALUES_LARGEST ? length / 16 + 1 : length);
    snprintf(input.name, sizeof input.name, "%s, %s %svalue%s%s", operation_name(operation_now()),
             grouped(length), words[kind].before, length == 1 ? "" : "s", words[kind].after);
    input.values =
        room_for(length, operation_bin_bytes(operation_now()), "for the input of a test");
    for (size_t i = 0; i < length; i++)
        set_value(&input, i, &draw);
    return input;
}

/* Of small ones every order of additions is exact up to 16 M. */
static struct input draw(const struct drawn_case *drawn, uint64_t seed)
{
    return input_of(VALUES_SMALL, seed, drawn->units);
}

const struct drawn_input drawn_input = {
    .kind = "values",
    .units = "values",
    .does = "reduces an array",
    .instead = "its values are drawn, with TEXT_SEED=1, and SIZE=1M of them",
    .usual = 1 << 20,
    .draw = draw,
    .called = "values"};
