/* 45_grid_sync.c - right, in one cooperative launch, whose grid waits for itself.
 *
 * Operations: sum max float_sum dot
 *
 * The tests of tests/reduce.c run on 1, 3 and 132 multiprocessors: they catch here a grid of fixed size,
 * which a small device refuses, and a block that leaves before the others have come. */
#include "reduce/harness.h"

enum { LENGTH = 1 << 14, MULTIPROCESSORS = 4, SEEDS = 20 };

/* On few multiprocessors, so that each block has some values. */
static struct measurement measure_on_few(uint64_t seed)
{
    struct input input = input_of_values(VALUES_SMALL, seed, LENGTH);
    set_multiprocessors(MULTIPROCESSORS);
    struct measurement cost = measure_input(&input);
    input_free(&input);
    return cost;
}

/* What a block has found is left in memory until all have come. Catches blocks that leave nothing, and
 * let one of them read all values once more; and blocks that all read what all have left. */
static void expect_results_left_in_memory(const struct measurement *cost)
{
    const char *name = operation_name(operation_chosen());
    expect_at_least(cost->elsewhere.store.lanes, "stores beside the result", cost->blocks - 1,
                    "%s: each block but one has to leave what it found: blocks - 1", name);
    expect_at_most(cost->most_read, "loads of one value", 1,
                   "%s: after the wait nobody has to read the values again; loads", name);
    expect_at_most(cost->elsewhere.load.lanes, "loads beside the values",
                   4 * cost->elsewhere.store.lanes,
                   "%s: one block reads what the others have left, or a tree of blocks does, and "
                   "not each of them all: 4 x %s stores",
                   name, grouped(cost->elsewhere.store.lanes));
}

/* Who waits for all needs no ticket, and no atomic on the result. Catches a cooperative launch of the
 * kernels of chapters 43 and 44. */
static void expect_no_atomics(const struct measurement *cost)
{
    const char *name = operation_name(operation_chosen());
    expect_exactly(cost->result.atomic.lanes, "atomics on the result", 0,
                   "%s: one thread sets it when all blocks have come; atomics", name);
    expect_exactly(cost->elsewhere.atomic.lanes, "atomics elsewhere in global memory", 0,
                   "%s: grid.sync() counts the blocks itself, and there is nothing else to "
                   "count; atomics",
                   name);
}

/* One kernel, launched so that all its blocks are on the device together. Catches a second kernel for
 * what the blocks have found; a launch whose blocks wait by other means, and may wait for ever. */
static void expect_one_cooperative_launch(const struct measurement *cost)
{
    const char *name = operation_name(operation_chosen());
    expect_exactly(cost->launches, "launches", 1,
                   "%s: blocks that can wait for each other need no second kernel; launches", name);
    expect_exactly(cost->cooperative_launches, "cooperative launches", 1,
                   "%s: only in such a launch may a grid wait for itself; launches", name);
    expect_at_least(cost->grid_barriers, "times that the grid waited for itself", 1,
                    "%s: between what the blocks leave and who reads it all must have come", name);
    if (operation_turn(operation_chosen()) == 0)
        technique_is("1 cooperative launch of %s blocks, which waited for each other %s",
                     grouped(cost->blocks), cost->grid_barriers == 1 ? "once" : "more than once");
}

Test(chapter45, makes_no_atomics)
{
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        const struct measurement cost = measure_on_few(1);
        expect_results_left_in_memory(&cost);
        expect_no_atomics(&cost);
        expect_one_cooperative_launch(&cost);
    }
}

/* The grid is as large as the device has room for, and no larger. Catches one block that does it all and
 * waits for itself alone, and a grid that does not grow with the device. */
Test(chapter45, fills_the_device)
{
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        struct measurement cost = measure_on_few(3);
        const char *name = operation_name(operation_chosen());
        expect_at_least(cost.reading_blocks, "blocks that read values", MULTIPROCESSORS,
                        "%s: of %s values there is enough for each multiprocessor of this device",
                        name, grouped(LENGTH));
        expect_threads_share(&reduce_contract, &cost);
        expect_at_most(cost.blocks, "blocks", cost.resident,
                       "%s: so many are on the device at a time, says the occupancy API", name);
    }
}

/* More blocks than a warp has lanes, or a block of 256 has threads. Catches threads that read one result
 * each, and leave the others out. */
Test(chapter45, reads_the_results_of_many_blocks)
{
    enum { MANY = 33, ROOM = 2048 };
    operation_choose(0);
    struct input input = input_of_values(VALUES_SMALL, 6, MANY * ROOM + 1);
    set_multiprocessors(MANY);
    expect_right_once_on(&input);
    input_free(&input);
}

/* On 20 schedules, with the first operation, blocks come to the wait in many orders; the others wait by
 * the same lines. Catches a barrier of the block in the place of that of the grid. */
Test(chapter45, has_no_report_on_20_schedules)
{
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        struct input input = input_of_values(VALUES_SMALL, 5, LENGTH / 2 + 1);
        const struct oracle oracle = result_of(&input);
        set_multiprocessors(MULTIPROCESSORS);
        for (unsigned int seed = 1; seed <= (i == 0 ? SEEDS : SEEDS / 4); seed++) {
            unsigned char held[16];
            set_schedule(seed);
            run_unjudged(&input, held);
            expect_that(result_agrees(&oracle, held, 0),
                        "%s: on schedule %u the result is another one; nobody may read what "
                        "blocks leave before all have left it",
                        operation_name(operation_chosen()), seed);
        }
        input_free(&input);
    }
}
