/* 21_compare_and_swap.c - right, and each update of a bin is a compare-and-swap.
 *
 * Operations: count saturate float_sum wide_sum argmax
 *
 * The edge cases of tests/reduce_by_index.c catch here updates that are lost: a compare-and-swap whose
 * result nobody looks at, a value that is combined once and for all, one half of a word at a time. */
#include "reduce_by_index/harness.h"

#include <math.h>
#include <string.h>

enum { LENGTH = 1 << 14, MANY = 505 };

static uint32_t bits_of(float number)
{
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

/* The compare-and-swaps of a measurement, wherever the bins or their copies lie. */
static uint64_t tries_in(const struct measurement *cost)
{
    return cost->bins.cas.lanes + cost->elsewhere.cas.lanes + cost->shared.cas.lanes;
}

/* The atomics on one memory that are no compare-and-swap. */
static uint64_t others_in(const struct watched *memory)
{
    return memory->atomic.lanes - memory->cas.lanes;
}

/* NaN is not equal to NaN, and -0 is equal to 0: whoever compares numbers where the word is meant
 * tries for ever, or takes a swap that failed for one that succeeded. Lanes of a warp compete for two
 * bins; there are fewer elements than bins. Catches comparing floats by == and !=. */
Test(chapter21, compares_bits_and_not_values)
{
    enum { FEW = 256 };
    const float before[] = {NAN, -0.0f}, values[] = {0.0f, 1.0f};
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        if (operation_chosen() != FLOAT_SUM)
            continue;
        struct input input = input_within(KEYS_UNIFORM, 3, FEW, MANY);
        memcpy(input.bins, before, sizeof before);
        for (uint32_t at = 0; at < FEW; at++)
            element_set(&input, at, at / 2 % 2, bits_of(values[at % 2]), 0);
        snprintf(input.name, sizeof input.name, "float_sum, bins 0 and 1 hold NaN and -0");
        expect_right_on_input(&input);
        input_free(&input);
    }
}

/* An element is in its bin when a compare-and-swap of its own has succeeded, so there is at least one
 * for each that has a bin; those that came too late are tries on top. Catches elements that are added
 * by another atomic, combined in registers or in a warp first, or left out since they would change
 * nothing: all right, and ideas of other chapters.
 *
 * Whoever stores into a bin holds a lock, or is the only one who has this bin: then it is stored once
 * at most. Catches the lock of the next chapter, which has compare-and-swaps, too, but not on what it
 * changes. */
Test(chapter21, tries_at_least_once_for_each_element)
{
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        struct input input = input_of_keys(KEYS_UNIFORM, 1, LENGTH, MANY);
        struct measurement cost = measure_input(&input);
        const uint64_t words = operation_bin_bytes(operation_chosen()) / 4;
        expect_at_most(cost.bins.store.lanes, "plain stores to the bins", cost.num_bins * words,
                       "%s: what is swapped is the bin itself, and a merge that has a bin to "
                       "itself stores it once: bins x words of 4 bytes = %s x %s",
                       operation_name(operation_chosen()), grouped(cost.num_bins), grouped(words));
        expect_at_least(tries_in(&cost), "compare-and-swaps", cost.counted,
                        "%s: each of the %s elements that have a bin needs one that succeeds",
                        operation_name(operation_chosen()), grouped(cost.counted));
        if (i == 0)
            technique_is("%s compare-and-swaps for %s elements, and no other atomic on the bins",
                         grouped(tries_in(&cost)), grouped(cost.counted));
        input_free(&input);
    }
}

/* No atomicAdd and no exchange on the bins, nor on copies of them in shared memory. Elsewhere in
 * global memory there may be a counter from which warps take work: one for each 32 elements, at most.
 * Catches atomicAdd, atomicMax and atomicExch where an operation happens to have them. */
Test(chapter21, makes_no_other_atomic_on_the_bins)
{
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        struct input input = input_of_keys(KEYS_ZIPF, 1, LENGTH, MANY);
        struct measurement cost = measure_input(&input);
        expect_exactly(others_in(&cost.bins) + others_in(&cost.shared),
                       "atomics other than compare-and-swap on the bins, or in shared memory", 0,
                       "%s: bins and their copies change by compare-and-swap alone; others",
                       operation_name(operation_chosen()));
        expect_at_most(others_in(&cost.elsewhere),
                       "atomics other than compare-and-swap elsewhere in global memory",
                       cost.length / 32,
                       "%s: there may be one for each 32 elements, to take work from: %s / 32",
                       operation_name(operation_chosen()), grouped(cost.length));
        input_free(&input);
    }
}
