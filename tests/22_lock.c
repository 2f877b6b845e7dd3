/* 22_lock.c - right, and each update is a held section of a lock.
 *
 * Operations: count saturate float_sum wide_sum argmax vector_sum minmax
 */
#include "harness.h"

enum { LENGTH = 1 << 12, MANY = 505 };

/* Catches atomics on the bins. */
Test(chapter22, updates_bins_plainly)
{
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        struct input input = input_of(KEYS_UNIFORM, 1, LENGTH, MANY);
        struct measurement cost = measure(&input);
        expect_exactly(cost.bins.atomic.lanes, "atomics on the bins", 0,
                       "%s: a bin is read and written plainly while its lock is held, and it is",
                       operation_name(operation_now()));
        if (i == 0)
            technique_is("%s", grouped(cost.counted));
        input_free(&input);
    }
}
