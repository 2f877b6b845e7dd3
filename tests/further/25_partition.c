/* 25_partition.c - the exercise of chapter 25: as few buckets as hold the bins.
 *
 * Operations: count saturate */
#include "reduce_by_index/harness.h"

enum { LENGTH = 1 << 16, TILE = 8192, MOST_BINS = 1572863 };

/* Places of 2 bytes fill a sector by sixteen. A segment begins and ends in the middle of a sector, and where it does so
 * is read, too: four sectors for each bucket of a tile, at most. One bucket is enough for the first number of bins, and
 * four for the second. Catches a number of buckets that is the same for all numbers of bins. */
Test(further25, has_few_buckets_for_few_bins)
{
    const size_t bins[] = {12281, 196607};
    for (size_t i = 0; i < sizeof bins / sizeof *bins; i++) {
        operation_choose(0);
        set_multiprocessors(1);
        struct input input = input_within(KEYS_UNIFORM, i, LENGTH, bins[i]);
        const struct measurement cost = measure_input(&input);
        expect_exactly(cost.bytes_read, "bytes of keys read from the input", 4 * LENGTH,
                       "each of %s keys is read once", grouped(LENGTH));
        expect_at_most(cost.elsewhere.load.sectors, "sectors read from buckets",
                       LENGTH / 16 + (LENGTH / TILE + 1) * 20,
                       "%s keys of 2 bytes, and for each of %s tiles 20 sectors: %s / 16 + %s x 20",
                       grouped(LENGTH), grouped(LENGTH / TILE + 1), grouped(LENGTH),
                       grouped(LENGTH / TILE + 1));
        if (i == 1)
            technique_is("%s keys of %s bins read in %s sectors", grouped(LENGTH), grouped(bins[i]),
                         grouped(cost.elsewhere.load.sectors));
        input_free(&input);
    }
}

/* Catches shifts that lose a bin where the number of buckets changes, and bins for which the most
 * buckets are too few. */
Test(further25, is_right_where_the_number_of_buckets_changes)
{
    const size_t bins[] = {58000, 58072, 58112, 58113, 116225, 232449, MOST_BINS};
    for (size_t i = 0; i < sizeof bins / sizeof *bins; i++) {
        operation_choose(i);
        set_multiprocessors(1);
        struct input input = input_of_keys(KEYS_UNIFORM, i, 2999, bins[i]);
        element_set(&input, 0, (uint32_t)bins[i] - 1, 1, 0);
        expect_right_once_on(&input);
        input_free(&input);
    }
}
