/* oracle.c - what the bins should hold: counted one element after the other. */
#include "oracle.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "grouped.h"

enum { FEW_BITS = 7 };

/* Adds the powers of a value, as far as a double holds them: exactly where the value has few bits. A float in between
 * may overflow, or be too small to be kept, where the double does neither. */
static void add_powers(struct oracle *oracle, struct float_sum *sums, float value, double times)
{
    const int bits = float_bits((double)value);
    double power = times;
    for (size_t part = 0; part < oracle->parts; part++) {
        float_sum_add(&sums[part], power);
        sums[part].inexact |= bits > FEW_BITS;
        power *= (double)value;
    }
}

static void add_floats(struct oracle *oracle, size_t bin, float value, double times)
{
    struct float_sum *sums = oracle->sums + bin * oracle->parts;
    const unsigned char *held = oracle->bins + bin * operation_bin_bytes(oracle->operation);
    if (oracle->came[bin] == 0)
        for (size_t part = 0; part < oracle->parts; part++)
            float_sum_add(&sums[part], float_at(held, part));
    if (oracle->parts == 1)
        float_sum_add(sums, times * (double)value);
    else
        add_powers(oracle, sums, value, times);
}

static void combine_argmax(unsigned char *bin, uint32_t value, uint32_t index)
{
    uint32_t best[2];
    memcpy(best, bin, sizeof best);
    if (value < best[0] || (value == best[0] && index >= best[1]))
        return;
    memcpy(bin, (const uint32_t[]){value, index}, sizeof best);
}

static void combine_minmax(unsigned char *bin, float value)
{
    double ends[2];
    memcpy(ends, bin, sizeof ends);
    const double number = value == 0 ? 0 : (double)value;
    if (isnan(number))
        return;
    ends[0] = number < ends[0] ? number : ends[0];
    ends[1] = number > ends[1] ? number : ends[1];
    memcpy(bin, ends, sizeof ends);
}

static void add_integer_elements(unsigned char *bin, enum operation operation, uint64_t number)
{
    const uint64_t wide = operation == WIDE_SUM ? wide_word_at(bin, 0) + number : 0;
    const uint64_t sum = word_at(bin, 0) + number;
    const bool is_cut = operation == SATURATE && sum > SATURATED;
    const uint32_t narrow = is_cut ? SATURATED : (uint32_t)sum;
    if (operation == WIDE_SUM)
        memcpy(bin, &wide, sizeof wide);
    else
        memcpy(bin, &narrow, sizeof narrow);
}

static void combine_element(struct oracle *oracle, size_t bin, const unsigned char *element,
                            bool is_one, uint64_t times)
{
    const enum operation operation = oracle->operation;
    const uint32_t value = operation_value(operation, element);
    unsigned char *held = oracle->bins + bin * operation_bin_bytes(operation);
    const float number = float_of_bits(value);
    if (oracle->parts > 0)
        add_floats(oracle, bin, is_one ? 1 : number, (double)times);
    else if (operation == ARGMAX)
        combine_argmax(held, value, operation_index(operation, element));
    else if (operation == MINMAX)
        combine_minmax(held, number);
    else
        add_integer_elements(held, operation, is_one ? times : value * times);
    oracle->came[bin] += times;
}

/* The bin to which an element comes by a rule. What a mistake does to the rows of a batch is not asked. */
static uint64_t bin_by(enum rule rule, const struct input *input, size_t i)
{
    const uint64_t bin = input_bin(input, i), bins = input->num_bins;
    switch (rule) {
    case BEYOND_IN_LAST:
        return bin < bins ? bin : bins - 1;
    case BEYOND_IN_REST:
        return input_key(input, i) % bins;
    case SHORT_KEYS:
        return input_key(input, i) & 0xffff;
    case NEXT_BIN:
        return input_key(input, i) < bins ? (input_key(input, i) + 1) % bins : bins;
    default:
        return bin;
    }
}

struct oracle *elements_if(const struct input *input, const struct hypothesis *hypothesis)
{
    const enum operation operation = input->operation;
    const size_t element = operation_element_bytes(operation), bin = operation_bin_bytes(operation);
    const size_t parts = operation == FLOAT_SUM    ? 1
                         : operation == VECTOR_SUM ? FLOATS_OF_VECTOR
                                                   : 0;
    const enum rule rule = (enum rule)hypothesis->rule;
    struct oracle *oracle = oracle_room(NULL, 1, sizeof *oracle);
    *oracle =
        (struct oracle){.operation = operation,
                        .num_bins = input->num_bins,
                        .parts = parts,
                        .bins = oracle_room(oracle, input->num_bins, bin),
                        .came = oracle_room(oracle, input->num_bins, sizeof *oracle->came),
                        .sums = oracle_room(oracle, input->num_bins * parts, sizeof *oracle->sums),
                        .most_error = input->most_error};
    memcpy(oracle->bins, input->bins, input->num_bins * bin);
    for (size_t i = 0; i < input->length; i++) {
        const uint64_t its = bin_by(rule, input, i);
        if (its < input->num_bins && is_read(hypothesis, i))
            combine_element(oracle, its, input->elements + i * element, rule == ONE_EACH,
                            hypothesis->times > 0 ? hypothesis->times : 1);
    }
    return oracle;
}

