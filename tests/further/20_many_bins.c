/* 20_many_bins.c - the exercise of chapter 20: two counters in a word, twice as many bins.
 *
 * Operations: count */
#include "reduce_by_index/harness.h"

enum { LENGTH = 1 << 16, MOST_BINS = 116224, FULL = 1 << 15 };

/* Twice 58,112 bins in the same shared memory. Catches counting in global memory, and two passes. */
Test(further20, counts_twice_as_many_bins_in_shared_memory)
{
    operation_choose(0);
    set_multiprocessors(1);
    struct input input = input_within(KEYS_UNIFORM, 1, LENGTH, MOST_BINS);
    const struct measurement cost = measure_input(&input);
    expect_at_least(cost.shared.atomic.lanes, "atomics in shared memory", cost.counted,
                    "two bins share a word there, and each counted key makes one");
    expect_exactly(cost.atomics_while_reading, "global atomics while keys are read", 0,
                   "no key is there often enough to fill 16 bits, and none is needed");
    expect_exactly(cost.bytes_read, "bytes of keys read", 4 * LENGTH,
                   "each of %s keys is read once", grouped(LENGTH));
    technique_is("%s bins in %s bytes of shared memory", grouped(cost.num_bins),
                 grouped(cost.shape.dynamic_shared + cost.shape.static_shared));
    input_free(&input);
}

/* A counter of 16 bits is emptied when it is full, or half full. Catches counters that overflow into
 * their neighbor: both halves of a word, and by as many keys as fill them more than twice. */
Test(further20, empties_what_is_full)
{
    operation_choose(0);
    enum { MANY = 5 * FULL + 3 };
    set_multiprocessors(1);
    for (uint32_t half = 0; half < 2; half++) {
        struct input input = input_within(KEYS_SINGLE, half, MANY, 70000);
        for (size_t i = 0; i < input.length; i++)
            element_set(&input, i, i % 9 ? 4000 + half : 4001 - half, 1, 0);
        expect_right_once_on(&input);
        const struct measurement cost = measure_input(&input);
        expect_at_most(cost.bins_while_reading, "global atomics on the bins while keys are read",
                       2 + MANY / (FULL / 2),
                       "a counter is emptied when it is half full or fuller: two bins + keys / %s",
                       grouped(FULL / 2));
        input_free(&input);
    }
}
