/* harness.h - what the suites of the chapters that implement reduce() are made of, beside expect_right_on.h, which
 * tells what a suite is. */
#ifndef HARNESS_H
#define HARNESS_H

#include "expect_right_on.h"
#include "operations.h"
#include "result.h"
#include "values.h"

/* For every operation asked, on a few multiprocessors: lengths 0, 1, 31, 32, 33, one less and one more
 * than a block and a grid of the kernel at hand; all kinds of values; unaligned beginnings; 1, 3 and
 * 132 multiprocessors. */
void expect_values_right_on_edge_cases(void);
/* NaN, infinities, denormals, -0, the largest integers, floats that are too small to count one by one. */
void expect_values_right_on_special_values(void);
/* 256^3 + 1 values, the last of which counts, with one operation: what three launches of 256 drop. Of a
 * kernel with a thread for each only the last blocks run (long_arrays.c), and the same is asked of the
 * cube and the square of its own block. */
void expect_right_on_long_arrays(void);
void expect_values_right_on_drawn_inputs(void);

#endif
