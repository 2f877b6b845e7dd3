/* oracle.c - what the result should be: computed one value after the other. */
#include "oracle.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "exact_sum.h"
#include "grouped.h"

enum { EXACT_BITS = 24 };

/* What is known of the floats so far. */
struct so_far {
    struct exact_sum sum;
    double magnitude;
    int lowest; /* all are multiples of 2^lowest */
};

static float float_at(const unsigned char *bytes)
{
    float number;
    memcpy(&number, bytes, sizeof number);
    return number;
}

double oracle_number(enum operation operation, const unsigned char *held)
{
    uint32_t number;
    memcpy(&number, held, sizeof number);
    if (operation == FLOAT_SUM)
        return (double)float_at(held);
    if (operation == DOT) /* two floats' product is a double, exactly */
        return (double)float_at(held) * (double)float_at(held + sizeof(float));
    return (double)number;
}

/* The exponent of the lowest bit that is set. */
static int lowest_bit(double number)
{
    uint64_t pattern;
    memcpy(&pattern, &number, sizeof pattern);
    const int exponent = (int)(pattern >> 52 & 0x7ff);
    uint64_t digits = pattern & (((uint64_t)1 << 52) - 1);
    if (exponent > 0)
        digits |= (uint64_t)1 << 52;
    return (exponent > 0 ? exponent : 1) - 1075 + __builtin_ctzll(digits);
}

static void add_float(struct oracle *oracle, struct so_far *so_far, double number)
{
    oracle->is_nan |= isnan(number);
    oracle->above |= isinf(number) && number > 0;
    oracle->below |= isinf(number) && number < 0;
    if (!isfinite(number) || number == 0)
        return;
    const int lowest = lowest_bit(number);
    if (so_far->magnitude == 0 || lowest < so_far->lowest)
        so_far->lowest = lowest;
    so_far->magnitude += fabs(number);
    exact_sum_add(&so_far->sum, number);
}

static void add_integer(struct oracle *oracle, const unsigned char *value)
{
    uint32_t number;
    memcpy(&number, value, sizeof number);
    if (oracle->operation == SUM)
        oracle->number += number;
    else if (number > oracle->number)
        oracle->number = number;
}

static bool has_floats(enum operation operation)
{
    return operation == FLOAT_SUM || operation == DOT;
}

struct oracle oracle_of_those(const struct input *input, oracle_keeps *keeps, const void *context)
{
    struct oracle oracle = {.operation = operation_now()};
    struct so_far so_far = {.magnitude = 0};
    const size_t bytes = operation_bin_bytes(oracle.operation);
    for (size_t i = 0; i < input->length; i++) {
        const unsigned char *value = input->values + i * bytes;
        if (!keeps(i, context))
            continue;
        oracle.length++;
        if (has_floats(oracle.operation))
            add_float(&oracle, &so_far, oracle_number(oracle.operation, value));
        else
            add_integer(&oracle, value);
    }
    oracle.sum = exact_sum_value(&so_far.sum);
    oracle.magnitude = so_far.magnitude;
    oracle.exact =
        so_far.magnitude == 0 ||
        (so_far.lowest >= -126 && so_far.magnitude <= ldexp(1, so_far.lowest + EXACT_BITS));
    return oracle;
}

struct part {
    size_t from, to;
};

static bool is_in_part(size_t i, const void *context)
{
    const struct part *part = context;
    return i >= part->from && i < part->to;
}

struct oracle oracle_of_part(const struct input *input, size_t from, size_t to)
{
    return oracle_of_those(input, is_in_part, &(struct part){from, to});
}

struct oracle oracle_of(const struct input *input)
{
    return oracle_of_part(input, 0, input->length);
}

double oracle_bound(const struct oracle *oracle, double depth)
{
    const double u = ldexp(1, -24), least = ldexp(1, -126);
    const double most = (double)oracle->length - 1;
    const double roundings = (depth < most ? depth : most) + (oracle->operation == DOT);
    if (!has_floats(oracle->operation) || oracle->exact || oracle->length == 0)
        return 0;
    if (roundings * u >= 0.5)
        return INFINITY;
    return roundings * u / (1 - roundings * u) * oracle->magnitude +
           3 * (double)oracle->length * least;
}

bool oracle_agrees(const struct oracle *oracle, const unsigned char *held, double bound)
{
    uint32_t number;
    memcpy(&number, held, sizeof number);
    if (!has_floats(oracle->operation))
        return number == oracle->number;
    const double now = oracle_number(oracle->operation, held);
    if (oracle->is_nan || (oracle->above && oracle->below))
        return isnan(now);
    if (oracle->magnitude + bound > (double)FLT_MAX)
        return true;
    if (oracle->above || oracle->below)
        return isinf(now) && (now > 0) == oracle->above;
    return fabs(now - oracle->sum) <= bound;
}

void oracle_say_expected(const struct oracle *oracle, char *text, size_t size)
{
    if (!has_floats(oracle->operation))
        snprintf(text, size, "%s", grouped(oracle->number));
    else if (oracle->is_nan || (oracle->above && oracle->below))
        snprintf(text, size, "NaN");
    else if (oracle->above || oracle->below)
        snprintf(text, size, "%s", oracle->above ? "inf" : "-inf");
    else
        snprintf(text, size, "%.9g", oracle->sum);
}

void oracle_say_held(const struct oracle *oracle, const unsigned char *held, char *text,
                     size_t size)
{
    uint32_t number;
    memcpy(&number, held, sizeof number);
    if (oracle->operation == DOT)
        snprintf(text, size, "(%.9g, %.9g)", (double)float_at(held),
                 (double)float_at(held + sizeof(float)));
    else if (oracle->operation == FLOAT_SUM)
        snprintf(text, size, "%.9g", (double)float_at(held));
    else
        snprintf(text, size, "%s", grouped(number));
}
