/* shares.h - whether the threads of a launch share the work, or a few do it. */
#ifndef SHARES_H
#define SHARES_H

#include "measure.h"

/* Fails unless a block has a warp of threads at least, and no thread reads far more of the input than its
 * share: the longest chain of one thread is what a launch waits for. Of several launches that read, the
 * last one's threads are meant. */
void expect_threads_share(const struct measurement *cost);

#endif
