/* 43_atomic_result.c - right, and each block that is resident makes one atomic on the result.
 *
 * Operations: sum max float_sum
 *
 * tests/reduce.c catches here a result that nobody has set before the first block adds to it, one that
 * is set too late, and a float to which values are added one by one. */
#include "reduce/harness.h"

enum { LENGTH = 1 << 16, MULTIPROCESSORS = 4 };

static struct measurement cost_of(enum values kind, size_t length)
{
    struct input input = input_of_values(kind, 1, length);
    struct measurement cost = measure_input(&input);
    input_free(&input);
    return cost;
}

/* A block combines what its threads have, and goes round until there is nothing left; so there are no
 * more atomics than blocks on the device at a time. Catches an atomic for each value, thread or warp,
 * and a block for every thousand values. */
static void expect_one_atomic_for_each_resident_block(const struct measurement *cost)
{
    expect_at_most(cost->result.atomic.lanes, "atomics on the result", cost->resident,
                   "%s, %s values: a block makes one, and blocks go round, so that there are no "
                   "more of them than are resident",
                   operation_name(operation_chosen()), grouped(LENGTH));
    if (operation_turn(operation_chosen()) == 0)
        technique_is("%s atomics on the result for %s values, at most the %s resident blocks "
                     "allowed",
                     grouped(cost->result.atomic.lanes), grouped(LENGTH), grouped(cost->resident));
}

/* Catches one block that does all the work, and so needs one atomic only. */
static void expect_values_shared(const struct measurement *cost)
{
    expect_at_least(cost->reading_blocks, "blocks that read values", MULTIPROCESSORS,
                    "%s, %s values: each of the %s multiprocessors has work; blocks",
                    operation_name(operation_chosen()), grouped(LENGTH), grouped(MULTIPROCESSORS));
    expect_threads_share(&reduce_contract, cost);
    expect_exactly(cost->most_read, "reads of one value", 1, "%s: each is combined once; reads",
                   operation_name(operation_chosen()));
}

/* The operation is one of hardware's: it does not fail and is not tried again. A store sets the result
 * before all blocks, and that is all. Catches a compare-and-swap, a lock, and a block that stores. */
static void expect_atomic_of_the_operation(const struct measurement *cost)
{
    expect_exactly(cost->result.cas.lanes + cost->result.exchange.lanes,
                   "compare-and-swaps and exchanges on the result", 0,
                   "%s: hardware has an atomic for this operation; others",
                   operation_name(operation_chosen()));
    expect_at_most(cost->result.store.lanes, "stores to the result", 1,
                   "%s: it is set once, before the first block comes",
                   operation_name(operation_chosen()));
}

Test(chapter43, makes_one_atomic_for_each_resident_block)
{
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        set_multiprocessors(MULTIPROCESSORS);
        const struct measurement cost = cost_of(VALUES_SMALL, LENGTH);
        expect_one_atomic_for_each_resident_block(&cost);
        expect_values_shared(&cost);
        expect_atomic_of_the_operation(&cost);
    }
}

/* All values are 1, so that every block has something to bring, but of max another block may have been
 * there with the same. Catches partial results that a second pass reduces, a last block that is found by
 * a counter, and one atomic at the end of all that, for show; and the same atomics for each value, in
 * another memory. */
Test(chapter43, brings_what_each_block_has_to_the_result)
{
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        set_multiprocessors(MULTIPROCESSORS);
        const struct measurement cost = cost_of(VALUES_ONES, LENGTH);
        expect_at_least(cost.result.add.lanes + cost.result.extreme.lanes, "atomics on the result",
                        operation_chosen() == MAX ? 1 : cost.reading_blocks,
                        "%s: each block that reads values adds what it makes of them",
                        operation_name(operation_chosen()));
        expect_exactly(cost.elsewhere.store.lanes + cost.elsewhere.atomic.lanes,
                       "stores and atomics elsewhere in global memory", 0,
                       "%s: what a block has goes to the result, and to no other place; there",
                       operation_name(operation_chosen()));
        expect_at_most(cost.shared.atomic.lanes - cost.shared.cas.lanes, "atomics in shared memory",
                       cost.counters.threads,
                       "%s: a thread combines its values in a register, and brings what it has "
                       "once: threads",
                       operation_name(operation_chosen()));
    }
}
