/* 23_subhistograms.c - right, and each block has copies of the bins that neighboring threads take
 * in turn.
 *
 * Operations: count saturate float_sum argmax
 *
 * The edge cases of tests/reduce_by_index.c catch here copies that are not neutral, that overlap,
 * that are folded too early or not at all, and copies for which there is no room. */
#include "reduce_by_index/harness.h"

enum { LENGTH = 1 << 14, WARP = 32 };

/* How many copies a block has of a bin: so many words get atomics when all keys are one. */
static uint64_t copies_of_a_bin(size_t num_bins)
{
    struct input input = input_within(KEYS_SINGLE, 1, LENGTH, num_bins);
    const struct measurement cost = measure_input(&input);
    input_free(&input);
    return cost.shared.addresses;
}

/* With one key all 32 lanes of a request want the same bin, and M copies serve ceil(32 / M) each.
 * Catches a single copy, a copy for each warp, whose lanes all meet there, and lanes that take the
 * next copy only now and then. */
Test(chapter23, spreads_the_lanes_of_a_warp_over_copies)
{
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        struct input input = input_within(KEYS_SINGLE, 2, LENGTH, 505);
        const struct measurement cost = measure_input(&input);
        const uint64_t copies = cost.shared.addresses;
        expect_at_least(copies, "word of shared memory gets all updates of one key", 2,
                        "505 bins leave room for several copies, and M copies of a bin are");
        const uint64_t lanes = (WARP + copies - 1) / copies;
        expect_at_most(cost.shared.most_meeting, "lanes of one request update one word", lanes,
                       "with %s copies, and neighboring threads in different ones, there are at "
                       "most ceil(32 / %s)",
                       grouped(copies), grouped(copies));
        if (i == 0)
            technique_is("%s copies of each bin, and at most %s of 32 lanes contend for one",
                         grouped(copies), grouped(lanes));
        input_free(&input);
    }
}

/* Uniform keys reach every copy of every bin: M x bins words. Catches copies that share words, and
 * keys of which only some have copies. */
Test(chapter23, has_copies_of_all_bins)
{
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        enum { BINS = 31 };
        const uint64_t copies = copies_of_a_bin(BINS);
        struct input input = input_within(KEYS_UNIFORM, 3, 1 << 16, BINS);
        const struct measurement cost = measure_input(&input);
        expect_exactly(cost.shared.addresses, "words of shared memory get updates", copies * BINS,
                       "%s copies of %s bins are", grouped(copies), grouped(BINS));
        input_free(&input);
    }
}

/* Two copies of 12,281 bins fit on an H200 when a block asks for all the shared memory it may have. Catches
 * kernels that stay below 48 KiB, and copies that fit only when words are counted for bytes. */
Test(chapter23, has_copies_of_many_bins)
{
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        const size_t bins = bins_on_card(12281);
        char what[80];
        snprintf(what, sizeof what, "word of shared memory gets all updates of one key, of %s",
                 grouped(bins));
        expect_at_least(copies_of_a_bin(bins), what, 2,
                        "two copies of %s bins of %s bytes fit in %s bytes, so there are",
                        grouped(bins), grouped(operation_bin_bytes(operation_chosen())),
                        grouped(sim_shared_of_block(sim_card_chosen())));
    }
}

/* What is folded goes to the bins once for each block. Catches kernels that update the bins for each
 * element, and those that commit every copy for itself. */
Test(chapter23, commits_folded_copies)
{
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        struct input input = input_within(KEYS_ZIPF, 4, 1 << 16, 31);
        const struct measurement cost = measure_input(&input);
        expect_exactly(cost.atomics_while_reading, "global atomics while elements are read", 0,
                       "the copies lie in shared memory, and global atomics needed for them are");
        if (operation_has_atomic(operation_chosen()))
            expect_at_most(cost.bins.atomic.lanes, "atomics on the bins", cost.blocks * 31,
                           "each block commits each bin once: blocks x bins = %s x 31",
                           grouped(cost.blocks));
        input_free(&input);
    }
}
