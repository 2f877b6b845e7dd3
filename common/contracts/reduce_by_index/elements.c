/* elements.c - draws keys and values, the same on every machine. */
#include "elements.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grouped.h"
#include "must_have.h"
#include "operations.h"
#include "random_numbers.h"
#include "wafer.h"

enum { KEY_BITS = 22, VALUE_BITS = 16, INDEX_BITS = 26, ONE_BEYOND_IN = 64 };

static const struct {
    const char *before, *after; /* the word "keys" */
} words[KEYS_KINDS] = {
    [KEYS_UNIFORM] = {"uniform ", ""},    [KEYS_SINGLE] = {"equal ", ""},
    [KEYS_STRIDE_63] = {"", " times 63"}, [KEYS_ZIPF] = {"zipf ", ""},
    [KEYS_NINETY] = {"", ", 90% equal"},  [KEYS_SORTED] = {"sorted ", ""},
    [KEYS_WAFER] = {"wafer ", ""},
};

/* How keys are drawn. */
struct draw {
    enum keys kind;
    uint64_t state;
    size_t num_bins;
    uint32_t range; /* bins that a key can reach */
    uint32_t largest;
    bool goes_beyond;
    uint64_t *ends; /* of zipf's ranks */
};

/* Where the shares of ranks end. The key of rank r has a share of 1 / (r + 1). */
static uint64_t *zipf_ends(uint32_t ranks)
{
    uint64_t *ends = must_have(malloc(ranks * sizeof *ends), "for the input of a test"), end = 0;
    for (uint32_t rank = 0; rank < ranks; rank++)
        ends[rank] = end += ((uint64_t)1 << 32) / (rank + 1);
    return ends;
}

static uint32_t zipf_key(struct draw *draw)
{
    const uint64_t spread = 2654435761u; /* a prime above all ranges: every key once */
    const uint64_t drawn =
        (next_random(&draw->state) >> 24) * (draw->ends[draw->range - 1] >> 20) >> 20;
    uint32_t low = 0, high = draw->range - 1;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (drawn < draw->ends[middle])
            high = middle;
        else
            low = middle + 1;
    }
    return (uint32_t)((uint64_t)low * spread % draw->range);
}

static uint32_t drawn_on_wafer(struct draw *draw)
{
    uint32_t drawn[WAFER_WORDS];
    for (int i = 0; i < WAFER_WORDS; i += 2) {
        const uint64_t two = next_random(&draw->state);
        drawn[i] = (uint32_t)two;
        drawn[i + 1] = (uint32_t)(two >> 32);
    }
    return wafer_key(drawn, draw->range);
}

/* Draws a key that has no bin: one of the first behind the last bin, the largest, or any other. */
static uint32_t key_beyond(struct draw *draw)
{
    const uint64_t beyond[] = {draw->num_bins, draw->num_bins + 1, draw->largest,
                               next_random(&draw->state) >> 32};
    const uint64_t key = beyond[random_below(&draw->state, 4)];
    return key >= draw->num_bins && key <= draw->largest ? (uint32_t)key : draw->largest;
}

static uint32_t draw_key(struct draw *draw)
{
    const uint32_t range = draw->range, middle = range / 2;
    if (range == 0 || (draw->goes_beyond && random_below(&draw->state, ONE_BEYOND_IN) == 0))
        return key_beyond(draw);
    switch (draw->kind) {
    case KEYS_SINGLE:
        return middle;
    case KEYS_STRIDE_63:
        return 63 * random_below(&draw->state, (range - 1) / 63 + 1);
    case KEYS_ZIPF:
        return zipf_key(draw);
    case KEYS_WAFER:
        return drawn_on_wafer(draw);
    case KEYS_NINETY:
        return random_below(&draw->state, 10) > 0 ? middle : random_below(&draw->state, range);
    default:
        return random_below(&draw->state, range);
    }
}

static int compare_keys(const void *one, const void *other)
{
    const uint32_t a = *(const uint32_t *)one, b = *(const uint32_t *)other;
    return (a > b) - (a < b);
}

static uint32_t *keys_of_kind(enum keys kind, uint64_t seed, const struct input *input, bool within)
{
    const uint32_t largest = operation_largest_key(operation_chosen());
    struct draw draw = {
        .kind = kind, .state = seed, .num_bins = input->num_bins, .largest = largest};
    if (input->batch > 0)
        draw.num_bins /= input->batch;
    draw.range = draw.num_bins <= largest ? (uint32_t)draw.num_bins : largest;
    draw.goes_beyond = !within && kind != KEYS_SINGLE && draw.num_bins <= largest;
    if (kind == KEYS_ZIPF && draw.range > 0)
        draw.ends = zipf_ends(draw.range);
    uint32_t *keys =
        must_have(malloc((input->length + 1) * sizeof *keys), "for the input of a test");
    for (size_t i = 0; i < input->length; i++)
        keys[i] = draw_key(&draw);
    if (kind == KEYS_SORTED)
        qsort(keys, input->length, sizeof *keys, compare_keys);
    free(draw.ends);
    return keys;
}

/* Floats are multiples of 1/64 below 4, for vector_sum of 1/8 up to 2: sums of 100,000 of them need no more than the
 * 24 bits that a float has, so that each order gives the same and not one may be missing. There are few different
 * values, for ties. */
static uint32_t draw_value(uint64_t *state)
{
    switch (operation_chosen()) {
    case FLOAT_SUM:
    case MINMAX:
        return bits_of_float(((float)random_below(state, 512) - 256) / 64);
    case VECTOR_SUM:
        return bits_of_float(((float)random_below(state, 33) - 16) / 8);
    case ARGMAX:
        return 1000 * random_below(state, 64);
    default:
        return (uint32_t)(next_random(state) >> 32);
    }
}

