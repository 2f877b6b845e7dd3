/* cases.h - inputs that break kernels of whatever contract: it draws them of any length. */
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
/* With each operation that is asked for, on a few multiprocessors, `each` inputs that this run draws; `most` is
 * passed on. The verdict's sentence does not count them. */
void judge_drawn(struct input (*draw)(uint64_t *state, size_t most), size_t most, int each);

/* Calls it with each operation that is asked for, on so many multiprocessors; `most` is passed on. */
void for_each_operation(void (*expect)(size_t most), size_t most, unsigned int multiprocessors);

/* With the operation that is chosen, each on one schedule: lengths 0, 1, 31, 32, 33, and around what a
 * block, and what a grid has at once; 0 where nobody knows. */
void expect_right_around_lengths(const struct contract *contract, size_t block, size_t grid);
/* 1, 2, 3, 5 and 63 units after a multiple of 256 bytes; and the next. */
void expect_right_at_misalignments(const struct contract *contract);
/* Misaligned and so long that there are several blocks, of which only one has the head and the tail. The verdict's
 * sentence does not count it. */
void expect_right_on_blocks_misaligned(const struct contract *contract);

/* On three numbers of multiprocessors and five schedules the output has the same bits; frees the input. `why`:
 * what makes them so, a sentence's end. */
void expect_same_output_bits(struct input input, const char *why);
/* With each operation: several calls, on longer and shorter inputs, find nothing of those before. */
void expect_right_in_a_row(const struct contract *contract);
/* With each operation, several calls: what one allocates it gives back. The first may keep something for
 * the next ones. */
void expect_keeps_no_memory(const struct contract *contract);
/* 2^32 units: refused with one line, exit status 1. For a Test(..., .exit_code = 1). */
void call_with_too_many(const struct contract *contract);

/* Whether `after` has more of anything than `before`. If so `words` says of what, and how many: "2 open files
 * more"; and `advice` how they are given back. */
bool held_grew(const struct held *before, const struct held *after, char *words, size_t size,
               const char **advice);

#endif
