/* harness.h - what the suites of the chapters that implement reduce() are made of, beside expect_right_on.h, which
 * tells what a suite is. */
#ifndef HARNESS_H
#define HARNESS_H

#include "expect_right_on.h"
#include "operations.h"
#include "result.h"
#include "values.h"

/* For every operation that is asked for, on a few multiprocessors, these are judged: lengths 0, 1, 31, 32, 33, one
 * less and one more than a block and a grid of the kernel at hand; all kinds of values; unaligned beginnings; 1, 3 and
 * 132 multiprocessors. */
void expect_values_right_on_edge_cases(void);
/* Judges NaN, infinities, denormals, -0, and the largest integers. */
void expect_values_right_on_special_values(void);
/* Judges 256^3 + 1 values with one operation. The last one counts, and three launches of blocks of 256 drop it. Of a
 * kernel with a thread for each value only the last blocks run (long_arrays.c), and the same is asked of the cube and
 * the square of its own block. */
void expect_right_on_long_arrays(void);
void expect_values_right_on_drawn_inputs(void);

#endif
