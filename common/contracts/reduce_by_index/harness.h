/* harness.h - what the suites of the chapters that implement reduce_by_index() are made of, beside expect_right_on.h,
 * which tells what a suite is. */
#ifndef HARNESS_H
#define HARNESS_H

#include "base/cards.h"
#include "elements.h"
#include "expect_right_on.h"
#include "operations.h"

/* For every operation that is asked for, on a few multiprocessors, these are judged: uniform keys, one key, multiples
 * of 63, zipf, 90% in one bin, sorted, about one in 64 at the number of bins or beyond; lengths 0, 1, 31, 32, 33, one
 * less and one more than a block; 0, 1, 31 and, where that is not more than `most_bins`, 505 bins; unaligned
 * beginnings. */
void expect_elements_right_on_edge_cases(size_t most_bins);
/* Judges ties and zeros, NaN, -0 and infinities, caps that are reached exactly, sums above 32 bits. */
void expect_elements_right_on_special_values(void);
/* Does the same in a batch of one histogram, or with 0 in none. */
void expect_elements_right_on_special_values_in(size_t batch);
/* Judges up to `most_bins` bins, on one multiprocessor and with far fewer elements than bins: as many bins as shared
 * memory holds, and one more; 12,281 to 1,572,863, each with one of the operations; those that were typed
 * (BINS=49145). And it judges once on 132 multiprocessors. */
void expect_right_on_many_bins(size_t most_bins);
void expect_elements_right_on_drawn_inputs(size_t most_bins);

/* How many bins of the operation that is chosen fit in the shared memory that a block of the card can have. */
static inline size_t bins_of_a_block(void)
{
    return sim_shared_of_block(sim_card_chosen()) / operation_bin_bytes(operation_chosen());
}

/* As many bins on the card at hand as these are on an H200: they take the same share of the shared memory
 * that a block can have. */
static inline size_t bins_on_card(size_t bins)
{
    return bins * sim_shared_of_block(sim_card_chosen()) /
           sim_shared_of_block(sim_card_named("H200"));
}

/* Fails unless a call combines into bins that hold something, and a second call into what the first one left. */
void expect_elements_added_to_bins(void);
/* Does the same with an input of one's own, which is freed, and the operation that is chosen. */
void expect_adds_on(struct input input);
/* Calls the function on 2^32 elements in a batch of so many histograms, which it has to refuse with one line and exit
 * status 1. This is for a Test(..., .exit_code = 1). */
void call_with_too_many_elements_in(size_t batch);

/* For the suites of reduce_by_index_batched(): inputs come from input_batched(), and all that takes an input works with
 * them. */

/* For every operation that is asked for, these are judged: from one long histogram to thousands of one element;
 * lengths, numbers of histograms and of bins that nothing divides; more bins than shared memory holds; nothing at all
 * in one of the three; unaligned beginnings; 1, 3 and 132 multiprocessors; special values. */
void expect_right_on_batches(void);
/* Launches more histograms than a grid may have blocks in y or z. Only the launch is looked at, and the last block. */
void expect_launch_on_many_batches(void);
/* Judges batches that this run draws. */
void expect_right_on_drawn_batches(void);

#endif
