/* How the rounds of global atomics are shared out among stripes of memory. */
#include <criterion/criterion.h>

#include "l2_rounds.h"

static const uintptr_t base = 0x7000000000;

/* A warp whose active lanes stand `step` bytes apart; its cost as the simulator counts it. */
static struct sim_event warp_of(uint32_t active, uintptr_t step, unsigned int rounds)
{
    struct sim_event event = {.space = SIM_GLOBAL, .access = SIM_ATOM, .active = active};
    event.cost = rounds;
    for (unsigned int lane = 0; lane < 32; lane++)
        event.address[lane] = base + lane * step;
    return event;
}

Test(l2_rounds, have_no_busiest_before_the_first_atomic)
{
    struct l2_rounds l2_rounds = {0};
    cr_assert_eq(l2_rounds_busiest(&l2_rounds), 0);
}

Test(l2_rounds, count_every_lane_at_one_address)
{
    struct l2_rounds l2_rounds = {0};
    struct sim_event event = warp_of(0xffffffff, 0, 32);
    l2_rounds_add(&l2_rounds, &event);
    l2_rounds_add(&l2_rounds, &event);
    cr_assert_eq(l2_rounds.used, 1);
    cr_assert_eq(l2_rounds_busiest(&l2_rounds), 64);
    l2_rounds_free(&l2_rounds);
}

Test(l2_rounds, take_lanes_at_different_words_of_a_sector_for_one_round)
{
    struct l2_rounds l2_rounds = {0};
    struct sim_event event = warp_of(0xffffffff, 32, 32); /* a sector each, eight to a stripe */
    l2_rounds_add(&l2_rounds, &event);
    cr_assert_eq(l2_rounds.used, 4);
    cr_assert_eq(l2_rounds_busiest(&l2_rounds), 8);
    event = warp_of(0xffffffff, 16, 16); /* two words of each sector */
    l2_rounds_add(&l2_rounds, &event);
    cr_assert_eq(l2_rounds.used, 4);
    cr_assert_eq(l2_rounds_busiest(&l2_rounds), 16);
    l2_rounds_free(&l2_rounds);
}

Test(l2_rounds, pass_over_lanes_that_take_no_part)
{
    struct l2_rounds l2_rounds = {0};
    struct sim_event event = warp_of(0x80000001, 1024, 2);
    l2_rounds_add(&l2_rounds, &event);
    cr_assert_eq(l2_rounds.used, 2);
    cr_assert_eq(l2_rounds_busiest(&l2_rounds), 1);
    l2_rounds_free(&l2_rounds);
}

Test(l2_rounds, keep_the_rounds_of_many)
{
    struct l2_rounds l2_rounds = {0};
    for (uintptr_t i = 0; i < 5000; i++) {
        struct sim_event event = warp_of(1, 0, 1);
        event.address[0] = base + i * STRIPE_BYTES;
        l2_rounds_add(&l2_rounds, &event);
        if (i % 1000 == 7)
            l2_rounds_add(&l2_rounds, &event);
    }
    cr_assert_eq(l2_rounds.used, 5000);
    cr_assert_eq(l2_rounds_busiest(&l2_rounds), 2);
    l2_rounds_free(&l2_rounds);
}
