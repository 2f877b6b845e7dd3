/* 25_partition.c - right, and the keys are split into buckets once, each counted in shared memory.
 *
 * Operations: count saturate
 *
 * The edge cases of tests/reduce_by_index.c catch here buckets that are too small for skewed keys, and
 * bins that come back from their buckets as others. */
#include "reduce_by_index/harness.h"

enum { LENGTH = 1 << 15, TWO_TILES = 1 << 14, MANY = 196607, FOUR_TIMES_AS_MANY = 786431 };

/* On one multiprocessor a block has one tile after the other, the last of them not full; or whole tiles of keys
 * that begin between two multiples of 16 bytes. Catches what is left of the tile before, and tiles that are lost. */
Test(chapter25, is_right_tile_after_tile)
{
    const enum keys contents[] = {KEYS_UNIFORM, KEYS_SORTED, KEYS_NINETY};
    const size_t lengths[] = {LENGTH + 8191, LENGTH + 57, LENGTH};
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        set_multiprocessors(1);
        for (size_t k = 0; k < sizeof contents / sizeof *contents; k++) {
            struct input input = input_of_keys(contents[k], k, lengths[k], 12281);
            input.misalignment = k;
            expect_right_once_on(&input);
            input_free(&input);
        }
    }
}

/* All keys are one, or neighbors: one bucket has all, and the others none. Catches buckets of a fixed
 * size, and counters of keys that overflow. */
Test(chapter25, is_right_when_one_bucket_has_all_keys)
{
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        struct input input = input_within(KEYS_SINGLE, 1, LENGTH, MANY);
        expect_right_once_on(&input);
        for (size_t k = 0; k < input.length; k++)
            element_set(&input, k, MANY - 1 - k % 8, 1, 0);
        expect_right_once_on(&input);
        input_free(&input);
    }
}

/* More bins than a table of buckets has room for, in all the shared memory that a block may have; and one
 * key that many elements have. Catches a launch that asks for more than there is. */
Test(chapter25, is_right_with_more_bins_than_the_table_has_room_for)
{
    enum { BEYOND = 1900001, FEW = 3001 };
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        struct input input = input_of_keys(KEYS_NINETY, 2, FEW, BEYOND);
        expect_right_untold_on(&input);
        input_free(&input);
    }
}

/* A key is read from the input once, whatever the number of bins, written to a bucket once, and read
 * from there once. Alone it touches a sector; in 4 bytes it is an eighth of one, and neighbors in a bucket
 * fill sectors, but for those where buckets begin and end: half a sector is allowed. Beside the buckets
 * it has to be read where they are. Catches passes over the input, counting the buckets in a pass of its
 * own, keys that are stored one by one, and buckets that several blocks read. */
Test(chapter25, reads_writes_and_reads_each_key_once)
{
    const size_t bins[] = {MANY, bins_on_card(FOUR_TIMES_AS_MANY)};
    for (size_t i = 0; i < sizeof bins / sizeof *bins; i++) {
        operation_choose(0);
        set_multiprocessors(1);
        struct input input = input_within(KEYS_UNIFORM, i, LENGTH, bins[i]);
        const struct measurement cost = measure_input(&input);
        expect_exactly(cost.bytes_read, "bytes of keys read from the input", 4 * LENGTH,
                       "with %s bins, too, each of %s keys is read once", grouped(bins[i]),
                       grouped(LENGTH));
        expect_at_least(cost.elsewhere.store.sectors, "sectors written to buckets", LENGTH / 32,
                        "each of %s keys goes to one, and a byte each is", grouped(LENGTH));
        expect_at_most(cost.elsewhere.store.sectors, "sectors written to buckets", LENGTH / 2,
                       "beside others of its bucket a key takes half a sector or less: %s / 2",
                       grouped(LENGTH));
        expect_at_most(cost.elsewhere.load.sectors, "sectors read from buckets",
                       2 * cost.elsewhere.store.sectors,
                       "what was written is read once, and where it is: twice %s",
                       grouped(cost.elsewhere.store.sectors));
        if (i == 0)
            technique_is("%s keys read once, written to buckets in %s sectors and read there in %s",
                         grouped(LENGTH), grouped(cost.elsewhere.store.sectors),
                         grouped(cost.elsewhere.load.sectors));
        input_free(&input);
    }
}

/* Catches counting in the bins themselves, of all keys or of those for which there is no room. */
Test(chapter25, counts_in_shared_memory)
{
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        set_multiprocessors(1);
        struct input input = input_within(KEYS_UNIFORM, 5, TWO_TILES, MANY);
        const struct measurement cost = measure_input(&input);
        expect_at_least(cost.shared.atomic.lanes, "atomics in shared memory", cost.counted,
                        "each counted key adds one to a counter of its bucket there");
        expect_exactly(cost.bins_while_reading, "global atomics on the bins while keys are read", 0,
                       "keys are counted when they are in their buckets");
        input_free(&input);
    }
}

/* With one key there is one counter to commit for each block that has a share of it. Catches commits
 * for each key or for each tile. A compare-and-swap may fail as often as there are other blocks, and what
 * was there may have been read by an atomic. */
Test(chapter25, touches_bins_only_to_commit)
{
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        struct input input = input_within(KEYS_SINGLE, 6, TWO_TILES, MANY);
        const struct measurement cost = measure_input(&input);
        const uint64_t blocks = cost.bins.blocks;
        const uint64_t tries = operation_has_atomic(operation_chosen()) ? 1 : blocks + 1;
        expect_at_most(cost.bins.atomic.lanes, "global atomics on the bins", blocks * tries,
                       "all %s keys are one, and each of %s blocks commits its counter once, %s",
                       grouped(TWO_TILES), grouped(blocks),
                       tries == 1 ? "with one atomic" : "with a read and as many tries as blocks");
        expect_at_most(blocks, "blocks that commit", 2048,
                       "a block commits when it has counted its share of a bucket");
        input_free(&input);
    }
}
