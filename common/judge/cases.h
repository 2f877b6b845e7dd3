/* cases.h - inputs that break kernels of any contract, which draws them of any length. */
#ifndef CASES_H
#define CASES_H

#include <stddef.h>
#include <stdint.h>

#include "call_arrays.h"
#include "held.h"

/* The number from which this run's own inputs are drawn: DRAW in the environment, or 1. */
uint64_t run_draw(void);

/* Judges an input as judge_input does (expect_right.h), and frees it. */
void judge_and_free(struct input input, unsigned int schedules, bool is_logged);
/* Judges `each` inputs that this run draws, with each operation that is asked for, on a few multiprocessors; `most` is
 * passed on. The verdict's sentence does not count them. */
void judge_drawn(struct input (*draw)(uint64_t *state, size_t most), size_t most, int each);

/* Calls `expect` with each operation that is asked for, on so many multiprocessors; `most` is passed on. */
void for_each_operation(void (*expect)(size_t most), size_t most, unsigned int multiprocessors);

/* Judges lengths 0, 1, 31, 32, 33, and those around what a block and what a grid take at once (0 where nobody knows),
 * with the operation that is chosen, each on one schedule. */
void expect_right_around_lengths(const struct contract *contract, size_t block, size_t grid);
/* Judges inputs that begin 1, 2, 3, 5 and 63 units after a multiple of 256 bytes, and then those of the next function. */
void expect_right_at_misalignments(const struct contract *contract);
/* Judges an input that is misaligned and so long that there are several blocks, of which only one has the head and the
 * tail. The verdict's sentence does not count it. */
void expect_right_on_blocks_misaligned(const struct contract *contract);

/* Fails unless the output has the same bits on three numbers of multiprocessors and five schedules; frees the input.
 * `why` is the end of a sentence, and says what makes them so. */
void expect_same_output_bits(struct input input, const char *why);
/* With each operation several calls, on longer and shorter inputs, find nothing that calls before them have left. */
void expect_right_in_a_row(const struct contract *contract);
/* With each operation several calls give back what they allocate. The first may keep something for the next ones. */
void expect_keeps_no_memory(const struct contract *contract);
/* 2^32 units have to be refused with one line and exit status 1. This is for a Test(..., .exit_code = 1). */
void call_with_too_many(const struct contract *contract);

/* Whether `after` has more of anything than `before`. If so, `words` says what and how many, "2 open files more", and
 * `advice` how they are given back. */
bool held_grew(const struct held *before, const struct held *after, char *words, size_t size,
               const char **advice);

#endif
