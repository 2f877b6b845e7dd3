/* 22_lock.c - the exercise of chapter 22: fewer locks than bins.
 *
 * Operations: count argmax vector_sum minmax */
#include "reduce_by_index/harness.h"

enum { LENGTH = 1 << 12, MANY = 12281, LOCKS = 1024 };

/* What atomics touch beside the bins are the locks. Catches a lock for each bin, and locks in shared
 * memory, of which each block has its own. */
Test(further22, has_at_most_1024_locks)
{
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        struct input input = input_of_keys(KEYS_UNIFORM, 1, LENGTH, MANY);
        struct measurement cost = measure_input(&input);
        expect_at_most(cost.elsewhere.addresses, "words in global memory are locks", LOCKS,
                       "%s: bin j has lock j modulo 1,024; locks",
                       operation_name(operation_chosen()));
        expect_exactly(cost.shared.atomic.lanes, "atomics in shared memory", 0,
                       "%s: all locks lie in global memory; others",
                       operation_name(operation_chosen()));
        if (i == 0)
            technique_is("%s locks for %s bins", grouped(cost.elsewhere.addresses), grouped(MANY));
        input_free(&input);
    }
}

/* As in the chapter. Catches bins that are updated by something else. */
Test(further22, still_holds_a_lock_for_each_element)
{
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        struct input input = input_of_keys(KEYS_UNIFORM, 2, LENGTH, MANY);
        struct measurement cost = measure_input(&input);
        expect_at_least(
            cost.updates.locks, "held sections of locks", cost.counted,
            "%s: one acquire and one release for each of the %s elements that have a bin",
            operation_name(operation_chosen()), grouped(cost.counted));
        expect_exactly(cost.updates.held, "locks are held in the end", 0,
                       "%s: who acquires a lock releases it; locks that are held",
                       operation_name(operation_chosen()));
        input_free(&input);
    }
}
