/* 43_atomic_result.c - the exercise of chapter 43: no atomic that changes nothing.
 *
 * Operations: sum max float_sum */
#include "reduce/harness.h"

enum { LENGTH = 1 << 16, MULTIPROCESSORS = 8 };

/* All values are neutral but one. Only the block that has it can change the result. Catches a block that
 * brings nothing. */
Test(further43, makes_no_atomic_that_changes_nothing)
{
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        set_multiprocessors(MULTIPROCESSORS);
        struct input input = input_of_values(VALUES_SPIKE, 1, LENGTH);
        const struct measurement cost = measure_input(&input);
        expect_at_most(cost.result.atomic.lanes, "atomics on the result", 1,
                       "%s: of %s values all are neutral but one, so one block has something to "
                       "bring",
                       operation_name(operation_chosen()), grouped(LENGTH));
        if (i == 0)
            technique_is("%s atomic where one of %s values is not neutral",
                         grouped(cost.result.atomic.lanes), grouped(LENGTH));
        input_free(&input);
    }
}

/* Where every block has something, each brings it, as before. Catches results that go another way. */
Test(further43, still_brings_what_each_block_has)
{
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        set_multiprocessors(MULTIPROCESSORS);
        struct input input = input_of_values(VALUES_ONES, 1, LENGTH);
        const struct measurement cost = measure_input(&input);
        expect_at_least(
            cost.result.atomic.lanes, "atomics on the result",
            operation_chosen() == MAX ? 1 : cost.reading_blocks,
            "%s: all values are 1, so each block that reads some has something to bring",
            operation_name(operation_chosen()));
        expect_at_least(cost.reading_blocks, "blocks that read values", MULTIPROCESSORS,
                        "%s: each multiprocessor has work; blocks",
                        operation_name(operation_chosen()));
        input_free(&input);
    }
}
