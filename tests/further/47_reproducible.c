/* 47_reproducible.c - the exercise of chapter 47: wide loads wherever the values begin, and the same bits.
 *
 * Operations: float_sum */
#include "reduce/harness.h"

#include <string.h>

enum { LENGTH = 1 << 17, REQUEST = 512, BITS = 4 };

/* Values that begin between two words are read in words all the same, but for the ends of the array, and a
 * word that two warps share twice. Catches scalar loads where the array is not aligned. */
Test(further47, reads_16_sectors_a_request_wherever_the_values_begin)
{
    operation_choose(0);
    uint64_t requests = 0;
    set_multiprocessors(2);
    for (size_t by = 1; by <= 3; by++) {
        struct input input = input_of_values(VALUES_ANY, 1, LENGTH);
        input.misalignment = by;
        struct measurement cost = measure_input(&input);
        const uint64_t bytes = cost.length * sizeof(float);
        expect_at_least(cost.full_requests * REQUEST, "bytes read in requests of 16 bytes a lane",
                        bytes - bytes / 8,
                        "values that begin %s after a multiple of 16 bytes are read 32 lanes x 16 "
                        "bytes at a time, but for the ends, an eighth at most: %s - %s / 8",
                        grouped(by), grouped(bytes), grouped(bytes));
        requests += cost.values.load.requests;
        input_free(&input);
    }
    technique_is("%s load requests for three times %s values that are not aligned",
                 grouped(requests), grouped(LENGTH));
}

/* Catches lanes that add what their word has: it is another sum for each address. */
Test(further47, leaves_the_same_bits_wherever_the_values_begin)
{
    operation_choose(0);
    struct input input = input_of_values(VALUES_ANY, 2, LENGTH + 5);
    unsigned char first[16], held[16];
    set_multiprocessors(2);
    run_unjudged(&input, first);
    for (size_t by = 1; by <= 5; by++) {
        input.misalignment = by;
        run_unjudged(&input, held);
        expect_that(memcmp(first, held, BITS) == 0,
                    "%s: the sum has other bits when values begin %zu values after a multiple of "
                    "256 bytes",
                    input.name, by);
    }
    input_free(&input);
}
