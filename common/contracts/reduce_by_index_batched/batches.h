/* batches.h - what the suites of reduce_by_index_batched() are made of, beside those of
 * reduce_by_index(): inputs come from input_batched(), and all that takes an input works with them. */
#ifndef BATCHES_H
#define BATCHES_H

#include "reduce_by_index/harness.h"

/* For every operation asked: from one long histogram to thousands of one element; lengths, numbers of
 * histograms and of bins that nothing divides; more bins than shared memory holds; nothing at all in
 * one of the three; unaligned beginnings; 1, 3 and 132 multiprocessors; special values. */
void expect_right_on_batches(void);
/* More histograms than a grid may have blocks in y or z. Only the launch is looked at, and the last block. */
void expect_launch_on_many_batches(void);
/* Inputs that this run draws. */
void expect_right_on_drawn_batches(void);

#endif
