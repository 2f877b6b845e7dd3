/* 24_passes.c - right, and the bins are dealt out to ranges, each of which has a pass over the input.
 *
 * Operations: count saturate argmax
 *
 * The edge cases of tests/reduce_by_index.c catch here a last range that is left out or too long, keys
 * below a range that are taken for its own, bins that are not neutral, and a range that is committed
 * to the place of another. */
#include <stdlib.h>

#include "reduce_by_index/harness.h"

static uint64_t ranges_of(size_t num_bins)
{
    return (num_bins + bins_of_a_block() - 1) / bins_of_a_block();
}

/* How many bins have an element, all of which have a bin. */
static uint64_t bins_met(const struct input *input)
{
    uint64_t met = 0;
    bool *is_met = calloc(input->num_bins, sizeof *is_met);
    cr_assert(is_met, "no memory");
    for (size_t i = 0; i < input->length; i++) {
        met += !is_met[input_key(input, i)];
        is_met[input_key(input, i)] = true;
    }
    free(is_met);
    return met;
}

static void expect_passes(size_t length, size_t num_bins)
{
    struct input input = input_within(KEYS_UNIFORM, 1, length, num_bins);
    const struct measurement cost = measure_input(&input);
    const uint64_t ranges = ranges_of(num_bins);
    expect_exactly(cost.most_read, "times an element is read that is read most often", ranges,
                   "each range of bins needs one pass, and %s bins of %s bytes are bins x size / "
                   "capacity, rounded up, ranges",
                   grouped(num_bins), grouped(operation_bin_bytes(operation_chosen())));
    expect_exactly(cost.least_read, "times an element is read that is read least often", ranges,
                   "each element belongs to one range, and nobody knows to which before it is "
                   "read: all ranges");
    input_free(&input);
}

/* S ranges are S passes, no more and no less, with one bin less and one more than fit, too. Catches
 * more ranges than needed, ranges that are smaller than they could be, a part of the input that is
 * read twice or by some ranges only, and bins in global memory. */
Test(chapter24, reads_each_element_once_for_each_range)
{
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        expect_passes(1 << 14, 505);
        expect_passes(1 << 14, bins_of_a_block());
        expect_passes(1 << 14, bins_of_a_block() + 1);
        expect_passes(1 << 14, 3 * bins_of_a_block() + 1000);
    }
}

/* On a long input the ranges share the multiprocessors. Catches a block for each multiprocessor and range:
 * they wait for each other, and commit more often. */
Test(chapter24, has_a_block_for_each_multiprocessor)
{
    enum { LONG = 1 << 24, MULTIPROCESSORS = 132 };
    operation_choose(0);
    set_multiprocessors(MULTIPROCESSORS);
    expect_at_most(
        blocks_on_long_input(&reduce_by_index_contract, LONG, bins_of_a_block() + 1),
        "blocks in a launch", MULTIPROCESSORS,
        "a block has nearly all of the shared memory of its multiprocessor, and there are");
}

/* What a block finds stays in shared memory until it has read all that it reads for a range: the block
 * meets at a barrier, and may go on with another range. Catches a kernel that updates the
 * bins in global memory, all of them or those of the ranges for which there is no room, and reads for
 * show. */
Test(chapter24, updates_no_bin_in_global_memory_while_it_reads)
{
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        struct input input = input_within(KEYS_ZIPF, 2, 1 << 15, 2 * bins_of_a_block());
        const struct measurement cost = measure_input(&input);
        expect_exactly(cost.atomics_between_loads, "global atomics of threads that read on", 0,
                       "each range of bins lies in shared memory, and global atomics needed for "
                       "elements are");
        expect_at_least(cost.shared.atomic.lanes, "shared atomics",
                        operation_has_atomic(operation_chosen()) ? cost.counted : bins_met(&input),
                        "bins in shared memory get one for each element, or where some would "
                        "change nothing one for each bin that is met, at least");
        input_free(&input);
    }
}

/* A block commits the bins of a range, and those once. It may take all ranges, one after the other, and
 * its threads then begin anew with each. Catches blocks that commit all bins, or after each part of their
 * elements. */
Test(chapter24, commits_each_range_once_a_block)
{
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        if (i > 0 && !operation_has_atomic(operation_chosen()))
            continue; /* how often a compare-and-swap is tried says nothing of how often it has to be */
        const size_t num_bins = 3 * bins_of_a_block() + 1000;
        struct input input = input_within(KEYS_UNIFORM, 3, 1 << 16, num_bins);
        const struct measurement cost = measure_input(&input);
        const uint64_t ranges = ranges_of(num_bins);
        const uint64_t readers = (cost.reading_blocks * cost.most_laps + ranges - 1) / ranges;
        if (operation_has_atomic(operation_chosen()))
            expect_at_most(
                cost.bins.atomic.lanes, "atomics on the bins", readers * num_bins,
                "%s blocks read for each of %s ranges, and commit its bins once: %s x %s",
                grouped(readers), grouped(ranges), grouped(readers), grouped(num_bins));
        if (i == 0)
            technique_is("%s bins in %s ranges, each element read %s times", grouped(num_bins),
                         grouped(ranges), grouped(cost.most_read));
        input_free(&input);
    }
}
