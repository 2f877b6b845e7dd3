/* 26_in_cache.c - right, and there are as many copies in global memory as the model says.
 *
 * Operations: count saturate float_sum wide_sum argmax
 *
 * The edge cases of tests/reduce_by_index.c catch here copies that are not neutral, that overlap,
 * that are folded too early or not at all. */
#include "reduce_by_index/harness.h"

enum { LENGTH = 1 << 14, WARP = 32 };

/* Bytes of the L2 cache of the card. */
static size_t l2_of_card(void)
{
    return (size_t)sim_card_chosen()->l2_bytes;
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* The model of the lesson. */
static uint64_t copies_by_model(const struct measurement *cost, size_t l2)
{
    const uint64_t bytes = cost->num_bins * operation_bin_bytes(operation_chosen());
    const uint64_t room = l2 / 5 * 2 / bytes, paid = cost->length / (2 * cost->num_bins);
    const uint64_t copies = smaller(smaller(room, paid), cost->threads);
    return copies < 1 ? 1 : copies;
}

/* Copies of a bin: with one key so many words get atomics. With a single copy they may be those of
 * the bins themselves. One word more may count the blocks that are done. */
static uint64_t copies_seen(const struct measurement *cost, uint64_t copies)
{
    const uint64_t words = cost->elsewhere.addresses;
    if (words == 0)
        return cost->bins.addresses;
    return words == copies + 1 ? copies : words;
}

static void expect_copies(size_t length, size_t num_bins, size_t l2)
{
    struct input input = input_within(KEYS_SINGLE, 1, length, num_bins);
    const struct measurement cost = measure_input(&input);
    const uint64_t copies = copies_by_model(&cost, l2);
    expect_exactly(copies_seen(&cost, copies), "copies of a bin", copies,
                   "for %s elements, %s bins of %s bytes, %s threads and %s bytes of L2 cache the "
                   "model says: the least of 2/5 L2 / (bins x bytes), elements / (2 x bins) and "
                   "threads, but at least one",
                   grouped(length), grouped(num_bins),
                   grouped(operation_bin_bytes(operation_chosen())), grouped(cost.threads),
                   grouped(l2));
    expect_at_most(
        cost.elsewhere.store.lanes, "stores beside the bins", 2 * copies * num_bins + 1,
        "%s copies of %s bins are filled with at most two stores a word, and a counter of "
        "blocks with one",
        grouped(copies), grouped(num_bins));
    input_free(&input);
}

/* The elements are the bound with 31 and 505 bins, the threads with one bin, and with 12,281 bins
 * there is no copy. Catches a bound that is left out, and words that are counted for bytes. */
Test(chapter26, has_as_many_copies_as_the_model_says)
{
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        expect_copies(LENGTH, 31, l2_of_card());
        expect_copies(LENGTH, 505, l2_of_card());
        expect_copies(LENGTH, 1, l2_of_card());
        expect_copies(LENGTH, 12281, l2_of_card());
    }
}

/* A GPU with 100,000 bytes of L2 cache has room for 40,000 bytes of copies. Catches copies that are
 * as many on every GPU. */
Test(chapter26, fits_the_copies_to_the_cache)
{
    enum { SMALL = 100000 };
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        set_l2_bytes(SMALL);
        expect_copies(1 << 16, 505, SMALL);
    }
}

/* 2,000 elements and 31 bins have copies, where few elements have none. Catches copies that are never
 * freed. */
Test(chapter26, gives_back_what_the_copies_took)
{
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        struct input input = input_of_keys(KEYS_UNIFORM, 4, 2000, 31);
        expect_memory_back_on(&input);
        input_free(&input);
    }
}

/* With M copies, and neighboring threads in different ones, conflicting lanes fall M-fold. Catches
 * a copy for each warp or each block, whose lanes all meet there. */
Test(chapter26, brings_the_lanes_of_a_warp_to_several_copies)
{
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        struct input input = input_within(KEYS_SINGLE, 2, LENGTH, 1009);
        const struct measurement cost = measure_input(&input);
        const uint64_t copies = copies_by_model(&cost, l2_of_card());
        const uint64_t lanes = (WARP + copies - 1) / copies;
        expect_at_most(cost.elsewhere.most_meeting, "lanes of one request update one word", lanes,
                       "with %s copies, and neighboring threads in different ones, there are at "
                       "most ceil(32 / %s)",
                       grouped(copies), grouped(copies));
        if (i == 0)
            technique_is("%s copies of 1,009 bins for %s elements, and at most %s of 32 lanes "
                         "contend for one",
                         grouped(copies), grouped(LENGTH), grouped(lanes));
        input_free(&input);
    }
}

/* While elements are read the bins get nothing: what is folded comes afterwards. Catches counting in
 * the bins, with copies for show. */
Test(chapter26, touches_the_bins_only_to_fold)
{
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        struct input input = input_within(KEYS_ZIPF, 3, LENGTH, 505);
        const struct measurement cost = measure_input(&input);
        const uint64_t copies = copies_by_model(&cost, l2_of_card());
        expect_exactly(cost.bins_while_reading, "atomics on the bins while elements are read", 0,
                       "the elements go to the copies, so those on the bins are");
        if (operation_has_atomic(operation_chosen()))
            expect_at_most(cost.bins.atomic.lanes, "atomics on the bins", copies * 505,
                           "folding takes at most one for each word of the copies: %s x 505",
                           grouped(copies));
        input_free(&input);
    }
}
