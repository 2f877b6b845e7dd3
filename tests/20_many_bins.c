/* 20_many_bins.c - right, and each block counts all its keys in the shared memory of its
 * multiprocessor.
 *
 * Operations: count
 *
 * The edge cases of tests/reduce_by_index.c catch here bins that are not zeroed, a launch that is
 * refused because nobody asked for more than 48 KB, and a key at the number of bins. */
#include "reduce_by_index/harness.h"

enum { LENGTH = 1 << 16 };

/* How many counters a block has room for: 58,112 on an H200. */
static size_t most_bins(void)
{
    return sim_shared_of_block(sim_card_chosen()) / sizeof(unsigned int);
}

/* Whole words of four keys, the keys before and after them, and the rounds of a pipeline: on one
 * multiprocessor a block has several. Catches words that are lost where a thread has fewer of them. */
Test(chapter20, is_right_where_rounds_end)
{
    operation_choose(0);
    enum { BLOCK = 1024 * 4 };
    const size_t lengths[] = {BLOCK - 1, 4 * BLOCK, 4 * BLOCK + 7, 9 * BLOCK + 5};
    set_multiprocessors(1);
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        struct input input = input_of_keys(KEYS_ZIPF, i, lengths[i], 505);
        input.misalignment = i;
        expect_right_once_on(&input);
        input_free(&input);
    }
}

/* One block more than there are, and the last counters of all: each bin of the most that fit, once or
 * twice. Catches bins that are zeroed or committed only in part. */
Test(chapter20, loses_no_bin_of_the_most_that_fit)
{
    operation_choose(0);
    const size_t most = most_bins();
    struct input input = input_within(KEYS_SORTED, 3, most + 99, most);
    set_multiprocessors(1);
    for (size_t i = 0; i < input.length; i++)
        element_set(&input, i, (uint32_t)(i % most), 1, (uint32_t)i);
    expect_right_once_on(&input);
    input_free(&input);
}

/* A counted key is an atomic in shared memory, and none is made in global memory until a thread has
 * read its last key. Each block then adds each of its bins once, and no more. */
static void expect_counted_in_shared_memory(const struct measurement *cost)
{
    expect_at_least(cost->shared.atomic.lanes, "atomics in shared memory", cost->counted,
                    "the bins of a block lie there, %s of them, and get one for each counted key",
                    grouped(cost->num_bins));
    expect_exactly(cost->atomics_while_reading, "global atomics while keys are read", 0,
                   "with %s bins in shared memory none is needed", grouped(cost->num_bins));
    expect_exactly(cost->elsewhere.atomic.lanes, "global atomics on memory that is not the bins", 0,
                   "the only bins beside the final ones lie in shared memory");
    expect_at_most(cost->bins.atomic.lanes, "global atomics on the bins",
                   cost->blocks * cost->num_bins,
                   "each block commits each bin once, at most blocks x bins = %s x %s",
                   grouped(cost->blocks), grouped(cost->num_bins));
}

/* Catches counting in global memory: of all keys, or of those beyond 48 KB or 100 KB of counters. */
Test(chapter20, counts_in_shared_memory)
{
    operation_choose(0);
    const size_t bins[] = {31, 12281, bins_on_card(30000), most_bins()};
    set_multiprocessors(1);
    for (size_t i = 0; i < sizeof bins / sizeof *bins; i++) {
        struct input input = input_within(KEYS_UNIFORM, i, LENGTH, bins[i]);
        const struct measurement cost = measure_input(&input);
        expect_counted_in_shared_memory(&cost);
        if (i == 0)
            expect_at_least(cost.shared.atomic.lanes, "shared atomics", cost.counted,
                            "the bins of a block get one for each counted element");
        input_free(&input);
    }
}

/* Each commit is dear when bins are many, so a multiprocessor makes only as many as it holds blocks:
 * a block stays for all keys. Of n bytes of shared memory, and 1 KB that the system takes, fit
 * 228 KB / (n + 1 KB) blocks on an H200, at least one. Catches a block for so and so many keys. */
Test(chapter20, commits_as_often_as_blocks_fit)
{
    operation_choose(0);
    enum { MULTIPROCESSORS = 3 };
    const struct sim_card *card = sim_card_chosen();
    const uint64_t threads = (uint64_t)card->threads_per_multiprocessor,
                   memory = (uint64_t)card->shared_per_multiprocessor;
    const size_t bins[] = {505, most_bins()};
    set_multiprocessors(MULTIPROCESSORS);
    for (size_t i = 0; i < sizeof bins / sizeof *bins; i++) {
        struct input input = input_within(KEYS_UNIFORM, 7 + i, LENGTH, bins[i]);
        const struct measurement cost = measure_input(&input);
        const uint64_t by_threads = threads / (cost.threads_per_block ? cost.threads_per_block : 1);
        const uint64_t by_memory = memory / (bins[i] * 4 + 1024);
        const uint64_t fit = by_threads < by_memory ? by_threads : by_memory;
        expect_at_most(
            cost.reading_blocks, "blocks that read keys, and commit %s bins each",
            fit * MULTIPROCESSORS,
            "%s fit on a multiprocessor, of which there are %s, and a block can stay for "
            "all keys",
            grouped(fit), grouped(MULTIPROCESSORS));
        input_free(&input);
    }
}

/* Catches passes over the input, which are the next but two chapters' idea. */
Test(chapter20, reads_each_key_once)
{
    operation_choose(0);
    set_multiprocessors(1);
    struct input input = input_within(KEYS_UNIFORM, 11, LENGTH, most_bins());
    const struct measurement cost = measure_input(&input);
    expect_exactly(cost.bytes_read, "bytes of keys read", 4 * LENGTH,
                   "each of %s keys is read once", grouped(LENGTH));
    technique_is("%s bins in shared memory, %s commits, at most blocks x bins = %s allowed",
                 grouped(cost.num_bins), grouped(cost.bins.atomic.lanes),
                 grouped(cost.blocks * cost.num_bins));
    input_free(&input);
}
