/* 22_lock.c - right, and each update of a bin is made while its lock is held.
 *
 * Operations: count saturate float_sum wide_sum argmax vector_sum minmax
 *
 * The edge cases of tests/reduce_by_index.c catch here locks that nobody gets, or gets a second time:
 * the simulated GPU says who holds one, and where the others wait. Its racecheck sees what a lock
 * does not protect: a missing fence, a release that comes too early, a lock that is no atomic. */
#include "reduce_by_index/harness.h"

enum { LENGTH = 1 << 12, MANY = 505 };

/* A lock is a word that a thread sets by an atomic, and sets back itself: an acquire and a release are one held section (measure.h). Each element that has a bin is combined in
 * one; what a block commits comes on top. Catches updates by atomics, by compare-and-swap, and
 * elements that are combined first, in registers or in a warp: ideas of other chapters.
 *
 * Who holds the lock is alone with the bin, so that plain loads and stores do. A compare-and-swap of
 * something that is no lock, or an atomic on a bin, or on a copy of it, is another way to update it.
 * Catches chapter 21, and atomics where an operation has them. */
Test(chapter22, holds_a_lock_for_each_element)
{
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        struct input input = input_of_keys(KEYS_UNIFORM, 1, LENGTH, MANY);
        struct measurement cost = measure_input(&input);
        expect_at_least(
            cost.updates.locks, "held sections of locks", cost.counted,
            "%s: one acquire and one release for each of the %s elements that have a bin",
            operation_name(operation_chosen()), grouped(cost.counted));
        expect_exactly(cost.bins.atomic.lanes, "atomics on the bins", 0,
                       "%s: who holds the lock reads and writes the bin plainly; atomics",
                       operation_name(operation_chosen()));
        expect_exactly(cost.updates.attempts, "compare-and-swaps on words that are no locks", 0,
                       "%s: a lock is taken by an atomic and given back by the same thread; others",
                       operation_name(operation_chosen()));
        expect_at_most(cost.updates.others, "other atomics on words that are no locks",
                       cost.length / 32,
                       "%s: bins need none, nor copies of them; there may be one for each 32 "
                       "elements, to take work from: %s / 32",
                       operation_name(operation_chosen()), grouped(cost.length));
        if (i == 0)
            technique_is("%s held sections of locks for %s elements, and all locks free in the end",
                         grouped(cost.updates.locks), grouped(cost.counted));
        input_free(&input);
    }
}

/* What is taken is given back, by who took it. Bins that few elements have show it: nobody waits for
 * their locks in vain. Catches a lock that is kept on some path. */
Test(chapter22, leaves_all_locks_free)
{
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        struct input input = input_of_keys(KEYS_UNIFORM, 2, MANY, MANY);
        struct measurement cost = measure_input(&input);
        expect_exactly(cost.updates.held, "locks are held in the end", 0,
                       "%s: who acquires a lock releases it; locks that are held",
                       operation_name(operation_chosen()));
        input_free(&input);
    }
}

/* Of one bin there is one lock, that all who update it want; a block may have a copy of both. Catches a
 * lock for each thread, where nobody ever waits, and which protects nothing. */
Test(chapter22, has_one_lock_for_a_bin)
{
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        struct input input = input_within(KEYS_SINGLE, 1, 512, 1);
        struct measurement cost = measure_input(&input);
        expect_at_most(
            cost.updates.words, "locks were taken", cost.blocks + 1,
            "%s: there is one bin, of which each of the %s blocks may have a copy, with a "
            "lock: blocks + 1",
            operation_name(operation_chosen()), grouped(cost.blocks));
        input_free(&input);
    }
}

/* All elements want one lock, lanes of a warp among them. A warp whose lanes wait for a lane that
 * waits for them never ends. */
Test(chapter22, ends_where_a_warp_wants_one_lock)
{
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        struct input input = input_within(KEYS_SINGLE, 1, 256, 1);
        expect_right_on_input(&input);
        input_free(&input);
    }
}
