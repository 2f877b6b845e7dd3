/* 45_grid_sync.c - the exercise of chapter 45: every block learns the result.
 *
 * Operations: sum max float_sum dot */
#include "reduce/harness.h"

enum { LENGTH = 1 << 14, MULTIPROCESSORS = 4 };

/* Catches what only the first block learns, and a second wait with which it would tell the others. */
Test(further45, lets_every_block_learn_the_result_after_one_wait)
{
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        struct input input = input_of_values(VALUES_SMALL, 1, LENGTH);
        set_multiprocessors(MULTIPROCESSORS);
        struct measurement cost = measure_input(&input);
        const char *name = operation_name(operation_chosen());
        expect_exactly(cost.cooperative_launches, "cooperative launches", 1,
                       "%s: only in such a launch may a grid wait for itself; launches", name);
        expect_exactly(cost.grid_barriers, "times that the grid waited for itself", 1,
                       "%s: once all have come, everything is there; times", name);
        expect_at_least(cost.reading_blocks, "blocks that read values", MULTIPROCESSORS,
                        "%s: of %s values there is enough for each multiprocessor of this device",
                        name, grouped(LENGTH));
        expect_at_least(cost.elsewhere.load.lanes, "loads of what blocks have left",
                        cost.blocks * (cost.blocks - 1),
                        "%s: each block reads what all the others have left: "
                        "blocks x (blocks - 1) = %s x %s",
                        name, grouped(cost.blocks), grouped(cost.blocks - 1));
        expect_at_most(cost.result.store.lanes, "stores to the result",
                       operation_bin_bytes(operation_chosen()) / 4,
                       "%s: all know it, and one sets it: words of 4 bytes", name);
        if (i == 0)
            technique_is("1 wait, after which each of the %s blocks reads what the others left",
                         grouped(cost.blocks));
        input_free(&input);
    }
}