struct oracle *elements_oracle(const struct input *input)
{
    return elements_if(input, &(struct hypothesis){.rule = RIGHT});
}

double elements_bound(const struct oracle *oracle, size_t bin, size_t part)
{
    const struct float_sum *const sum = &oracle->sums[bin * oracle->parts + part];
    const double roundings = (double)oracle->came[bin] + (part > 1 ? (double)(part - 1) : 0);
    const double bound = float_sum_bound(sum, roundings, roundings);
    const double asked = oracle->most_error * sum->magnitude;
    return oracle->most_error > 0 && asked < bound ? asked : bound;
}

/* Whether one float of a bin may be what is held. */
static bool oracle_agrees_in(const struct oracle *oracle, size_t bin, size_t part,
                             const unsigned char *held)
{
    const size_t bytes = operation_bin_bytes(oracle->operation);
    const double before = float_at(oracle->bins + bin * bytes, part);
    const double current = float_at(held, part);
    if (oracle->came[bin] == 0)
        return current == before || (isnan(current) && isnan(before));
    const struct float_sum *sum = &oracle->sums[bin * oracle->parts + part];
    return float_sum_agrees(sum, current, elements_bound(oracle, bin, part));
}

/* The first part of a bin that is wrong, or the number of parts. */
static size_t wrong_part(const struct oracle *oracle, size_t bin, const unsigned char *held)
{
    size_t part = 0;
    while (part < oracle->parts && oracle_agrees_in(oracle, bin, part, held))
        part++;
    return part;
}

bool elements_may_hold(const struct oracle *oracle, size_t bin, const unsigned char *held)
{
    const size_t bytes = operation_bin_bytes(oracle->operation);
    if (memcmp(oracle->bins + bin * bytes, held, bytes) == 0 && oracle->came[bin] == 0)
        return true;
    if (oracle->parts == 0)
        return memcmp(oracle->bins + bin * bytes, held, bytes) == 0;
    return wrong_part(oracle, bin, held) == oracle->parts;
}

static void say_integers(enum operation operation, const unsigned char *held, char *text,
                         size_t size)
{
    uint32_t words[2] = {0};
    uint64_t wide;
    double ends[2];
    memcpy(words, held, operation_bin_bytes(operation) > 4 ? 8 : 4);
    memcpy(&wide, held, operation_bin_bytes(operation) > 4 ? 8 : 0);
    if (operation == WIDE_SUM)
        snprintf(text, size, "%s", grouped(wide));
    else if (operation == ARGMAX && words[0] == 0 && words[1] == UINT32_MAX)
        snprintf(text, size, "nothing");
    else if (operation == ARGMAX)
        snprintf(text, size, "value %s of index %s", grouped(words[0]), grouped(words[1]));
    else if (operation == MINMAX) {
        memcpy(ends, held, sizeof ends);
        snprintf(text, size, ends[0] > ends[1] ? "nothing (%g to %g)" : "%.9g to %.9g", ends[0],
                 ends[1]);
    } else
        snprintf(text, size, "%s", grouped(words[0]));
}

/* Says what a float of a bin should be, and how far off it may be. */
static void say_float(const struct oracle *oracle, size_t bin, size_t part, char *text, size_t size)
{
    const struct float_sum *sum = oracle->sums + bin * oracle->parts + part;
    const double bound = elements_bound(oracle, bin, part);
    if (oracle->came[bin] == 0)
        snprintf(text, size, "%.9g",
                 float_at(oracle->bins + bin * operation_bin_bytes(oracle->operation), part));
    else if (float_sum_say_special(sum, text, size))
        return;
    else if (bound == 0)
        snprintf(text, size, "%.9g", sum->sum);
    else
        snprintf(text, size, "%.9g, give or take %.3g", sum->sum, bound);
}

/* For vector_sum it says the first of the parts that is wrong: "sum[3] = 1.5". */
void elements_say(const struct oracle *oracle, size_t bin, const unsigned char *held, char *should,
                  char *holds, size_t size)
{
    char begin[32] = "";
    if (oracle->parts == 0) {
        say_integers(oracle->operation, oracle->bins + bin * operation_bin_bytes(oracle->operation),
                     should, size);
        say_integers(oracle->operation, held, holds, size);
        return;
    }
    const size_t part = wrong_part(oracle, bin, held) % oracle->parts; /* the first where none is */
    if (oracle->parts > 1)
        snprintf(begin, sizeof begin, "sum[%zu] = ", part);
    const size_t used = strlen(begin);
    snprintf(should, size, "%s", begin);
    say_float(oracle, bin, part, should + used, size - used);
    snprintf(holds, size, "%s%.9g", begin, float_at(held, part));
}
