/* expect_right.h - runs the contract's function on an input, and fails the test when what it leaves is
 * wrong: what the suites of all contracts with an operation are made of. */
#ifndef EXPECT_RIGHT_H
#define EXPECT_RIGHT_H

#include "inputs.h"
#include "placed.h"

/* Schedules on which expect_right_on tries an input; later inputs of a test that runs long have one. */
enum { SCHEDULES = 4 };

/* Runs the function on an input, with the operation that is chosen, and fails the test when the output
 * is wrong: compared with an independent sequential one (oracle.h). The output holds something before,
 * on purpose. The message says what is wrong, what it should be, and the likeliest cause. */
void expect_right_on(const struct input *input);
/* The same on one schedule, another one for each input. */
void expect_right_once_on(const struct input *input);
/* The same, and the verdict's sentence does not count it. */
void expect_right_untold_on(const struct input *input);

/* Makes the call and waits for its end. A kernel that does not come to one, or of which a check
 * reports anything, fails the test; `what` describes the input. */
void expect_to_end(const struct placed *placed, const char *what);
/* Runs it once on the schedule of now, and hands out the first 16 bytes of the output, or fewer where it
 * has no more, without judging them. A failure or a report fails the test. */
void run_now(const struct input *input, unsigned char held[16]);

/* Several calls on an input, which is freed, with the operation that is chosen: what a call allocates
 * it gives back; the first may keep something for the next. */
void expect_memory_back_on(struct input input);
/* 2^32 units of an input, which is freed: refused with one line, exit status 1. For a
 * Test(..., .exit_code = 1). */
void call_with_too_many_on(struct input input);
/* 2^32 - 1 units, with the first operation asked: fails when a thread reads outside them, or never
 * comes to their end. Contents are not checked. */
void expect_no_wrapped_index(void);

/* How many kernels a call launches for 2^32 - 1 units, with the operation that is chosen and one bin. Of
 * each runs only the last block, and of that only the beginning. */
uint64_t launches_on_the_longest_input(void);

/* Fails when a check of the simulated GPU has reported anything. */
void expect_no_reports(const char *what);

#endif
