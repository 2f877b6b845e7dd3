/* criterion_calls.h - what Criterion calls of other libraries, done otherwise: it keeps its files in TMPDIR, and
 * begins in half the time. */
#ifndef CRITERION_CALLS_H
#define CRITERION_CALLS_H

/* To be called by main, so that the linker takes what stands in for those functions. */
void criterion_calls_are_ours(void);

#endif
