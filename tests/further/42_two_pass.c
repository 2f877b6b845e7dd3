/* 42_two_pass.c - the exercise of chapter 42: the same bits on every device.
 *
 * Operations: float_sum dot */
#include "reduce/harness.h"

#include <string.h>

enum { LENGTH = 1 << 16 };

/* A float is rounded after each addition, so its last bits tell in which order values were added. Who
 * lets the number of multiprocessors decide which thread adds what has another result on another card.
 * Catches a grid as large as the device. */
Test(further42, gives_the_same_bits_on_every_device)
{
    const unsigned int multiprocessors[] = {1, 3, 20, 132};
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        struct input input = input_of_values(VALUES_ANY, 1, LENGTH);
        unsigned char first[16], held[16];
        for (size_t k = 0; k < sizeof multiprocessors / sizeof *multiprocessors; k++) {
            set_multiprocessors(multiprocessors[k]);
            run_unjudged(&input, k == 0 ? first : held);
            expect_that(k == 0 || memcmp(first, held, operation_bin_bytes(operation_chosen())) == 0,
                        "%s: on a device of %u multiprocessors the result has other bits than on "
                        "one of 1; which thread adds which values must not depend on it",
                        operation_name(operation_chosen()), multiprocessors[k]);
        }
        if (i == 0)
            technique_is("the same bits on devices of 1, 3, 20 and 132 multiprocessors");
        input_free(&input);
    }
}

/* As before: it is not one thread, nor one block, that adds in order. */
Test(further42, still_shares_the_values_in_two_launches)
{
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        struct input input = input_of_values(VALUES_ANY, 2, LENGTH);
        const struct measurement cost = measure_input(&input);
        expect_exactly(cost.launches, "launches", 2, "%s: one for the values, one for the rest",
                       operation_name(operation_chosen()));
        expect_at_least(cost.reading_blocks, "blocks that read values", 32,
                        "%s, %s values: a large device wants at least",
                        operation_name(operation_chosen()), grouped(LENGTH));
        input_free(&input);
    }
}
