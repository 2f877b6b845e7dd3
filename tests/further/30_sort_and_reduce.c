/* 30_sort_and_reduce.c - going further: two passes for 196,607 bins, whose numbers have 18 bits, and one launch
 * that scans the counts of a pass.
 *
 * Operations: count argmax */
#include "reduce_by_index/harness.h"

enum { LENGTH = 1 << 19, BINS = 196607, PASSES = 2, WARP = 32 };

/* Digits of 9 bits or more sort 18 bits in two passes. What else is stored are counts, for each digit and
 * warp: on one multiprocessor they are fewer than the elements. Catches the chapter's three passes, its two launches
 * for a scan, and a scan by one thread. */
Test(further30, sorts_18_bits_in_two_passes_of_three_launches)
{
    operation_choose(0);
    set_multiprocessors(1);
    struct input input = input_within(KEYS_UNIFORM, 1, LENGTH, BINS);
    struct measurement cost = measure_input(&input);
    expect_exactly(cost.bins.atomic.lanes, "atomics on the bins", 0, "a sorted run has one owner");
    expect_at_most(cost.elsewhere.store.lanes, "stores beside the bins", 3 * (uint64_t)LENGTH - 1,
                   "two passes store %s elements twice, and the counts: fewer than three times",
                   grouped(LENGTH));
    expect_at_most(
        cost.launches, "launches", PASSES * 3 + 2,
        "a pass counts, scans and scatters, and at the end runs and edges are reduced: 2 x 3 + 2");
    expect_at_most(cost.elsewhere.store.requests, "requests of warps to store beside the bins",
                   3 * LENGTH / WARP,
                   "in the stores of a scan, too, a warp has 32 lanes that store: %s / 32",
                   grouped(3 * (uint64_t)LENGTH));
    technique_is("%s launches, %s stores beside the bins for %s elements in %s bins",
                 grouped(cost.launches), grouped(cost.elsewhere.store.lanes), grouped(LENGTH),
                 grouped(BINS));
    input_free(&input);
}
