/* harness.h - what the suites of the chapters that implement reduce_by_index() are made of.
 *
 * A suite is one file, tests/NN_name.c, linked with tests/reduce_by_index.c, whose tests every such
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
 *             struct input input = input_of(KEYS_UNIFORM, 1, 1 << 14, 505);
 *             struct measurement cost = measure(&input);
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
#ifndef HARNESS_H
#define HARNESS_H

#include <criterion/criterion.h>

#include "bounds.h"
#include "grouped.h"
#include "elements.h"
#include "measure.h"
#include "operations.h"

/* Schedules on which expect_right_on tries an input with the first operation, half as many with the
 * others; later inputs of a test that runs long have one. */
enum { SCHEDULES = 4 };

/* Runs reduce_by_index() on an input, with the operation that is chosen, and fails the test when a bin
 * is wrong: compared with an independent sequential count, bit for bit, floats within a bound that is
 * derived from what was added (oracle.h). The bins hold earlier contents (input->bins), on purpose.
 * The message names the first wrong bin, what it holds, what it should, and the likeliest cause. */
void expect_right_on(const struct input *input);
/* The same on one schedule, another one for each input. */
void expect_right_once_on(const struct input *input);
/* The same, and the verdict's sentence does not count it. */
void expect_right_untold_on(const struct input *input);

/* For every operation asked, on a few multiprocessors: uniform keys, one key, multiples of 63, zipf,
 * 90% in one bin, sorted, about one in 64 at the number of bins or beyond; lengths 0, 1, 31, 32, 33,
 * one less and one more than a block; 0, 1, 31 and, where that is not more than `most_bins`, 505 bins;
 * unaligned beginnings. */
void expect_right_on_edge_cases(size_t most_bins);
/* Values: ties and zeros, NaN, -0 and infinities, caps reached exactly, sums above 32 bits. */
void expect_right_on_special_values(void);
/* The same in a batch of one histogram, or with 0 in none. */
void expect_right_on_special_values_in(size_t batch);
/* Up to `most_bins` bins, on one multiprocessor and with far fewer elements than bins: as many as
 * shared memory holds, and one more; 12,281 to 1,572,863, each by one of the operations; those that
 * were typed (BINS=49145). And once 132 multiprocessors. */
void expect_right_on_many_bins(size_t most_bins);
void expect_right_on_drawn_inputs(size_t most_bins);

/* Bins that hold something are combined into; a second call finds what the first one left. */
void expect_adds_to_bins(void);
/* Several calls: what one allocates it gives back; the first may keep something for the next. */
void expect_keeps_no_memory(void);
/* 2^32 elements: refused with one line, exit status 1. For a Test(..., .exit_code = 1). */
void call_with_too_many_elements(void);
/* The same on an input of one's own, which is freed, with the operation that is chosen; and in a batch
 * of so many histograms. */
void expect_adds_on(struct input input);
void expect_memory_back_on(struct input input);
void call_with_too_many_elements_in(size_t batch);
/* 2^32 - 1 elements, with the first operation asked: fails when a thread reads outside them, or never
 * comes to their end. Contents are not checked. */
void expect_no_wrapped_index(void);

/* Fails when a check of the simulated GPU has reported anything. */
void expect_no_reports(const char *what);

#endif
