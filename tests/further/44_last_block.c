/* 44_last_block.c - the exercise of chapter 44: no word hands out many tickets.
 *
 * Operations: sum max float_sum dot */
#include "reduce/harness.h"

enum { MULTIPROCESSORS = 33, ROOM = 2048, LENGTH = MULTIPROCESSORS * ROOM, MOST_TICKETS = 32 };

static struct measurement measure_many(uint64_t seed)
{
    struct input input = input_of_values(VALUES_SMALL, seed, LENGTH);
    set_multiprocessors(MULTIPROCESSORS);
    struct measurement cost = measure_input(&input);
    input_free(&input);
    return cost;
}

/* Catches a second kernel, and a wait. */
Test(further44, still_launches_one_kernel_that_waits_for_nobody)
{
    struct measurement cost = measure_many(1);
    expect_exactly(cost.launches, "launches", 1, "the last block of all finishes; launches");
    expect_exactly(cost.grid_barriers, "times that the grid waited for itself", 0,
                   "who is not the last of its group leaves; times");
}

/* Catches one word for all tickets, and so few blocks that one word is enough. */
Test(further44, draws_at_most_32_tickets_from_one_word)
{
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        struct measurement cost = measure_many(2);
        const char *name = operation_name(operation_chosen());
        expect_at_least(cost.reading_blocks, "blocks that read values", MULTIPROCESSORS,
                        "%s: of %s values there is enough for each multiprocessor of this device",
                        name, grouped(LENGTH));
        expect_at_most(
            cost.elsewhere.most_to_one, "tickets drawn from one word", MOST_TICKETS,
            "%s: a group has at most 32 blocks, and there are at most 32 groups; tickets", name);
        expect_at_least(cost.elsewhere.atomic.lanes, "tickets", cost.blocks,
                        "%s: each of the blocks draws one of its group's: blocks", name);
        expect_at_most(cost.elsewhere.atomic.lanes, "tickets", 2 * cost.blocks,
                       "%s: no block draws more than one of its group's and one of the groups': "
                       "2 x blocks = 2 x %s",
                       name, grouped(cost.blocks));
        if (i == 0)
            technique_is("1 launch of %s blocks, and at most %s tickets from one word",
                         grouped(cost.blocks), grouped(cost.elsewhere.most_to_one));
    }
}
