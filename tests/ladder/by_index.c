/* by_index.c - ladder_reduce_by_index() and ladder_histogram() of keys, beside a count of their own, on lengths,
 * numbers of bins and kinds of keys that reach each path of the library. */
#define _POSIX_C_SOURCE 200809L
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ladder.h"
#include "sim.h"

/* Four patterns that have been slow, and others. */
enum kind { UNIFORM, ONE, EIGHT, RUNS, IN_ORDER, WAVE, SORTED, HALF_OUTSIDE, CORNER, FAR, KINDS };

struct case_of {
    ladder_operation operation;
    size_t length, num_bins, skipped; /* skipped: keys and values begin so many places late */
    enum kind kind;
    uint32_t *keys, *values;
};

static uint32_t random_of(uint32_t x)
{
    x = (x ^ x >> 16) * 0x7feb352dU;
    x = (x ^ x >> 15) * 0x846ca68bU;
    return x ^ x >> 16;
}

static uint32_t below(uint32_t random, size_t limit)
{
    return (uint32_t)((uint64_t)random * limit >> 32);
}

static uint32_t key_of(enum kind kind, size_t i, size_t length, size_t bins)
{
    const uint32_t random = random_of((uint32_t)(2 * i + 1)), other = random_of(random);
    switch (kind) {
    case ONE:
        return (uint32_t)(bins - 1);
    case EIGHT: /* eight bins take 70% */
        return random % 10 < 7 ? (uint32_t)(bins * (other % 8) / 8) : below(other, bins);
    case RUNS: /* of 1 to 16 at random places */
        return below(random_of((uint32_t)(i / (1 + random_of((uint32_t)(i / 64)) % 16))), bins);
    case IN_ORDER:
        return (uint32_t)(i % bins);
    case WAVE:
        return (uint32_t)((1 + sin((double)i / 3000)) / 2 * (double)(bins - 1));
    case SORTED:
        return (uint32_t)(i * bins / length);
    case HALF_OUTSIDE:
        return random % 2 ? (uint32_t)bins + below(other, 0xffffffffu - bins) : below(other, bins);
    case CORNER: /* all in a 2,048th of the bins */
        return (uint32_t)(bins / 3) + below(random, bins / 2048 + 1) % (uint32_t)(bins - bins / 3);
    case FAR: /* 37 bins far apart */
        return (uint32_t)(bins * (random % 37) / 37);
    default:
        return below(random, bins);
    }
}

static void draw(struct case_of *c)
{
    c->keys = malloc((c->length + c->skipped) * 4 + 4);
    c->values = malloc((c->length + c->skipped) * 4 + 4);
    for (size_t i = 0; i < c->length; i++) {
        const uint32_t random = random_of((uint32_t)(i + 77));
        const float number = (float)((int)(random % 65) - 32) / 32; /* sums of some are exact */
        c->keys[i] = key_of(c->kind, i, c->length, c->num_bins);
        memcpy(&c->values[i], &number, sizeof number);
        if (c->operation == LADDER_SUM_U32 || c->operation == LADDER_ARGMAX_U32)
            c->values[i] = random % 1000;
    }
}

