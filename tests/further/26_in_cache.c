/* 26_in_cache.c - the exercise of chapter 26: the copies of a bin side by side.
 *
 * Operations: count saturate float_sum wide_sum argmax */
#include "reduce_by_index/harness.h"

enum { LENGTH = 1 << 14, SECTOR = 32 };

/* Lanes with one key update neighboring words: 32 of 4 bytes lie in four sectors of 32 bytes, or five
 * where they begin in the middle of one. Catches copies that lie one after the other. */
Test(further26, puts_the_copies_of_a_bin_side_by_side)
{
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        struct input input = input_within(KEYS_SINGLE, 1, LENGTH, 31);
        const struct measurement cost = measure_input(&input);
        const uint64_t bytes = operation_bin_bytes(operation_chosen());
        const struct sim_access_counters copies = cost.elsewhere.atomic;
        expect_at_most(
            copies.sectors, "sectors of the atomics on the copies", copies.requests * (bytes + 1),
            "32 neighboring words of %s bytes lie in %s sectors, and one more where they "
            "begin in the middle of one; for %s requests",
            grouped(bytes), grouped(bytes), grouped(copies.requests));
        if (i == 0)
            technique_is("%s sectors for %s requests of atomics on the copies",
                         grouped(copies.sectors), grouped(copies.requests));
        input_free(&input);
    }
}

/* Catches updates of the bins, which have no copies. */
Test(further26, still_updates_copies)
{
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        struct input input = input_within(KEYS_SINGLE, 2, LENGTH, 31);
        const struct measurement cost = measure_input(&input);
        expect_at_least(cost.elsewhere.addresses, "copies of a bin", LENGTH / (2 * 31),
                        "the model is that of the chapter: elements / (2 x bins) = %s / (2 x 31)",
                        grouped(LENGTH));
        input_free(&input);
    }
}