/* The index for argmax: the position, as people use it, or the positions in a wild order. */
static uint32_t index_for(size_t i, uint64_t seed)
{
    enum { SCRAMBLE = 40503 }; /* odd: every index once */
    return (uint32_t)(seed % 2 ? i : i * SCRAMBLE) & ((1u << INDEX_BITS) - 1);
}

static void fill_bin(unsigned char *bin, uint64_t *state)
{
    const enum operation operation = operation_chosen();
    uint32_t words_of[8];
    operation_neutral(operation, bin);
    if (operation == COUNT || operation == SATURATE || operation == WIDE_SUM) {
        words_of[0] = random_below(state, 1000);
        memcpy(bin, words_of, sizeof *words_of);
    } else if (operation == ARGMAX && random_below(state, 2)) {
        words_of[0] = draw_value(state);
        words_of[1] = random_below(state, 1u << INDEX_BITS);
        memcpy(bin, words_of, 8);
    } else if (operation == MINMAX && random_below(state, 2)) {
        const double smallest = (double)random_below(state, 256) / 64 - 2;
        memcpy(bin, (const double[]){smallest, smallest + random_below(state, 3)}, 16);
    } else if (operation == FLOAT_SUM || operation == VECTOR_SUM) {
        for (size_t i = 0; i < operation_bin_bytes(operation) / 4; i++)
            words_of[i] = bits_of_float((float)random_below(state, 64) / 8);
        memcpy(bin, words_of, operation_bin_bytes(operation));
    }
}

static void name_input_elements(struct input *input, enum keys kind)
{
    const size_t batch = input->batch > 0 ? input->batch : 1, length = input->length / batch;
    const size_t num_bins = input->num_bins / batch;
    char times[40] = "";
    if (input->batch > 0)
        snprintf(times, sizeof times, "%s x ", grouped(batch));
    snprintf(input->name, sizeof input->name, "%s, %s%s %skey%s%s, %s%s bin%s",
             operation_name(input->operation), times, grouped(length), words[kind].before,
             length == 1 ? "" : "s", words[kind].after, times, grouped(num_bins),
             num_bins == 1 ? "" : "s");
}

static struct input empty_input(size_t batch, size_t length, size_t num_bins)
{
    struct input input = input_for(&reduce_by_index_contract);
    input.batch = batch;
    input.length = length;
    input.num_bins = num_bins;
    return input;
}

/* Draws keys and values for an input whose numbers are known. */
static struct input fill(struct input input, enum keys kind, uint64_t seed, bool within)
{
    const size_t element = operation_element_bytes(input.operation);
    const size_t bin = operation_bin_bytes(input.operation);
    const size_t length = input.batch > 0 ? input.length / input.batch : input.length;
    uint64_t state = ~seed;
    name_input_elements(&input, kind);
    input.elements = room_for(input.length, element, "for the input of a test");
    input.bins = room_for(input.num_bins, bin, "for the input of a test");
    uint32_t *keys = keys_of_kind(kind, seed, &input, within);
    for (size_t i = 0; i < input.length; i++)
        element_set(&input, i, keys[i], draw_value(&state), index_for(i % length, seed));
    for (size_t i = 0; i < input.num_bins; i++)
        fill_bin(input.bins + i * bin, &state);
    free(keys);
    return input;
}

struct input input_of_keys(enum keys kind, uint64_t seed, size_t length, size_t num_bins)
{
    return fill(empty_input(0, length, num_bins), kind, seed, false);
}

struct input input_within(enum keys kind, uint64_t seed, size_t length, size_t num_bins)
{
    return fill(empty_input(0, length, num_bins), kind, seed, true);
}

struct input input_batched(enum keys kind, uint64_t seed, size_t batch, size_t length,
                           size_t num_bins)
{
    return fill(empty_input(batch, batch * length, batch * num_bins), kind, seed, false);
}

uint64_t input_bin(const struct input *input, size_t i)
{
    const uint32_t key = input_key(input, i);
    if (input->batch == 0)
        return key;
    const size_t row = i / (input->length / input->batch), bins = input->num_bins / input->batch;
    return key < bins ? row * bins + key : input->num_bins;
}

void element_set(struct input *input, size_t i, uint32_t key, uint32_t value, uint32_t index)
{
    const enum operation operation = input->operation;
    unsigned char *element = input->elements + i * operation_element_bytes(operation);
    const uint64_t packed = (uint64_t)(key & ((1u << KEY_BITS) - 1)) |
                            (uint64_t)(value & ((1u << VALUE_BITS) - 1)) << KEY_BITS |
                            (uint64_t)index << (KEY_BITS + VALUE_BITS);
    if (operation == ARGMAX)
        memcpy(element, &packed, sizeof packed);
    else
        memcpy(element, (const uint32_t[]){key, value}, operation_element_bytes(operation));
}

uint32_t input_key(const struct input *input, size_t i)
{
    const enum operation operation = input->operation;
    return operation_key(operation, input->elements + i * operation_element_bytes(operation));
}

size_t bins_asked(size_t otherwise)
{
    const char *typed = getenv("KEY_BINS");
    char *end = NULL;
    const unsigned long long bins = typed && *typed ? strtoull(typed, &end, 10) : 0;
    return end && *end == '\0' && bins > 0 && bins <= INT32_MAX ? (size_t)bins : otherwise;
}
