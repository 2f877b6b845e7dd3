/* evidence.h - whether it was the kernels that counted, and each character once.
 *
 * Right bins are not enough: they may have been counted on the host, or elsewhere than where the
 * technique is shown. All of these fail the test with a sentence. */
#ifndef EVIDENCE_H
#define EVIDENCE_H

#include <stdbool.h>

#include "host_work.h"
#include "measure.h"

/* Of one call: the text was not counted on the host, and a kernel was launched. `what` describes
 * the input. */
void expect_kernels_counted(const char *what, size_t length, uint64_t launches,
                            const struct copies *copies);

/* Of a call that was watched: the kernels have read the text, and not twice; they count each
 * character once; what they write lies where no host reads it. */
void expect_each_counted_once(const char *what, const struct measurement *cost);

/* Counts a part of the text, which this run draws: it must not cost more than all of it. The first
 * text of a test only. */
void expect_same_on_a_part(const struct text *text, size_t misalignment,
                           const struct measurement *whole);

#endif
