/* 30_sort_and_reduce.c - right, and equal keys are brought together before anybody touches a bin.
 *
 * Operations: count float_sum wide_sum argmax
 *
 * The tests of tests/reduce_by_index.c catch here elements that change places, a digit that is left
 * out, runs that end with their section, and bins that lose what they held. */
#include "reduce_by_index/harness.h"

enum { LENGTH = 1 << 14, WARP = 32, DIGITS = 256 };

/* In the sorted elements a bin is a run, and a run has one owner. Catches updates by atomics, with or
 * without a sort before them. */
Test(chapter30, touches_no_bin_by_an_atomic)
{
    const enum keys contents[] = {KEYS_ZIPF, KEYS_SINGLE};
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        struct input input = input_of_keys(contents[i % 2], 1, LENGTH, bins_asked(505));
        struct measurement cost = measure_input(&input);
        expect_exactly(cost.bins.atomic.lanes, "atomics on the bins", 0,
                       "the elements of a bin lie together when they are sorted, and whoever has "
                       "reduced them is alone with it: on %s",
                       input.name);
        input_free(&input);
    }
}

/* What has no bin is not sorted: of many elements few are left, for few of the sections, or none. Catches
 * runs that are looked for where no elements are. */
Test(chapter30, is_right_where_few_elements_have_a_bin)
{
    const size_t left[] = {100, 0};
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        struct input input = input_of_keys(KEYS_UNIFORM, 2, LENGTH / 2, 505);
        for (size_t n = 0; n < sizeof left / sizeof *left; n++) {
            for (size_t k = left[n]; k < input.length; k++)
                element_set(&input, k, 505 + (uint32_t)k % 7, 1, 0);
            expect_right_untold_on(&input);
        }
        input_free(&input);
    }
}

/* A pass of a counting sort reads each element twice, to count its digit and to move it, and stores it
 * once; the reduction reads it once more. What is read besides are the counts: one for each digit and
 * warp, a few times. Catches a second look at each element, a search for the runs, and elements of which
 * each is compared with others. */
Test(chapter30, reads_each_element_twice_a_pass_and_once_more)
{
    enum { LONG = 1 << 17, TIMES = 4 };
    operation_choose(0);
    set_multiprocessors(1);
    struct input input = input_within(KEYS_UNIFORM, 1, LONG, 12281);
    struct measurement cost = measure_input(&input);
    const uint64_t passes = cost.elsewhere.store.lanes / LONG; // counts are stored, too: fewer
    const uint64_t counts = TIMES * DIGITS * (cost.threads / WARP) * passes;
    expect_at_least(passes, "times that the elements are stored", 1,
                    "a pass stores each of %s elements once: at least", grouped(LONG));
    expect_exactly(cost.most_read, "times that an element is read where it lay first", 2,
                   "the first pass counts it, and moves it");
    expect_at_most(cost.elements.load.lanes + cost.elsewhere.load.lanes, "loads of the threads",
                   (2 * passes + 1) * LONG + counts,
                   "%s passes x 2 + 1 for each of %s elements, and %s counts at most",
                   grouped(passes), grouped(LONG), grouped(counts));
    technique_is(
        "no atomic on the bins; %s passes, and %s loads of the threads for %s elements, at "
        "most %s allowed",
        grouped(passes), grouped(cost.elements.load.lanes + cost.elsewhere.load.lanes),
        grouped(LONG), grouped((2 * passes + 1) * LONG + counts));
    input_free(&input);
}

/* A tile that is in order is stored in whole sectors, but for those where digits begin and end. Catches elements that are
 * stored as they come, each in a sector of its own. */
Test(chapter30, stores_neighbors_together)
{
    enum { A_FEW_TILES = 1 << 13, BINS = 505 };
    operation_choose(0);
    set_multiprocessors(1);
    struct input input = input_within(KEYS_UNIFORM, 4, A_FEW_TILES, BINS);
    struct measurement cost = measure_input(&input);
    expect_at_most(cost.elsewhere.store.sectors, "sectors stored beside the bins",
                   cost.elsewhere.store.lanes / 2,
                   "elements with one digit are put in order in shared memory, and stored beside "
                   "each other: half a "
                   "sector or less for each of %s stores",
                   grouped(cost.elsewhere.store.lanes));
    input_free(&input);
}

/* Catches a scatter of all sums, the empty ones, too: of many bins a few get something, and the others
 * are not even stored. */
Test(chapter30, stores_no_bin_that_gets_nothing)
{
    enum { FEW = 100 };
    operation_choose(0);
    struct input input = input_within(KEYS_UNIFORM, 3, FEW, 58113);
    struct measurement cost = measure_input(&input);
    const uint64_t words = operation_chosen() == ARGMAX ? 2 : 1; /* of a bin */
    expect_at_most(cost.bins.store.lanes, "stores to the bins", FEW * words,
                   "an empty bin keeps what it held: at most one for each of %s elements, and word "
                   "of a bin",
                   grouped(FEW));
    input_free(&input);
}
