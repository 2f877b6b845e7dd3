/* 44_last_block.c - right, in one launch, whose last block finishes.
 *
 * Operations: sum max float_sum dot
 *
 * The tests of tests/reduce.c catch here a ticket that does not begin at 0 again, so that in the next
 * call nobody is the last; and a last block that leaves results out. */
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

/* One kernel, and no block waits for all others: where they are not all on the device, they would wait
 * for ever. Catches a second kernel for what the blocks have found, one that zeroes the ticket, and the
 * wait of the next chapter. */
static void expect_one_kernel_that_waits_for_nobody(const struct measurement *cost)
{
    expect_exactly(cost->launches, "launches", 1,
                   "%s: the last block does what a second kernel would do; launches",
                   operation_name(operation_chosen()));
    expect_exactly(cost->grid_barriers, "times that the grid waited for itself", 0,
                   "%s: who is not the last leaves, and waits for nobody; times",
                   operation_name(operation_chosen()));
}

/* What a block has found is left in memory, and the last one reads it all: its own it may keep. Catches
 * results that travel another way, such as packed together with the ticket: right, and an idea of chapter
 * 46; and blocks that wait for each other, one after the other, and draw for show. */
static void expect_results_left_to_the_last(const struct measurement *cost)
{
    const char *name = operation_name(operation_chosen());
    const uint64_t words = operation_bin_bytes(operation_chosen()) / 4;
    expect_at_least(cost->elsewhere.store.lanes, "stores beside the result", cost->blocks - 1,
                    "%s: each block but the last has to leave what it found: blocks - 1", name);
    expect_at_least(cost->elsewhere.load.lanes, "loads beside the values", cost->blocks - 1,
                    "%s: the last block reads what the others have left: blocks - 1", name);
    expect_at_most(cost->elsewhere.load.lanes, "loads beside the values",
                   2 * cost->elsewhere.store.lanes,
                   "%s: the last block reads what all have left, and nobody waits for another "
                   "by looking again and again: 2 x %s stores",
                   name, grouped(cost->elsewhere.store.lanes));
    expect_at_most(cost->result.store.lanes, "stores to the result", words,
                   "%s: the last block sets it, once: words of 4 bytes", name);
}

/* The values are shared among blocks. Catches one block that reads them all, and draws for show. */
static void expect_every_multiprocessor_to_read(const struct measurement *cost)
{
    expect_at_least(cost->reading_blocks, "blocks that read values", MULTIPROCESSORS,
                    "%s: of %s values there is enough for each multiprocessor of this device",
                    operation_name(operation_chosen()), grouped(LENGTH));
    expect_threads_share(&reduce_contract, cost);
}

Test(chapter44, launches_one_kernel_that_waits_for_nobody)
{
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        const struct measurement cost = measure_on_few(1);
        expect_one_kernel_that_waits_for_nobody(&cost);
        expect_results_left_to_the_last(&cost);
        expect_every_multiprocessor_to_read(&cost);
    }
}

/* One word hands out tickets, and each block draws one. The last block may set the word back by an exchange,
 * as a cuda::atomic does. No other atomic is needed. Catches a ticket for
 * each thread or warp, and blocks that add to the result by themselves. */
Test(chapter44, draws_one_ticket_a_block)
{
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        struct measurement cost = measure_on_few(2);
        const char *name = operation_name(operation_chosen());
        expect_exactly(cost.result.atomic.lanes, "atomics on the result", 0,
                       "%s: the last block alone sets it, by a store; atomics", name);
        const uint64_t set_back = cost.elsewhere.exchange.lanes;
        expect_at_most(set_back, "exchanges", 1, "%s: the ticket is set back once", name);
        expect_exactly(cost.elsewhere.atomic.lanes - set_back, "atomics", cost.blocks,
                       "%s: each of the blocks draws one ticket, so blocks", name);
        expect_exactly(cost.elsewhere.most_to_one, "atomics on one word", cost.blocks + set_back,
                       "%s: the last one of them all is known only where all are drawn: blocks%s",
                       name, set_back ? ", and one that sets it back" : "");
        if (i == 0)
            technique_is("1 launch, and one ticket for each of its %s blocks",
                         grouped(cost.blocks));
    }
}

/* More blocks than a warp has lanes, or a block of 256 has threads. Catches a last block whose threads
 * read one result each, and leave the others out. */
Test(chapter44, reads_the_results_of_many_blocks)
{
    enum { MANY = 33, ROOM = 2048 };
    operation_choose(0);
    struct input input = input_of_values(VALUES_SMALL, 6, MANY * ROOM + 1);
    set_multiprocessors(MANY);
    expect_right_once_on(&input);
    input_free(&input);
}

/* 20 schedules: blocks finish in many orders, and each of them is the last one sometimes. Catches a
 * missing fence before the ticket, and one that reaches the threads of the block only. */
Test(chapter44, has_no_report_on_20_schedules)
{
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        struct input input = input_of_values(VALUES_SMALL, 5, LENGTH / 2 + 1);
        const struct oracle oracle = result_of(&input);
        set_multiprocessors(MULTIPROCESSORS);
        for (unsigned int seed = 1; seed <= SEEDS; seed++) {
            unsigned char held[16];
            set_schedule(seed);
            run_unjudged(&input, held);
            expect_that(result_agrees(&oracle, held, 0),
                        "%s: on schedule %u the result is another one; the last block reads what "
                        "others have left only when they have left it",
                        operation_name(operation_chosen()), seed);
        }
        input_free(&input);
    }
}