static float float_of(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* What floats of a bin must be, and how far off they may be: the sum of magnitudes. */
struct exact {
    double sum[8], magnitude;
};

/* The bins, one element after the other. */
static void count_apart(const struct case_of *c, void *bins, struct exact *exact)
{
    for (size_t i = 0; i < c->length; i++) {
        const uint32_t key = c->keys[i], value = c->values[i];
        if (key >= c->num_bins)
            continue;
        switch (c->operation) {
        case LADDER_COUNT:
            ((uint32_t *)bins)[key]++;
            break;
        case LADDER_COUNT_64:
            ((uint64_t *)bins)[key]++;
            break;
        case LADDER_SATURATE:
            if (((uint32_t *)bins)[key] < (1 << 24) - 1)
                ((uint32_t *)bins)[key]++;
            break;
        case LADDER_SUM_U32:
            ((uint64_t *)bins)[key] += value;
            break;
        case LADDER_SUM_F32:
            exact[key].sum[0] += (double)float_of(value);
            exact[key].magnitude += fabs((double)float_of(value));
            break;
        case LADDER_POWERS_F32: {
            double power = 1;
            for (int k = 0; k < 8; k++, power *= (double)float_of(value))
                exact[key].sum[k] += power;
            exact[key].magnitude += 1;
            break;
        }
        case LADDER_MINMAX_F32: {
            ladder_minmax *const bin = &((ladder_minmax *)bins)[key];
            const double number = (double)float_of(value) + 0.0;
            if (number < bin->smallest)
                bin->smallest = number;
            if (number > bin->largest)
                bin->largest = number;
            break;
        }
        case LADDER_ARGMAX_U32: {
            ladder_argmax *const bin = &((ladder_argmax *)bins)[key];
            if (value > bin->value ||
                (value == bin->value && (uint32_t)i < ladder_argmax_index(*bin)))
                *bin = (ladder_argmax){~(uint32_t)i, value};
            break;
        }
        }
    }
}

static size_t first_wrong(const struct case_of *c, const void *got, const void *wanted,
                          const struct exact *exact)
{
    const size_t bytes = ladder_bin_bytes(c->operation);
    const bool of_floats = c->operation == LADDER_SUM_F32 || c->operation == LADDER_POWERS_F32;
    for (size_t j = 0; j < c->num_bins; j++) {
        const char *const one = (const char *)got + j * bytes;
        if (!of_floats && memcmp(one, (const char *)wanted + j * bytes, bytes) != 0)
            return j;
        for (size_t k = 0; of_floats && k < bytes / sizeof(float); k++) {
            float sum;
            memcpy(&sum, one + k * sizeof sum, sizeof sum);
            if (!(fabs((double)sum - exact[j].sum[k]) <= 1e-6 * (1 + exact[j].magnitude)))
                return j;
        }
    }
    return c->num_bins;
}

static void *on_device(const void *from, size_t bytes)
{
    void *memory;
    cr_assert_eq(cudaMalloc(&memory, bytes + 1), cudaSuccess);
    if (from)
        cr_assert_eq(cudaMemcpy(memory, from, bytes, cudaMemcpyHostToDevice), cudaSuccess);
    return memory;
}

/* Runs the case twice, so that bins which hold something are combined with, in memory full of rubbish. */
static void try_case(struct case_of c)
{
    draw(&c);
    const size_t bin_bytes = ladder_bin_bytes(c.operation), bytes = c.num_bins * bin_bytes;
    void *const bins = malloc(bytes), *const wanted = malloc(bytes);
    struct exact *const exact = calloc(c.num_bins, sizeof *exact);
    void *const d_bins = on_device(NULL, bytes);
    char *const d_keys = on_device(NULL, (c.length + c.skipped) * 4);
    char *const d_values = on_device(NULL, (c.length + c.skipped) * 4);
    uint32_t *const keys = (uint32_t *)(void *)d_keys + c.skipped;
    uint32_t *const values = (uint32_t *)(void *)d_values + c.skipped / 2;
    cr_assert_eq(cudaMemcpy(keys, c.keys, c.length * 4, cudaMemcpyHostToDevice), cudaSuccess);
    cr_assert_eq(cudaMemcpy(values, c.values, c.length * 4, cudaMemcpyHostToDevice), cudaSuccess);
    const bool counted = c.operation <= LADDER_SATURATE;
    size_t needed = 0, asked_again = 0;
    for (int i = 0; i < 2; i++)
        cr_assert_eq(ladder_reduce_by_index(NULL, i ? &asked_again : &needed, c.operation, keys,
                                            counted ? NULL : values, c.length, d_bins, c.num_bins,
                                            0),
                     LADDER_OK);
    cr_expect_eq(needed, asked_again);
    void *const temporary = on_device(NULL, needed);
    cr_assert_eq(cudaMemset(temporary, 0xa5, needed), cudaSuccess);
    cr_assert_eq(ladder_clear(c.operation, d_bins, c.num_bins, 0), LADDER_OK);
    cr_assert_eq(cudaMemcpy(wanted, d_bins, bytes, cudaMemcpyDeviceToHost), cudaSuccess);
    for (int i = 0; i < 2; i++) {
        cr_assert_eq(ladder_reduce_by_index(temporary, &needed, c.operation, keys,
                                            counted ? NULL : values, c.length, d_bins, c.num_bins,
                                            0),
                     LADDER_OK);
        count_apart(&c, wanted, exact);
    }
    cr_assert_eq(cudaMemcpy(bins, d_bins, bytes, cudaMemcpyDeviceToHost), cudaSuccess);
    const size_t wrong = first_wrong(&c, bins, wanted, exact);
    ladder_device device;
    cr_assert_eq(ladder_current_device(&device), LADDER_OK);
    cr_expect_eq(wrong, c.num_bins,
                 "operation %d, %zu elements of kind %d, %zu bins, in %s: bin %zu",
                 (int)c.operation, c.length, (int)c.kind, c.num_bins,
                 ladder_explain(&device, c.operation, c.length, c.num_bins), wrong);
    cr_expect_eq(sim_error_count(), 0, "the checks have reported something");
    cudaFree(temporary), cudaFree(d_bins), cudaFree(d_keys), cudaFree(d_values);
    free(bins), free(wanted), free(exact), free(c.keys), free(c.values);
}

/* All operations on each number of bins and elements, with kinds of keys in turn. */
static void try_all(const size_t (*shapes)[2], size_t number)
{
    unsigned int turn = 0;
    for (size_t shape = 0; shape < number; shape++)
        for (ladder_operation operation = LADDER_COUNT; operation <= LADDER_ARGMAX_U32; operation++)
            try_case((struct case_of){operation, shapes[shape][0], shapes[shape][1], turn % 4,
                                      (enum kind)(turn * 7 % KINDS), NULL, NULL}),
                turn++;
}

Test(by_index, hostile_sizes)
{
    static const size_t shapes[][2] = {{1, 1},    {2, 1},     {31, 7},     {32, 8},    {33, 1000},
                                       {4095, 1}, {4097, 31}, {2048, 257}, {2049, 256}};
    try_all(shapes, sizeof shapes / sizeof *shapes);
}

Test(by_index, bins_in_shared_memory)
{
    static const size_t shapes[][2] = {{50001, 5}, {60000, 505}, {98303, 7000}, {40001, 24000}};
    try_all(shapes, sizeof shapes / sizeof *shapes);
}

Test(by_index, more_bins_than_shared_memory_holds)
{
    static const size_t shapes[][2] = {{99991, 70000}, {100000, 131072}};
    try_all(shapes, sizeof shapes / sizeof *shapes);
}

/* On a card of few multiprocessors, where fewer elements are enough for a sample: hot keys, runs, sorted keys, and
 * neighbors that go straight to their bins. Each kind of keys meets each operation on one of the first two shapes. */
Test(by_index, what_a_sample_decides)
{
    static const size_t shapes[][2] = {{100003, 9000}, {500003, 140000}, {500003, 2100000}};
    static const enum kind kinds[] = {EIGHT, FAR, RUNS, SORTED, IN_ORDER};
    static const ladder_operation some[] = {LADDER_SUM_F32, LADDER_SUM_U32, LADDER_COUNT,
                                            LADDER_ARGMAX_U32};
    setenv("SIM_CARD", "RTX3060_LAPTOP", 1);
    for (size_t shape = 0; shape < 3; shape++)
        for (size_t kind = 0; kind < 5; kind++)
            for (size_t k = 0; k < 4; k++)
                if (shape < 2 ? (k + kind + shape) % 2 == 0 : k == kind % 4)
                    try_case((struct case_of){some[k], shapes[shape][0], shapes[shape][1], kind % 3,
                                              kinds[kind], NULL, NULL});
}

/* As many bins as shared memory holds, and a few less and more: the kernels' own variables lie there, too. */
Test(by_index, as_many_bins_as_shared_memory_holds)
{
    static const ladder_operation some[] = {LADDER_COUNT, LADDER_SUM_F32, LADDER_SUM_U32,
                                            LADDER_POWERS_F32};
    static const size_t words[] = {4, 4, 8, 36}, less[] = {1, 4, 31, 40};
    ladder_device device;
    setenv("SIM_CARD", "RTX3060_LAPTOP", 1);
    cr_assert_eq(ladder_current_device(&device), LADDER_OK);
    for (size_t k = 0; k < 4; k++)
        for (size_t i = 0; i < 4; i++)
            try_case((struct case_of){some[k], 40001, device.shared_of_block / words[k] - less[i],
                                      i, UNIFORM, NULL, NULL});
}

/* Straight to the bins, where a block remembers keys that come again; and where none do. */
Test(by_index, what_a_block_remembers)
{
    static const ladder_operation some[] = {LADDER_COUNT, LADDER_SATURATE, LADDER_SUM_U32,
                                            LADDER_SUM_F32};
    setenv("SIM_CARD", "RTX3060_LAPTOP", 1);
    for (size_t k = 0; k < 4; k++)
        for (enum kind kind = UNIFORM; kind < KINDS; kind++)
            try_case((struct case_of){some[k], 70001, 450000, kind % 4, kind, NULL, NULL});
}

/* Floats in more bins than passes pay for; and in so few that each thread has bins of its own. */
Test(by_index, hot_floats)
{
    try_case((struct case_of){LADDER_SUM_F32, 610001, 240000, 1, EIGHT, NULL, NULL});
    for (size_t bins = 54; bins <= 56; bins++)
        for (enum kind kind = UNIFORM; kind < KINDS; kind++)
            try_case((struct case_of){LADDER_SUM_F32, 60001, bins, kind % 4, kind, NULL, NULL});
}

/* So many elements that each thread has sums of hot floats. */
Test(by_index, many_hot_floats)
{
    setenv("SIM_CARD", "RTX3060_LAPTOP", 1);
    try_case((struct case_of){LADDER_SUM_F32, 2000003, 9000, 1, EIGHT, NULL, NULL});
    try_case((struct case_of){LADDER_SUM_F32, 2000003, 500, 1, FAR, NULL, NULL});
}

/* So many tiles that a bucket of sorted keys has nearly all of its elements in a few runs. */
Test(by_index, long_runs)
{
    setenv("SIM_CARD", "RTX3060_LAPTOP", 1);
    try_case((struct case_of){LADDER_SUM_U32, 6600001, 1600000, 1, SORTED, NULL, NULL});
}

/* All operations on another card than that which the library was built on. */
static void try_on(const char *card)
{
    static const size_t shapes[][2] = {{2049, 256}, {70001, 505}, {60001, 30000}};
    setenv("SIM_CARD", card, 1);
    try_all(shapes, sizeof shapes / sizeof *shapes);
}

Test(by_index, on_an_a100)
{
    try_on("A100");
}

Test(by_index, on_an_rtx4090)
{
    try_on("RTX4090");
}

Test(by_index, on_a_laptop)
{
    try_on("RTX3060_LAPTOP");
}

Test(by_index, nothing_to_do)
{
    size_t bytes = 0;
    uint32_t *const bins = on_device(NULL, 64);
    char *const temporary = on_device(NULL, 64);
    cr_expect_eq(ladder_reduce_by_index(NULL, &bytes, LADDER_COUNT, NULL, NULL, 0, bins, 4, 0),
                 LADDER_OK);
    cr_expect_gt(bytes, 0, "so that what malloc returns for it is not NULL");
    cr_expect_eq(ladder_reduce_by_index(temporary, &bytes, LADDER_COUNT, NULL, NULL, 0, bins, 4, 0),
                 LADDER_OK);
}
