/* 31_batched.c - the exercise of chapter 31: short histograms that wait for nobody else.
 *
 * Operations: count float_sum argmax */
#include "reduce_by_index/harness.h"

enum { BATCH = 512, LENGTH = 64, BINS_OF_EACH = 31 };

/* A team that is one warp needs no barrier of the block: __syncwarp orders what its lanes do. Catches
 * __syncthreads, with which eight histograms wait for the slowest of them. */
Test(further31, has_no_barrier_where_a_team_is_a_warp)
{
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        struct input input = input_batched(KEYS_UNIFORM, 1, BATCH, LENGTH, BINS_OF_EACH);
        struct measurement cost = measure_input(&input);
        expect_exactly(
            cost.counters.barriers, "barriers", 0,
            "%s: each of the %s histograms belongs to a warp, which waits for no other one",
            operation_name(operation_chosen()), grouped(BATCH));
        if (i == 0)
            technique_is("no barrier for %s histograms of %s elements, %s blocks", grouped(BATCH),
                         grouped(LENGTH), grouped(cost.blocks));
        input_free(&input);
    }
}

/* Catches one block a histogram, which has no barrier either when it is one warp. */
Test(further31, still_has_many_histograms_in_a_block)
{
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        struct input input = input_batched(KEYS_UNIFORM, 1, BATCH, LENGTH, BINS_OF_EACH);
        struct measurement cost = measure_input(&input);
        expect_at_most(cost.reading_blocks, "blocks read elements", BATCH / 2,
                       "%s: when a block has at least two of the %s histograms, there are %s / 2",
                       operation_name(operation_chosen()), grouped(BATCH), grouped(BATCH));
        input_free(&input);
    }
}
