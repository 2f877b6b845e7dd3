/* 46_at_the_roofline.c - the exercise of chapter 46: value and tickets in one word, for every operation.
 *
 * Operations: sum max float_sum dot */
#include "reduce/harness.h"

enum { LENGTH = 1 << 16, FEW = 8 };

/* What a block hands in is in the word that it exchanges, and the last block leaves 0 there. Catches
 * partial results, which need a fence, a second look by the last block, and memory for each block. */
Test(further46, stores_no_partial_results)
{
    uint64_t tries = 0;
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        set_multiprocessors(FEW);
        struct input input = input_of_values(VALUES_SMALL, 1, LENGTH);
        struct measurement cost = measure_input(&input);
        expect_at_most(cost.elsewhere.store.lanes, "stores beside the result", 1,
                       "%s: value and tickets lie in one word, and the last block leaves it at 0",
                       operation_name(operation_chosen()));
        expect_at_most(cost.elsewhere.addresses, "addresses of atomics beside the result", 1,
                       "%s: value and tickets lie in one word", operation_name(operation_chosen()));
        expect_exactly(cost.launches, "launches", 1, "%s: as in the chapter",
                       operation_name(operation_chosen()));
        tries += cost.elsewhere.atomic.lanes;
        input_free(&input);
    }
    technique_is("%s atomics on one word, for all operations, and no partial results",
                 grouped(tries));
}
