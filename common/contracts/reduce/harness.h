/* harness.h - what the suites of the chapters that implement reduce() are made of.
 *
 * A suite is one file, tests/NN_name.c, linked with tests/reduce.c, whose tests every such chapter has
 * to pass. The judge knows all operations at run time; the kernel is compiled once for each, and is a
 * process of its own. In the head comment of the suite stands which the chapter takes:
 *
 *     Operations: sum max float_sum dot
 *
 * and OPERATION=max on the command line leaves only that one. A test that judges the technique goes
 * through those that are asked for:
 *
 *     Test(chapter43, makes_one_atomic_a_block)
 *     {
 *         for (size_t i = 0; i < operations_asked(); i++) {
 *             operation_choose(i);
 *             struct input input = input_of(VALUES_SMALL, 1, 1 << 16);
 *             struct measurement cost = measure(&input);
 *             // Derivation of the bound.
 *             expect_at_most(cost.result.atomic.lanes, "atomics on the result", cost.resident,
 *                            "each of the %s blocks that are resident adds once",
 *                            grouped(cost.resident));
 *             if (i == 0)
 *                 technique_is(...);
 *             input_free(&input);
 *         }
 *     }
 *
 * Keep inputs at 64 K values or below where that says enough: a verdict takes less than 5 s with the
 * build, for all operations together. */
#ifndef HARNESS_H
#define HARNESS_H

#include "expect_right_on.h"
#include "operations.h"
#include "result.h"
#include "values.h"

/* For every operation asked, on a few multiprocessors: lengths 0, 1, 31, 32, 33, one less and one more
 * than a block and a grid of the kernel at hand; all kinds of values; unaligned beginnings; 1, 3 and
 * 132 multiprocessors. */
void expect_right_on_edge_cases(void);
/* NaN, infinities, denormals, -0, the largest integers, floats that are too small to count one by one. */
void expect_right_on_special_values(void);
/* 256^3 + 1 values, the last of which counts, with one operation: what three launches of 256 drop. Of a
 * kernel with a thread for each only the last blocks run (long_arrays.c), and the same is asked of the
 * cube and the square of its own block. */
void expect_right_on_long_arrays(void);
void expect_right_on_drawn_inputs(void);

#endif
