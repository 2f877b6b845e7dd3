/* How the rounds of global atomics are shared out among stripes of memory. */
#include <criterion/criterion.h>

#include "stripes.h"

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

Test(stripes, have_no_busiest_before_the_first_atomic)
{
    struct stripes stripes = {0};
    cr_assert_eq(stripes_busiest(&stripes), 0);
}

Test(stripes, count_every_lane_at_one_address)
{
    struct stripes stripes = {0};
    struct sim_event event = warp_of(0xffffffff, 0, 32);
    stripes_add(&stripes, &event);
    stripes_add(&stripes, &event);
    cr_assert_eq(stripes.used, 1);
    cr_assert_eq(stripes_busiest(&stripes), 64);
    stripes_free(&stripes);
}

Test(stripes, take_lanes_at_different_words_of_a_sector_for_one_round)
{
    struct stripes stripes = {0};
    struct sim_event event = warp_of(0xffffffff, 32, 32); /* a sector each, eight to a stripe */
    stripes_add(&stripes, &event);
    cr_assert_eq(stripes.used, 4);
    cr_assert_eq(stripes_busiest(&stripes), 8);
    event = warp_of(0xffffffff, 16, 16); /* two words of each sector */
    stripes_add(&stripes, &event);
    cr_assert_eq(stripes.used, 4);
    cr_assert_eq(stripes_busiest(&stripes), 16);
    stripes_free(&stripes);
}

Test(stripes, pass_over_lanes_that_take_no_part)
{
    struct stripes stripes = {0};
    struct sim_event event = warp_of(0x80000001, 1024, 2);
    stripes_add(&stripes, &event);
    cr_assert_eq(stripes.used, 2);
    cr_assert_eq(stripes_busiest(&stripes), 1);
    stripes_free(&stripes);
}

Test(stripes, keep_the_rounds_of_many)
{
    struct stripes stripes = {0};
    for (uintptr_t i = 0; i < 5000; i++) {
        struct sim_event event = warp_of(1, 0, 1);
        event.address[0] = base + i * STRIPE_BYTES;
        stripes_add(&stripes, &event);
        if (i % 1000 == 7)
            stripes_add(&stripes, &event);
    }
    cr_assert_eq(stripes.used, 5000);
    cr_assert_eq(stripes_busiest(&stripes), 2);
    stripes_free(&stripes);
}
