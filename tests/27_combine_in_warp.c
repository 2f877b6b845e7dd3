/* 27_combine_in_warp.c - right, and what a warp has of one key reaches the bin as one update.
 *
 * Operations: count float_sum wide_sum argmax
 *
 * The edge cases of tests/reduce_by_index.c catch here lanes that leave before the others are done
 * with them, values that are combined twice or not at all, and keys that are taken for each other. */
#include "reduce_by_index/harness.h"

enum { LENGTH = 1 << 14, WARP = 32 };

/* Atomics that the elements cause: in shared memory or on copies, if there are any, else on the
 * bins. */
static uint64_t updates_of(const struct measurement *cost)
{
    const uint64_t before = cost->shared.atomic.lanes + cost->elsewhere.atomic.lanes;
    return before ? before : cost->bins.atomic.lanes;
}

/* Catches one lane that reads for all 32, which has nobody to combine with. */
static void expect_whole_warps(const struct measurement *cost)
{
    expect_at_least(
        cost->elements.load.lanes, "elements loaded, by lanes",
        cost->elements.load.requests * WARP / 2,
        "there is something to combine when the warp loads together: half of 32 lanes in "
        "each of %s requests are",
        grouped(cost->elements.load.requests));
}

/* A warp that loads 32 elements with d keys makes d updates. An operation with an atomic makes no
 * second try, so all are counted. Catches updates for each element, and combining only neighbors. */
Test(chapter27, updates_once_for_each_key_of_a_request)
{
    static const enum keys crowds[] = {KEYS_ZIPF, KEYS_SINGLE, KEYS_STRIDE_63};
    bool logged = false;
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        for (size_t k = 0; k < sizeof crowds / sizeof *crowds; k++) {
            struct input input = input_of_keys(crowds[k], 1, LENGTH, 505);
            const struct measurement cost = measure_input(&input);
            expect_whole_warps(&cost);
            if (operation_has_atomic(operation_chosen()))
                expect_at_most(
                    updates_of(&cost), "atomics for the elements", cost.distinct_keys,
                    "when each warp combines what it has loaded of a key, they are at most "
                    "the distinct keys of its requests");
            if (!logged)
                technique_is("%s updates for %s elements, at most the %s distinct keys of the "
                             "requests",
                             grouped(updates_of(&cost)), grouped(cost.counted),
                             grouped(cost.distinct_keys));
            logged = true;
            input_free(&input);
        }
    }
}

/* One warp alone has no rivals, so that no compare-and-swap fails: the tries are the first ones.
 * Catches the same for operations that have no atomic. */
Test(chapter27, tries_once_for_each_key_of_a_single_request)
{
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        for (uint64_t seed = 1; seed <= 4; seed++) {
            struct input input = input_of_keys(KEYS_UNIFORM, seed, WARP, 8);
            const struct measurement cost = measure_input(&input);
            expect_whole_warps(&cost);
            expect_at_most(updates_of(&cost), "tries for one request of 32 elements",
                           cost.distinct_keys,
                           "each of its distinct keys is combined before anyone competes, and they "
                           "are");
            input_free(&input);
        }
    }
}

/* Whoever competes, it is not two lanes of one warp. Catches leaders that are chosen by something
 * else than the key. */
Test(chapter27, lets_no_two_lanes_of_a_warp_compete)
{
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        struct input input = input_of_keys(KEYS_NINETY, 5, LENGTH, 31);
        const struct measurement cost = measure_input(&input);
        expect_exactly(cost.bins.meeting + cost.shared.meeting + cost.elsewhere.meeting,
                       "lanes contend with another of their request in an atomic", 0,
                       "equal keys of a warp are combined, so that two lanes that contend are");
        input_free(&input);
    }
}
