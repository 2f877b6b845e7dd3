/* evidence.h - whether it was the kernels that did the work.
 *
 * A right output is not enough: it may have been computed on the host, or otherwise than where the
 * technique is shown. All of these fail the test with a sentence. */
#ifndef EVIDENCE_H
#define EVIDENCE_H

#include "call_arrays.h"
#include "measure.h"

/* Fails unless the work of a call was not done on the host, and a kernel was launched. Host code may look at a sample
 * of the input, and may make an output neutral that is set. `what` describes the input. */
void expect_kernels_called(const struct contract *contract, const char *what,
                           const struct call *call, uint64_t launches,
                           const struct host_copies *copies);

/* Fails unless the kernels of a call that was watched have read each unit, or done what the contract asks in place of
 * that, and have written where no host code reads. */
void expect_done_by_kernels(const struct input *input, const struct measurement *cost);

/* Measures two parts of the input, which this run draws, of any length, and one of them misaligned: they must not cost
 * more than all of it. Only the first input of a test has parts, with the first operation and with one that this run
 * draws. */
void expect_same_on_a_part(const struct input *input, const struct measurement *whole);

/* Fails unless a block has a warp of threads at least, and no thread reads far more of the input than its
 * share: the longest chain of one thread is what a launch waits for. Of several launches that read, the
 * last one's threads are meant. What others have left is shared, too. */
void expect_threads_share(const struct contract *contract, const struct measurement *cost);
/* Fails where one thread makes more than 32 loads of other global memory, and a fourth of those of its block, in
 * whatever launch: it combines alone what many blocks have left. */
void expect_found_is_shared(const struct contract *contract, const struct measurement *cost);

#endif
