/* 28_hardware_operator.c - the exercise of chapter 28: a maximum that is known already is not looked for
 * again.
 *
 * Operations: saturate argmax */
#include "reduce_by_index/harness.h"

#include <string.h>

enum { LENGTH = 1 << 14, MANY = 505 };

/* Fills the bins of argmax with what no element can raise: the largest value with the smallest index. */
static void fill_with_the_largest(struct input *input)
{
    const uint32_t best[] = {UINT16_MAX, 0};
    for (size_t j = 0; j < input->num_bins; j++)
        memcpy(input->bins + j * sizeof best, best, sizeof best);
}

/* A block begins with what the final bins hold, so that an element which cannot win makes no atomic,
 * in shared memory either. Sums have no such thing. Catches blocks that begin with nothing. */
Test(further28, raises_nothing_that_is_as_high_already)
{
    uint64_t raised = 0;
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        if (operation_chosen() != ARGMAX)
            continue;
        struct input input = input_within(KEYS_UNIFORM, 1, LENGTH, MANY);
        fill_with_the_largest(&input);
        struct measurement cost = measure_input(&input);
        const uint64_t tried =
            cost.bins.extreme.lanes + cost.shared.extreme.lanes + cost.elsewhere.extreme.lanes;
        expect_exactly(tried, "atomic maxima", 0,
                       "%s: every bin holds what no element is above, and a block that begins with "
                       "it tries nothing",
                       operation_name(operation_chosen()));
        raised += tried;
        input_free(&input);
    }
    technique_is("%s atomic maxima where the bins are at their largest", grouped(raised));
}

/* Where the bins hold nothing yet, they are raised as before. Catches a kernel that leaves maxima to
 * another operation. */
Test(further28, raises_what_is_higher)
{
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        if (operation_chosen() != ARGMAX)
            continue;
        struct input input = input_within(KEYS_UNIFORM, 2, LENGTH, MANY);
        memset(input.bins, 0, MANY * operation_bin_bytes(ARGMAX));
        for (size_t j = 0; j < MANY; j++)
            memset(input.bins + j * operation_bin_bytes(ARGMAX) + 4, 0xff, 4);
        struct measurement cost = measure_input(&input);
        expect_at_least(cost.bins.extreme.lanes, "atomic maxima on the bins", MANY / 2,
                        "argmax: most of %s bins get their first element, by one", grouped(MANY));
        input_free(&input);
    }
}
