/* seen_right.h - whether a call on several devices, or ranks, is right: of the bins as the judge of any
 * contract knows it, and of what was seen besides. */
#ifndef SEEN_RIGHT_H
#define SEEN_RIGHT_H

#include "many_run.h"

/* Of one case of a list, many_judge: all that is known of it is right. When `told` is not NULL the
 * verdict hears of the input. */
void expect_seen_right(const struct many_case *asked, const struct many_seen *seen, void *told);

/* Whether the bins alone are. With `fails` wrong ones fail the test with the likeliest cause. What was
 * counted is remembered, for the call after it. */
bool seen_bins_right(const struct many_case *asked, const struct many_seen *seen, bool fails);

/* Each byte came to one unit, once. many_judge. */
void expect_read_once(const struct many_case *asked, const struct many_seen *seen, void *unused);

#endif
