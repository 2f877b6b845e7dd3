/* 30_sort_and_reduce.c - going further: two passes for 196,607 bins, whose numbers have 18 bits.
 *
 * Operations: count argmax */
#include "harness.h"

enum { LENGTH = 1 << 17, BINS = 196607 };

/* Digits of 9 bits or more sort 18 bits in two passes. What else is stored are counts, for each digit and
 * warp: on one multiprocessor they are fewer than the elements. Catches the chapter's three passes. */
Test(further30, sorts_18_bits_in_two_passes)
{
    operation_choose(0);
    sim_set_multiprocessors(1);
    struct input input = input_within(KEYS_UNIFORM, 1, LENGTH, BINS);
    struct measurement cost = measure(&input);
    expect_exactly(cost.bins.atomic.lanes, "atomics on the bins", 0, "a sorted run has one owner");
    expect_at_most(cost.elsewhere.store.lanes, "stores beside the bins", 3 * (uint64_t)LENGTH - 1,
                   "two passes store %s elements twice, and the counts: fewer than three times",
                   grouped(LENGTH));
    technique_is("%s stores beside the bins for %s elements in %s bins",
                 grouped(cost.elsewhere.store.lanes), grouped(LENGTH), grouped(BINS));
    input_free(&input);
}
