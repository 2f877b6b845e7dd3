/* expect_right.h - runs the contract's function on an input, and fails the test when what it leaves is
 * wrong: what the suites of all contracts with an operation are made of. */
#ifndef EXPECT_RIGHT_H
#define EXPECT_RIGHT_H

#include <stdbool.h>

#include "call_arrays.h"
#include "measure.h"
#include "placed.h"

/* Schedules on which expect_right_on tries an input, each input on others, until they begin anew; later
 * inputs of a test that runs long have one. Among these each of up to 16 blocks ends last, and first. */
enum { SCHEDULES = 4, SCHEDULES_IN_ALL = 16 * SCHEDULES };
/* As many as are usual: these, or fewer for operations after the first, which take long. */
enum { USUAL_SCHEDULES = 0 };

/* Runs the function on an input, with the operation that is chosen, on at most so many schedules, or
 * with 1 on another one for each input. Fails the test when the output is wrong: compared with an
 * independent sequential one. The output holds something before, on purpose. The message says
 * what is wrong, what it should be, and the likeliest cause. `is_told`: the verdict's sentence counts
 * the input. */
void judge_input(const struct input *input, unsigned int schedules, bool is_logged);
/* The same by another rule of how many schedules an input has, of at most `most`: after a call on it, or before the
 * first, when the outcome is that of an input before. */
typedef uint64_t schedules_rule(const struct input *input, const struct outcome *outcome,
                                uint64_t most);
void judge_input_by(schedules_rule *rule, const struct input *input, unsigned int most,
                    bool is_logged);

/* Runs the function once on the input, on the schedule of now; a failure, a report or a wrong output
 * fails the test. Skips it where nobody counts accesses. */
struct measurement judge_cost(const struct input *input);

/* Makes the call and waits for its end. A kernel that does not come to one, or of which a check
 * reports anything, fails the test; `what` describes the input. */
void expect_to_end(struct placed *placed, const char *what);
/* Runs it once on the schedule of now, and hands out the first 16 bytes of the output, or fewer where it
 * has no more, without judging them. A failure or a report fails the test. */
void run_unjudged(const struct input *input, unsigned char held[16]);

/* Several calls on an input, with the operation that is chosen: what a call allocates it gives back; the
 * first may keep something for the next. */
void expect_memory_back_on(const struct input *input);
/* 2^32 units of an input: refused with one line, exit status 1. For a Test(..., .exit_code = 1). */
void call_with_too_many_on(const struct input *input);
/* The same of an input as it is: "1,025 bins". */
void call_refused_on(const struct input *input, const char *what);
/* 2^32 - 1 units, with the first operation asked: fails when a thread reads outside them, or never
 * comes to their end. Contents are not checked. */
void judge_far_end(const struct contract *contract);

/* How many kernels a call launches for 2^32 - 1 units, with the operation that is chosen and one bin. Of
 * each runs only the last block, and of that only the beginning. */
uint64_t launches_on_the_longest_input(const struct contract *contract);

/* The same of another length and number of bins: how many blocks its last launch has. */
uint64_t blocks_on_long_input(const struct contract *contract, size_t length, size_t bins);

/* Fails the test: something was reported on the schedule of this seed; `what` describes the input. */
void fail_reported(const struct contract *contract, const char *what, uint64_t seed);
/* Fails the test: these outputs are wrong, as the contract explains it, with `more` behind. */
struct difference;
void fail_output(const struct difference *difference, const char *more);

#endif
