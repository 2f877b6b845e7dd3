/* values.c - draws values, the same on every machine. */
#include "values.h"

#include <stdio.h>
#include <string.h>

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

static bool is_integer(void)
{
    return operation_chosen() == SUM || operation_chosen() == MAX;
}

void value_set(struct input *input, size_t i, uint32_t x, uint32_t y)
{
    const size_t bytes = operation_bin_bytes(operation_chosen());
    memcpy(input->values + i * bytes, (const uint32_t[]){x, y}, bytes);
}

void value_set_number(struct input *input, size_t i, double x, double y)
{
    if (is_integer())
        value_set(input, i, (uint32_t)(int64_t)x, 0);
    else
        value_set(input, i, bits_of_float((float)x), bits_of_float((float)y));
}

/* One value: an integer, or floats. y is drawn first. */
struct value {
    double x, y;
    uint32_t number;
};

/* How values are drawn. */
struct draw {
    enum values kind;
    uint64_t state;
    size_t length, place; /* the place of the value that is alone */
    uint32_t
        range; /* values up to this are so small that the sum of so many needs no more than 24 bits */
    struct value last;
};

static double whole(struct draw *draw, uint32_t range)
{
    return (double)random_below(&draw->state, 2 * range + 1) - (double)range;
}

/* A factor that shows when it is left out. */
static double factor(struct draw *draw)
{
    const double factors[] = {1, 2, -1, -2};
    return operation_chosen() == DOT ? factors[random_below(&draw->state, 4)] : 1;
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

static struct value one(size_t unused, struct draw *draw)
{
    (void)unused, (void)draw;
    return (struct value){1, 1, 1};
}

static struct value any(size_t unused, struct draw *draw)
{
    (void)unused;
    if (is_integer())
        return (struct value){.number = (uint32_t)(next_random(&draw->state) >> 32)};
    const double y = any_float(draw);
    return (struct value){any_float(draw), y, 0};
}

static struct value small(size_t i, struct draw *draw)
{
    const uint32_t range = operation_chosen() == DOT ? (draw->range + 1) / 2 : draw->range;
    if (operation_chosen() == MAX)
        return any(i, draw);
    if (operation_chosen() == SUM)
        return (struct value){.number = random_below(&draw->state, 201)};
    const double y = factor(draw);
    return (struct value){whole(draw, range), y, 0};
}

static struct value alternating(size_t i, struct draw *draw)
{
    struct value *last = &draw->last;
    if (i % 2 == 0) {
        last->number = (uint32_t)(next_random(&draw->state) >> 32);
        last->x = 1 + (double)random_below(&draw->state, draw->range);
        last->y = factor(draw) / (operation_chosen() == DOT ? 2 : 1);
    } else {
        last->number = 0 - last->number;
        last->x = -last->x;
    }
    return *last;
}

/* These floats are less than half of what 2^20 can tell apart, and are lost when they are added to it one after the
 * other. */
static struct value largest(size_t i, struct draw *draw)
{
    enum { LARGE = 1 << 20, TINY = 64 };
    const double number =
        i == draw->place ? LARGE : (1 + random_below(&draw->state, 3)) / (double)TINY;
    if (is_integer())
        return (struct value){.number = UINT32_MAX - random_below(&draw->state, 4)};
    return operation_chosen() == DOT ? (struct value){number * 2, 0.5, 0}
                                     : (struct value){number, 1, 0};
}

static struct value rising(size_t i, struct draw *draw)
{
    (void)draw;
    return (struct value){(double)(i % A_PRIME), 1, (uint32_t)(i % A_PRIME)};
}

static struct value spike(size_t i, struct draw *draw)
{
    if (i != draw->place)
        return (struct value){0, 1, 0}; /* neutral */
    const double y = factor(draw);
    const uint32_t number = 1 + random_below(&draw->state, 1000);
    return (struct value){number, y, number};
}

static void set_value(struct input *input, size_t i, struct draw *draw)
{
    static struct value (*const drawn[VALUES_KINDS])(size_t i, struct draw * draw) = {
        [VALUES_ONES] = one,        [VALUES_SMALL] = small,
        [VALUES_ANY] = any,         [VALUES_ALTERNATING] = alternating,
        [VALUES_LARGEST] = largest, [VALUES_RISING] = rising,
        [VALUES_SPIKE] = spike};
    const struct value value = drawn[draw->kind](i, draw);
    if (is_integer())
        value_set(input, i, value.number, 0);
    else
        value_set_number(input, i, value.x, value.y);
}

struct input input_of_values(enum values kind, uint64_t seed, size_t length)
{
    const size_t range = ((size_t)1 << EXACT_BITS) / (length > 0 ? length : 1);
    struct input input = input_for(&reduce_contract);
    input.length = length;
    input.num_bins = 1;
    struct draw draw = {.kind = kind, .state = seed, .length = length};
    draw.range = range > 100 ? 100 : range < 1 ? 1 : (uint32_t)range;
    if (length > 0)
        draw.place = next_random(&draw.state) % (kind == VALUES_LARGEST ? length / 16 + 1 : length);
    snprintf(input.name, sizeof input.name, "%s, %s %svalue%s%s",
             operation_name(operation_chosen()), grouped(length), words[kind].before,
             length == 1 ? "" : "s", words[kind].after);
    input.values =
        room_for(length, operation_bin_bytes(operation_chosen()), "for the input of a test");
    for (size_t i = 0; i < length; i++)
        set_value(&input, i, &draw);
    return input;
}
