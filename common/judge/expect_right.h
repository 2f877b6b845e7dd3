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
/* Stands for as many schedules as are usual: these, or fewer with operations after the first, which take long. */
enum { USUAL_SCHEDULES = 0 };

/* Runs the function on an input, with the operation that is chosen, on at most so many schedules; with 1 each input
 * has another one. Fails the test when the output differs from what an independent sequential program makes. The
 * output holds something before, on purpose. The message says what is wrong, what it should be, and the likeliest
 * cause. The verdict's sentence counts an input that is logged. */
void judge_input(const struct input *input, unsigned int schedules, bool is_logged);
/* Does the same by another rule, which says how many schedules an input has, of at most `most`: after a call on it, or
 * before the first, when the outcome is that of an input before. */
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

/* Fails unless several calls on an input, with the operation that is chosen, give back what they allocate; the first
 * may keep something for the next. */
void expect_memory_back_on(const struct input *input);
/* Calls the function on 2^32 units, which it has to refuse with one line and exit status 1. This is for a Test(...,
 * .exit_code = 1). */
void call_with_too_many_on(const struct input *input);
/* Does the same with an input as it is; `what` describes it: "1,025 bins". */
void call_refused_on(const struct input *input, const char *what);
/* Judges the longest input, 2^32 - 1 units, with the first operation that is asked for: fails when a thread reads
 * outside of it, or never comes to its end. Contents are not checked. */
void judge_far_end(const struct contract *contract);

/* How many kernels a call launches for 2^32 - 1 units, with the operation that is chosen and one bin. Only the last
 * block of each runs, and only its beginning. */
uint64_t launches_on_the_longest_input(const struct contract *contract);

/* How many blocks the last launch of such a call has, on another length and number of bins. */
uint64_t blocks_on_long_input(const struct contract *contract, size_t length, size_t bins);

/* Fails the test because something was reported on the schedule of this seed; `what` describes the input. */
void fail_reported(const struct contract *contract, const char *what, uint64_t seed);
/* Fails the test because these outputs are wrong, as the contract explains it, with `more` behind. */
struct difference;
void fail_output(const struct difference *difference, const char *more);

#endif
