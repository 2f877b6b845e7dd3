/* expect_right_on.h - what the suites of contracts with an operation call: all that judges them, and the words that
 * they have in common; see expect_right.h.
 *
 * A suite is one file, tests/NN_name.c, linked with tests/CONTRACT.c, whose tests every such
 * chapter has to pass. The judge knows all operations at run time; the kernel is compiled once for
 * each, and is a process of its own. In the head comment of the suite stands which the chapter takes:
 *
 *     Operations: count saturate argmax
 *
 * and OPERATION=argmax on the command line leaves only that one. A test that judges the technique
 * goes through those that are asked for:
 *
 *     Test(chapter21, tries_at_least_once_for_each_element)
 *     {
 *         for (size_t i = 0; i < operations_asked(); i++) {
 *             operation_choose(i);
 *             struct input input = input_of_values(...);
 *             struct measurement cost = measure_input(&input);
 *             // Derivation of the bound.
 *             expect_at_least(cost.bins.cas.lanes, "compare-and-swaps on the bins", cost.counted,
 *                             "each of the %s elements with a bin needs one that succeeds",
 *                             grouped(cost.counted));
 *             if (i == 0)
 *                 technique_is(...);
 *             input_free(&input);
 *         }
 *     }
 *
 * Keep inputs at 64 K elements or below where that says enough: a verdict takes less than 5 s with the
 * build, for all operations together. */
#ifndef EXPECT_RIGHT_ON_H
#define EXPECT_RIGHT_ON_H

#include <criterion/criterion.h>

#include "bounds.h"
#include "cases.h"
#include "evidence.h"
#include "expect_right.h"
#include "grouped.h"
#include "measure.h"
#include "settings.h"

static inline void expect_right_on_input(const struct input *input)
{
    judge_input(input, USUAL_SCHEDULES, true);
}

static inline void expect_right_once_on(const struct input *input)
{
    judge_input(input, 1, true);
}

static inline void expect_right_untold_on(const struct input *input)
{
    judge_input(input, 1, false);
}

static inline struct measurement measure_input(const struct input *input)
{
    return judge_cost(input);
}

#endif
