/* to_run.c - on which elements the chapters of reduce_by_index() and of a batch are run and traced, and the file that
 * says which: see to_run.h. */
#include "to_run.h"

#include <stdio.h>
#include <string.h>

#include "elements.h"
#include "run.h"
#include "util.h"
#include "wafer.h"

/* The names as a sentence lists them. */
#define DISTRIBUTIONS "uniform, single, stride63, zipf, ninety, sorted or wafer"

/* A program has one of the two functions: kernel.c calls it. */
void reduce_by_index_batched(void);
#pragma weak reduce_by_index_batched

static const char *const names[KEYS_KINDS] = {"uniform", "single", "stride63", "zipf",
                                              "ninety",  "sorted", "wafer"};
/* The kinds as a table calls them. */
static const char *const descriptions[KEYS_KINDS] = {
    "uniform keys", "keys that are all one",     "keys that are multiples of 63",
    "zipf keys",    "keys of which 90% are one", "sorted keys",
    "wafer keys"};

static enum keys keys_named(const char *name)
{
    enum keys keys = 0;
    while (keys < KEYS_KINDS && strcmp(names[keys], name) != 0)
        keys++;
    return keys;
}

static struct drawn drawn_keys(const char *file)
{
    const struct drawn drawn = drawn_read(file);
    if (keys_named(drawn.kind) == KEYS_KINDS)
        fail(1, "%s: does not say which keys; it is written by the program input", file);
    return drawn;
}

static int write_keys(const char *file, char *const *default_files, size_t count)
{
    enum { DEFAULT_LENGTH = 1 << 16 };
    const char *keys = chosen("KEYS");
    (void)default_files, (void)count;
    refuse_texts("reduces elements by key", "choose KEYS=" DISTRIBUTIONS);
    const enum keys kind = *keys ? keys_named(keys) : KEYS_UNIFORM;
    const size_t usual = kind == KEYS_WAFER ? WAFER_KEYS : DEFAULT_LENGTH;
    struct drawn drawn = {.seed = asked_seed(), .length = asked_length("elements", usual)};
    if (kind == KEYS_KINDS)
        fail(1, "KEYS=%s is unknown: choose " DISTRIBUTIONS, keys);
    snprintf(drawn.kind, sizeof drawn.kind, "%s", names[kind]);
    return drawn_write(&drawn, file);
}

/* Numbers: bins, and histograms of a batch, of which each has so many units. */
enum { BINS_DRAWN, BATCH_DRAWN };

static const struct traced_case cases[] = {
    TRACED(KEYS_UNIFORM, 0, NUMBERS(31)),
    TRACED(KEYS_UNIFORM, 1, NUMBERS(31)),
    TRACED(KEYS_UNIFORM, 2, NUMBERS(1)),
    TRACED(KEYS_UNIFORM, 31, NUMBERS(31)),
    TRACED(KEYS_UNIFORM, 33, NUMBERS(31)),
    TRACED(KEYS_SINGLE, 33, NUMBERS(5)),
    TRACED(KEYS_NINETY, 257, NUMBERS(31)),
    TRACED(KEYS_UNIFORM, 257, NUMBERS(31), .calls = 2),
    TRACED(KEYS_UNIFORM, 999, NUMBERS(505), .misalignment = 1),
    TRACED(KEYS_UNIFORM, 999, NUMBERS(505), .misalignment = 3),
    TRACED(KEYS_ZIPF, 1021, NUMBERS(505)),
    TRACED(KEYS_SORTED, 1021, NUMBERS(31)),
    TRACED(KEYS_UNIFORM, 4099, NUMBERS(505)),
    TRACED(KEYS_STRIDE_63, 4099, NUMBERS(1021)),
    TRACED(KEYS_SINGLE, 4097, NUMBERS(31)),
    TRACED(KEYS_UNIFORM, 4097, NUMBERS(12281)),
    TRACED(KEYS_ZIPF, 16381, NUMBERS(505)),
    TRACED(KEYS_UNIFORM, 4099, NUMBERS(58113)),
    TRACED(KEYS_UNIFORM, 40009, NUMBERS(505)),
    NO_MORE_TRACED,
};
static const struct traced_case batches[] = {
    TRACED(KEYS_UNIFORM, 1, NUMBERS(1, 1)),
    TRACED(KEYS_UNIFORM, 0, NUMBERS(5, 3)),
    TRACED(KEYS_UNIFORM, 31, NUMBERS(5, 2)),
    TRACED(KEYS_UNIFORM, 33, NUMBERS(31, 5)),
    TRACED(KEYS_SINGLE, 67, NUMBERS(31, 9)),
    TRACED(KEYS_UNIFORM, 77, NUMBERS(31, 13), .misalignment = 1),
    TRACED(KEYS_NINETY, 33, NUMBERS(5, 101)),
    TRACED(KEYS_UNIFORM, 31, NUMBERS(3, 257)),
    TRACED(KEYS_UNIFORM, 251, NUMBERS(31, 37)),
    TRACED(KEYS_UNIFORM, 77, NUMBERS(31, 3), .calls = 2),
    TRACED(KEYS_ZIPF, 1021, NUMBERS(505, 7)),
    TRACED(KEYS_UNIFORM, 8191, NUMBERS(505, 1)),
    TRACED(KEYS_UNIFORM, 4099, NUMBERS(31, 3)),
    TRACED(KEYS_UNIFORM, 999, NUMBERS(12281, 2)),
    TRACED(KEYS_UNIFORM, 1999, NUMBERS(58113, 2)),
    NO_MORE_TRACED,
};

