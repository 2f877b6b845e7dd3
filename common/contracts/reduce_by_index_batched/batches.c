/* batches.c - batches that break kernels. */
#include "batches.h"

#include <stdio.h>
#include <string.h>

#include "kernel_process.h"
#include "random_numbers.h"

const char kernel_function[] = "reduce_by_index_batched()";

enum { A_FEW_MULTIPROCESSORS = 3, MORE_THAN_FIT = 58113 };

struct batch {
    enum keys kind;
    size_t batch, length, num_bins;
};

static void expect_right(const struct batch *batch, bool once)
{
    struct input input =
        input_batched(batch->kind, batch->length, batch->batch, batch->length, batch->num_bins);
    if (once)
        expect_right_once_on(&input);
    else
        expect_right_on(&input);
    input_free(&input);
}

/* More bins than a team has threads, in several parts. */
static void expect_right_on_parts(void)
{
    struct input input = input_batched(KEYS_UNIFORM, 1, 1, 9001, 1031);
    expect_right_untold_on(&input);
    input_free(&input);
}

static void expect_right_on_sizes(void)
{
    const struct batch ordinary[] = {{KEYS_UNIFORM, 37, 251, 31}, {KEYS_UNIFORM, 1, 8191, 505}};
    const struct batch others[] = {
        {KEYS_UNIFORM, 3, 16381, 31}, {KEYS_NINETY, 101, 33, 5},     {KEYS_ZIPF, 7, 1021, 505},
        {KEYS_SINGLE, 9, 67, 31},     {KEYS_UNIFORM, 1021, 1, 1},    {KEYS_SORTED, 2, 4099, 505},
        {KEYS_UNIFORM, 257, 31, 3},   {KEYS_UNIFORM, 256, 32, 4},    {KEYS_UNIFORM, 255, 33, 5},
        {KEYS_UNIFORM, 1, 1, 1},      {KEYS_STRIDE_63, 5, 509, 1021}};
    for (size_t i = 0; i < sizeof ordinary / sizeof *ordinary; i++)
        expect_right(&ordinary[i], false);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        expect_right(&others[i], true);
}

/* With nothing to do, nothing happens; and what is large is done by few blocks. */
static void expect_right_on_extremes(void)
{
    const struct batch extremes[] = {{KEYS_UNIFORM, 5, 0, 31},
                                     {KEYS_UNIFORM, 5, 100, 0},
                                     {KEYS_UNIFORM, 3, 999, 12281},
                                     {KEYS_UNIFORM, 2, 1999, MORE_THAN_FIT}};
    sim_set_multiprocessors(1);
    for (size_t i = 0; i < sizeof extremes / sizeof *extremes; i++)
        expect_right(&extremes[i], true);
    sim_set_multiprocessors(132);
    expect_right(&(struct batch){KEYS_UNIFORM, 11, 1021, 101}, true);
    sim_set_multiprocessors(A_FEW_MULTIPROCESSORS);
}

static void expect_right_when_misaligned(void)
{
    for (size_t misalignment = 1; misalignment < 8; misalignment += 2) {
        struct input input = input_batched(KEYS_UNIFORM, misalignment, 13, 77, 31);
        input_say_more(&input, ", %zu element%s after a multiple of 256 bytes", misalignment,
                       misalignment == 1 ? "" : "s");
        input.misalignment = misalignment;
        expect_right_once_on(&input);
        input_free(&input);
    }
}

void expect_right_on_batches(void)
{
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        sim_set_multiprocessors(A_FEW_MULTIPROCESSORS);
        expect_right_on_sizes();
        expect_right_on_parts();
        expect_right_when_misaligned();
        expect_right_on_extremes();
    }
    expect_right_on_special_values_in(1);
}

void expect_right_on_drawn_batches(void)
{
    enum { EACH = 3 };
    uint64_t state = run_draw();
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        sim_set_multiprocessors(A_FEW_MULTIPROCESSORS);
        for (int draw = 0; draw < EACH; draw++) {
            const size_t batch = 1 + random_below(&state, 1u << random_below(&state, 8));
            const size_t length = 1 + random_below(&state, (1 << 13) / (uint32_t)batch);
            const size_t bins = bins_asked(1 + random_below(&state, 2u << random_below(&state, 9)));
            const enum keys kind = (enum keys)random_below(&state, KEYS_KINDS);
            struct input input = input_batched(kind, next_random(&state), batch, length, bins);
            input_say_more(&input, ", drawn with DRAW=%llu", (unsigned long long)run_draw());
            expect_right_untold_on(&input);
            input_free(&input);
        }
    }
}
