/* traced.c - what make trace asks of reduce_by_index() and that of a batch: see traced_contract.h. */
#include "traced_contract.h"

#include <stdio.h>

#include "elements.h"
#include "util.h"

/* A program has one of the two functions: kernel.c calls it. */
void reduce_by_index_batched(void);
#pragma weak reduce_by_index_batched

static bool is_batched(void)
{
    return reduce_by_index_batched != NULL;
}

static const char *function_of_elements(void)
{
    return is_batched() ? "reduce_by_index_batched()" : "reduce_by_index()";
}

enum { FEW_BINS = 101, FEW_OF_A_ROW = 13 };

/* Elements, or so many rows of a batch of them. */
static const struct traced_case
    cases[] =
        {
            {KEYS_UNIFORM, 0, 0, 31, 0, 1, 1},      {KEYS_UNIFORM, 0, 1, 31, 0, 1, 1},
            {KEYS_UNIFORM, 0, 2, 1, 0, 1, 1},       {KEYS_UNIFORM, 0, 31, 31, 0, 1, 1},
            {KEYS_UNIFORM, 0, 33, 31, 0, 1, 1},     {KEYS_SINGLE, 0, 33, 5, 0, 1, 1},
            {KEYS_NINETY, 0, 257, 31, 0, 1, 1},     {KEYS_UNIFORM, 0, 257, 31, 0, 2, 1},
            {KEYS_UNIFORM, 0, 999, 505, 1, 1, 1},   {KEYS_UNIFORM, 0, 999, 505, 3, 1, 1},
            {KEYS_ZIPF, 0, 1021, 505, 0, 1, 1},     {KEYS_SORTED, 0, 1021, 31, 0, 1, 1},
            {KEYS_UNIFORM, 0, 4099, 505, 0, 1, 1},  {KEYS_STRIDE_63, 0, 4099, 1021, 0, 1, 1},
            {KEYS_SINGLE, 0, 4097, 31, 0, 1, 1},    {KEYS_UNIFORM, 0, 4097, 12281, 0, 1, 1},
            {KEYS_ZIPF, 0, 16381, 505, 0, 1, 1},    {KEYS_UNIFORM, 0, 4099, 58113, 0, 1, 1},
            {KEYS_UNIFORM, 0, 40009, 505, 0, 1, 1}, {0},
},
    batches[] = {
        {KEYS_UNIFORM, 1, 1, 1, 0, 1, 1},        {KEYS_UNIFORM, 3, 0, 5, 0, 1, 1},
        {KEYS_UNIFORM, 2, 31, 5, 0, 1, 1},       {KEYS_UNIFORM, 5, 33, 31, 0, 1, 1},
        {KEYS_SINGLE, 9, 67, 31, 0, 1, 1},       {KEYS_UNIFORM, 13, 77, 31, 1, 1, 1},
        {KEYS_NINETY, 101, 33, 5, 0, 1, 1},      {KEYS_UNIFORM, 257, 31, 3, 0, 1, 1},
        {KEYS_UNIFORM, 37, 251, 31, 0, 1, 1},    {KEYS_UNIFORM, 3, 77, 31, 0, 2, 1},
        {KEYS_ZIPF, 7, 1021, 505, 0, 1, 1},      {KEYS_UNIFORM, 1, 8191, 505, 0, 1, 1},
        {KEYS_UNIFORM, 3, 4099, 31, 0, 1, 1},    {KEYS_UNIFORM, 2, 999, 12281, 0, 1, 1},
        {KEYS_UNIFORM, 2, 1999, 58113, 0, 1, 1}, {0},
};

static void settings_of_elements(char *text, size_t size)
{
    const size_t bins = bins_asked(0);
    const int used = snprintf(text, size, "OPERATION=%s", operation_name(operation_chosen()));
    if (bins > 0)
        snprintf(text + used, size - (size_t)used, " BINS=%zu", bins);
}

/* Without a number of bins one that make run would draw, if it is no batch: its settings draw it anew. */
static struct input make_elements(const struct traced_case *drawn, uint64_t seed)
{
    enum { A_ROW = 61 };
    const enum keys keys = (enum keys)drawn->kind;
    const size_t usual = is_batched() ? FEW_OF_A_ROW : FEW_BINS;
    const size_t bins = bins_asked(drawn->num_bins ? drawn->num_bins : usual);
    char of_seed[32] = "", number[32] = "";
    if (is_batched() && drawn->batch == 0)
        return input_batched(keys, seed, (drawn->length + A_ROW - 1) / A_ROW, A_ROW, bins);
    if (is_batched())
        return input_batched(keys, seed, drawn->batch, drawn->length, bins);
    if (drawn->num_bins > 0)
        return input_of_keys(keys, seed, drawn->length, bins);
    struct input made = input_within(keys, seed, drawn->length, bins);
    if (seed != 1)
        snprintf(of_seed, sizeof of_seed, " TEXT_SEED=%llu", (unsigned long long)seed);
    if (bins_asked(0) == 0) /* what is asked for is in settings_of_elements() */
        snprintf(number, sizeof number, " BINS=%zu", bins);
    snprintf(made.drawn, sizeof made.drawn, "KEYS=%s SIZE=%zu%s%s", keys_name(keys), drawn->length,
             of_seed, number);
    return made;
}

/* As many as a page of every step has room for, where no SIZE was typed. */
static struct input read_keys(const char *file)
{
    enum { USUAL = 640 };
    const struct drawn drawn = drawn_keys(file);
    const struct traced_case one = {.kind = keys_named(drawn.kind),
                                    .length = *chosen("SIZE") ? drawn.length : USUAL};
    return make_elements(&one, drawn.seed);
}

/* A small value, of the first bin; or its own bin, and a small value. */
static void simplify_elements(struct input *input, size_t from, size_t count, unsigned int way)
{
    enum { ONE_AS_A_FLOAT = 0x3f800000 };
    const enum operation operation = operation_chosen();
    const uint32_t one = operation == ARGMAX || operation == WIDE_SUM ? 1 : ONE_AS_A_FLOAT;
    for (size_t i = from; i < from + count; i++)
        element_set(input, i, way == 0 ? 0 : input_key(input, i), one, (uint32_t)i);
}

const struct traced_contract traced = {.contract = &reduce_by_index_contract,
                                       .outputs = "bins",
                                       .function = function_of_elements,
                                       .settings = settings_of_elements,
                                       .cases = cases,
                                       .batches = batches,
                                       .is_batched = is_batched,
                                       .tale = KEYS_ZIPF, /* lanes meet */
                                       .tales = {256, 640, 1280, 2400, 4200},
                                       .make = make_elements,
                                       .read = read_keys,
                                       .simplify = simplify_elements};
