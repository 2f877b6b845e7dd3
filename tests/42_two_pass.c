/* 42_two_pass.c - right, and in two launches, whatever the length.
 *
 * Operations: sum max float_sum dot
 *
 * The edge cases of tests/reduce.c catch here a thread that takes one value and goes, a step that is not
 * that of the whole grid, a second pass that leaves the last block out. */
#include "reduce/harness.h"

enum { LENGTH = 1 << 16, MULTIPROCESSORS = 4 };

/* What one call costs on values that are all small. */
static struct measurement cost_of(size_t length)
{
    struct input input = input_of_values(VALUES_SMALL, 1, length);
    struct measurement cost = measure_input(&input);
    input_free(&input);
    return cost;
}

/* A grid of a few multiprocessors is soon full, so that a block has to go round again, and the second
 * pass has more than one result. Catches a third pass that a longer array needs, one pass where the
 * array is short, and a kernel that stops to launch where there is nothing left to do. */
Test(chapter42, launches_twice_whatever_the_length)
{
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        set_multiprocessors(MULTIPROCESSORS);
        const struct measurement grid = cost_of(LENGTH / 4);
        const size_t lengths[] = {
            1, 33, grid.threads_per_block, grid.threads_per_block + 1, grid.threads + 1, LENGTH};
        for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
            const struct measurement cost = cost_of(lengths[k]);
            expect_exactly(cost.launches, "launches", 2,
                           "%s, %s values: one in which all blocks take part, one for what they "
                           "leave; launches",
                           operation_name(operation_chosen()), grouped(lengths[k]));
        }
        if (i == 0)
            technique_is("2 launches for 1 to 4,294,967,295 values, and no atomic");
    }
}

/* Only the beginning of each launch runs. Catches launches that depend on the length: a kernel that is
 * launched again until one block is enough, which 64 K values do not need. */
Test(chapter42, launches_twice_for_4294967295_values)
{
    operation_choose(0);
    expect_exactly(launches_on_the_longest_input(&reduce_contract), "launches", 2,
                   "%s, 4,294,967,295 values: a block takes as many as there are for it, and the "
                   "second launch reduces what all blocks leave; launches",
                   operation_name(operation_chosen()));
}

/* Partial results lie each in a place of its own, so nobody competes, and the end of the first launch is
 * what the second waits for. Catches an atomic on the result, a counter by which the last block is found,
 * and a grid that waits for itself. */
static void expect_no_atomic(const struct measurement *cost)
{
    expect_exactly(cost->values.atomic.lanes + cost->result.atomic.lanes +
                       cost->elsewhere.atomic.lanes + cost->shared.atomic.lanes,
                   "atomics", 0, "%s: each block leaves its result where no other does; atomics",
                   operation_name(operation_chosen()));
    expect_exactly(cost->grid_barriers, "times that a grid waits for itself", 0,
                   "%s: the second launch begins when the first has ended; waits",
                   operation_name(operation_chosen()));
}

/* Catches one block that does all the work of the first pass, so that there is nothing left for the
 * second; and a second pass that reads the values once more. */
static void expect_values_shared(const struct measurement *cost)
{
    expect_at_least(cost->reading_blocks, "blocks that read values", MULTIPROCESSORS,
                    "%s, %s values: each of the %s multiprocessors has work; blocks",
                    operation_name(operation_chosen()), grouped(LENGTH), grouped(MULTIPROCESSORS));
    expect_threads_share(&reduce_contract, cost);
    expect_exactly(cost->most_read, "reads of one value", 1,
                   "%s: the second launch reads what the blocks have left, and no value; reads",
                   operation_name(operation_chosen()));
}

Test(chapter42, makes_no_atomic_and_shares_the_values)
{
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        set_multiprocessors(MULTIPROCESSORS);
        const struct measurement cost = cost_of(LENGTH);
        expect_no_atomic(&cost);
        expect_values_shared(&cost);
    }
}
