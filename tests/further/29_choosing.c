/* 29_choosing.c - the exercise of chapter 29: no sample of elements that are hardly more than it.
 *
 * Operations: count saturate float_sum wide_sum argmax */
#include "reduce_by_index/harness.h"

enum { SHORT = 14000, LONG = 1 << 15, MANY = 505 };

/* A sample costs a launch and reads keys twice. Here it would be a 28th of them. Catches
 * an inspector that is always asked. */
Test(further29, takes_no_sample_of_few_elements)
{
    uint64_t read = 0;
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        struct input input = input_of_keys(KEYS_UNIFORM, 1, SHORT, MANY);
        set_multiprocessors(1);
        struct measurement cost = measure_input(&input);
        const uint64_t here = cost.bytes_read / operation_element_bytes(operation_chosen());
        expect_exactly(here, "elements read", SHORT,
                       "%s: with bins in shared memory, each once, which is",
                       operation_name(operation_chosen()));
        read += here;
        input_free(&input);
    }
    technique_is("%s elements read, each once, where they are few", grouped(read));
}

/* Where there are many, the sample is worth what it costs: the only key is kept in a register. Catches a
 * kernel that has left out the inspector. */
Test(further29, still_takes_one_of_many)
{
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        if (operation_chosen() != FLOAT_SUM)
            continue;
        struct input input = input_within(KEYS_SINGLE, 2, LONG, MANY);
        set_multiprocessors(1);
        struct measurement cost = measure_input(&input);
        expect_at_most(
            cost.bins.atomic.lanes + cost.shared.atomic.lanes + cost.elsewhere.atomic.lanes,
            "atomics", LONG / 4,
            "float_sum: a thread keeps the only key in a register, and hardly one of four "
            "elements makes an atomic");
        input_free(&input);
    }
}
