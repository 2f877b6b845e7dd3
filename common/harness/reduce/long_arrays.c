/* long_arrays.c - an array that is longer than three launches of blocks of 256 take. */
#include <stdio.h>

#include "harness.h"

/* 256^3 zeros, but for a few, and what counts at the end. */
void expect_right_on_long_arrays(void)
{
    enum { LENGTH = 256 * 256 * 256 + 1, STEP = 1000003 };
    operation_choose(0);
    sim_set_multiprocessors(3);
    struct input input = input_of(VALUES_SPIKE, 1, 1);
    input_free(&input);
    input = input_of(VALUES_ONES, 1, LENGTH);
    input_set_number(&input, LENGTH - 1, 1000, 1);
    snprintf(input.name, sizeof input.name, "%s, 16,777,217 values, the last of which is large",
             operation_name(operation_now()));
    expect_right_once_on(&input);
    input_free(&input);
}
