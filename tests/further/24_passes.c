/* 24_passes.c - the exercise of chapter 24: two counters in a word, and half the passes.
 *
 * Operations: count */
#include "reduce_by_index/harness.h"

enum { FITTING = 232448 / 2 }; /* counters of 16 bits in the shared memory that a block can have */

static void expect_passes(size_t num_bins)
{
    struct input input = input_within(KEYS_UNIFORM, 1, 1 << 14, num_bins);
    const struct measurement cost = measure_input(&input);
    const uint64_t ranges = (num_bins + FITTING - 1) / FITTING;
    expect_exactly(cost.most_read, "times an element is read that is read most often", ranges,
                   "116,224 counters of 16 bits fit, and %s bins are so many ranges, rounded up",
                   grouped(num_bins));
    expect_exactly(cost.least_read, "times an element is read that is read least often", ranges,
                   "each range reads all elements, so the same");
    input_free(&input);
}

/* Catches counters of 32 bits, and of 8 bits. */
Test(further24, reads_half_as_often)
{
    expect_passes(FITTING);
    expect_passes(2 * FITTING - 1000);
    expect_passes(2 * FITTING + 1000);
    technique_is("%s bins in 2 passes", grouped(2 * FITTING - 1000));
}

/* What a counter of 16 bits loses when it is full, and what it gives its neighbor. Catches a carry
 * that nobody takes back, one that is lost when both are full, and counters that are cut. */
Test(further24, loses_no_carry)
{
    for (uint32_t key = 0; key < 2; key++)
        for (size_t more = 0; more < 2; more++) {
            struct input input = input_within(KEYS_SINGLE, 2, 3 * 65536 - 1 + more, 64);
            for (size_t i = 0; i < input.length; i++)
                element_set(&input, i, key, 1, 0);
            expect_right_once_on(&input);
            input_free(&input);
        }
    struct input both = input_within(KEYS_SINGLE, 2, 4 * 65536, 64);
    for (size_t i = 0; i < both.length; i++)
        element_set(&both, i, i % 2, 1, 0);
    expect_right_on_input(&both);
    input_free(&both);
}
