/* harness.h - what the suites of the chapters are made of.
 *
 * A suite is one file, tests/NN_name.c: Criterion tests that call the functions
 * below. It is linked with tests/histogram.c, whose tests every chapter has to pass, and
 * with one implementation of histogram(), a stub or a solution; compiled with -DBINS=...:
 *
 *     #include "harness.h"
 *
 *     Test(chapter05, adds_to_the_final_bins_only_to_merge)
 *     {
 *         struct text text = text_of(TEXT_UNIFORM, 1, 1 << 16);
 *         struct measurement cost = measure(&text);
 *         // Derivation of the bound.
 *         expect_at_most(cost.bins.atomic.lanes, "global atomics on the final bins",
 *                        cost.blocks * num_bins(),
 *                        "privatization needs at most blocks x bins = %s x %s",
 *                        grouped(cost.blocks), grouped(num_bins()));
 *         technique_is("%s global atomics on the bins, at most %s allowed",
 *                      grouped(cost.bins.atomic.lanes), grouped(cost.blocks * num_bins()));
 *     }
 *
 * A test runs in a process of its own. Keep texts at 64 K or below where that
 * says enough: a verdict takes less than 5 s with the build. */
#ifndef HARNESS_H
#define HARNESS_H

#include <criterion/criterion.h>

#include "letters.h"
#include "bounds.h"
#include "cases.h"
#include "evidence.h"
#include "expect_right.h"
#include "grouped.h"
#include "histogram.h"
#include "measure.h"
#include "settings.h"
#include "text.h"
#include "text_input.h"
#include "verify.h"

/* A grid of more than 131,072 threads has one schedule for each input, and so have the later inputs of a
 * test whose launches take long. */

/* Where a run takes long, a test has to make do with fewer of the inputs that tell the same: of so many with each one,
 * each second one, and so on. Returns 1 where the lanes of all runs, if these are like the longest so far, stop no
 * more often than `enough`. */
size_t expect_right_step(size_t inputs, uint64_t enough);

/* Runs histogram() on a text at every schedule and fails the test when a result
 * is wrong. The text is copied to the device, `misalignment` bytes (0 to 255)
 * after a multiple of 256, so that what lies before and after it is not text but
 * bytes that would be counted ('a', or 0 with 256 bins); the bins are zeroed.
 * `what` describes the input: "33 characters". */
void expect_right_on(const char *what, const unsigned char *text, size_t length);
void expect_right_at(const char *what, const unsigned char *text, size_t length,
                     size_t misalignment);

/* Does the same on one schedule, another one for each input, where there are hundreds of inputs that differ by a
 * character. */
void expect_right_once_at(const char *what, const unsigned char *text, size_t length,
                          size_t misalignment);

/* Does the same, and the verdict's sentence does not count the input. */
void expect_right_untold_at(const char *what, const unsigned char *text, size_t length,
                            size_t misalignment);

/* Runs histogram() once on the text, and says what that did: a failure or a wrong result fails the test
 * as in expect_right_on, since the cost of a wrong result means nothing. */
struct measurement measure(const struct text *text);
struct measurement measure_at(const struct text *text, size_t misalignment);

/* A job that calls histogram() on so many characters, which the caller has yet to set. What it leaves in the bins is
 * not judged. */
struct job job_on_text(size_t length);

/* Judges the inputs that break kernels: lengths 0, 1, 31, 32, 33, one less and one more than a block and a grid; a
 * text at every misalignment from 1 to 15; bytes above 127, equal characters, characters without a bin, every value of
 * a byte; English, zipf, runs. */
void expect_right_on_edge_cases(void);

/* These judge the inputs that break kernels which read words of 16 characters, since such words have to be aligned:
 * texts of 0 to 50 characters at each of the 16 alignments; and lengths at which each thread of a block, and of a grid
 * on two multiprocessors, reads one such word, or four, or nearly so. */
void expect_right_on_short_texts(void);
void expect_right_around_rounds(void);

/* Judges kernels of which a block reads `block` characters, a word of 16 with each thread, and `round` characters in a
 * round of its loop. On one multiprocessor texts have a character more and less than words, blocks and rounds have, at
 * several alignments. */
void expect_right_where_rounds_end(size_t block, size_t round);

/* Fails unless a text of `length` characters, a multiple of 512, is read once, 16 characters a
 * lane and 16 sectors a request, on one multiprocessor. */
void expect_reads_16_at_a_time(size_t length);

/* Fails unless the threads of a block share their work, and the blocks added to the final bins at most
 * once for each of their `counters`, which are called `what`: "bins", or "letters" where a block commits those. */
void expect_commits_once(const struct measurement *cost, const char *what, uint64_t counters);

/* Fails unless each counted character is added to a word of shared memory by an atomic; `where` says whose words they
 * are. In a text of runs, lanes and threads meet equal
 * neighbors, and whoever adds them up needs fewer. */
void expect_counted_by_shared_atomics(size_t length, const char *where);
/* Judges texts that nobody knows before this run, which are drawn by DRAW of the environment. The verdict's sentence,
 * which is the same in each run, does not count them. */
void expect_right_on_drawn_inputs(void);

/* Fails when the threads counted by atomics in global memory that is not the bins. */
void expect_no_counting_in_global_memory(const struct measurement *cost);

/* Calls histogram() on bins that are not zero and checks that it adds to them. */
void expect_adds_to_bins(void);

/* Runs the last block on a text so long that a thread reads 300 characters and the block 70,000,
 * and fails when it counts a text of one letter otherwise than one in which the bins take turns: a
 * counter of 8 or 16 bits has overflowed. A grid that grows with the text has no such block, and is
 * not judged, nor one that stops. */
void expect_no_small_counters(void);

/* Starts histogram() on a text of 2^32 - 1 characters, of which it can read only a few million before it is stopped,
 * and fails when a thread reads outside of the text, since an index has wrapped at 2^31 or 2^32. The counts are not
 * checked. It is skipped with other numbers of bins than 5, since no index depends on them, and where histogram()
 * launches no kernels. */
void expect_no_wrapped_index(void);

#endif