/* A case says its bins. Else the elements are those of a run, which all have a bin; its settings draw them anew. */
static struct input draw_keys(const struct drawn_case *drawn, uint64_t seed)
{
    enum { FEW_BINS = 101 };
    const enum keys keys = (enum keys)drawn->kind;
    char of_seed[32] = "", number[32] = "";
    if (drawn->numbers[BINS_DRAWN] > 0)
        return input_of_keys(keys, seed, drawn->units, bins_asked(drawn->numbers[BINS_DRAWN]));
    struct input input = input_within(keys, seed, drawn->units, bins_asked(FEW_BINS));
    if (seed != 1)
        snprintf(of_seed, sizeof of_seed, " TEXT_SEED=%llu", (unsigned long long)seed);
    if (bins_asked(0) == 0) /* what is typed is a setting already */
        snprintf(number, sizeof number, " BINS=%d", FEW_BINS);
    snprintf(input.drawn, sizeof input.drawn, "KEYS=%s SIZE=%zu%s%s", names[keys], drawn->units,
             of_seed, number);
    return input;
}

static struct input draw_batch(const struct drawn_case *drawn, uint64_t seed)
{
    enum { A_ROW = 61, FEW_OF_A_ROW = 13 };
    const bool is_case = drawn->numbers[BATCH_DRAWN] > 0;
    return input_batched((enum keys)drawn->kind, seed,
                         is_case ? drawn->numbers[BATCH_DRAWN] : (drawn->units + A_ROW - 1) / A_ROW,
                         is_case ? drawn->units : A_ROW,
                         bins_asked(is_case ? drawn->numbers[BINS_DRAWN] : FEW_OF_A_ROW));
}

/* Draws what is written down. All elements have a bin, but in a batch, of short histograms with few bins, some have
 * none. */
static struct input read_elements(const char *file, size_t traced, char *called, size_t size)
{
    enum { USUAL_BINS = 12281, A_ROW = 256, BINS_OF_A_ROW = 31 };
    const struct drawn drawn = drawn_keys(file);
    const enum keys kind = keys_named(drawn.kind);
    const size_t rows = (drawn.length + A_ROW - 1) / A_ROW;
    snprintf(called, size, "%s", descriptions[kind]);
    if (traced > 0)
        return kernel_to_run()->draw(
            &(struct drawn_case){kind, *chosen("SIZE") ? drawn.length : traced, {0}}, drawn.seed);
    if (reduce_by_index_batched)
        return input_batched(kind, drawn.seed, rows, drawn.length / rows,
                             bins_asked(BINS_OF_A_ROW));
    return input_within(kind, drawn.seed, drawn.length,
                        bins_asked(kind == KEYS_WAFER ? WAFER_BINS : USUAL_BINS));
}

/* Gives elements a small value, in the first bin, or in their own. */
static void simplify_elements(struct input *input, size_t from, size_t count, unsigned int way)
{
    const enum operation operation = operation_chosen();
    const uint32_t one = operation == ARGMAX || operation == WIDE_SUM ? 1 : ONE;
    for (size_t i = from; i < from + count; i++)
        element_set(input, i, way == 0 ? 0 : input_key(input, i), one, (uint32_t)i);
}

/* Lanes meet where keys follow Zipf's law, so such keys make a tale. */
#define OF_KEYS                                                                                    \
    .contract = &reduce_by_index_contract, .write = write_keys, .read = read_elements,             \
    .few = {.kind = KEYS_ZIPF}, .tales = {256, 640, 1280, 2400, 4200},                             \
    .simplify = simplify_elements

static const struct to_run keys_to_run = {OF_KEYS, .draw = draw_keys, .cases = cases},
                           batches_to_run = {OF_KEYS, .draw = draw_batch, .cases = batches,
                                             .function = "reduce_by_index_batched()"};

const struct to_run *kernel_to_run(void)
{
    return reduce_by_index_batched ? &batches_to_run : &keys_to_run;
}
