/* expect_right_on.h - what the suites of contracts with an operation call: all that judges them, and the words that
 * they have in common; see expect_right.h. */
#ifndef EXPECT_RIGHT_ON_H
#define EXPECT_RIGHT_ON_H

#include <criterion/criterion.h>

#include "arrival.h"
#include "bounds.h"
#include "cases.h"
#include "expect_right.h"
#include "grouped.h"
#include "measure.h"

static inline void expect_right_on(const struct input *input)
{
    judge_input(input, judge_schedules(), true);
}

static inline void expect_right_once_on(const struct input *input)
{
    judge_input(input, 1, true);
}

static inline void expect_right_untold_on(const struct input *input)
{
    judge_input(input, 1, false);
}

static inline struct measurement measure(const struct input *input)
{
    return judge_cost(input);
}

static inline void expect_no_wrapped_index(void)
{
    judge_far_end();
}

static inline void expect_same_on_long_inputs(void)
{
    judge_long_inputs(false);
}

#endif
