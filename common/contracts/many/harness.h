/* harness.h - what the suites of the chapters that implement many.h are made of.
 *
 * A suite is one file, tests/NN_name.c, linked with tests/many.c, whose tests every such chapter has to pass.
 * The same words mean devices of one process and ranks of several (many_run.h):
 *
 *     Test(chapter60, reduces_once)
 *     {
 *         struct text text = text_of(TEXT_UNIFORM, 1, 1 << 16);
 *         struct many_seen seen = many_measure(&text, 4);
 *         expect_exactly(seen.collectives, "collectives", 1, "...");
 *         technique_is(...);
 *         many_seen_free(&seen);
 *         text_free(&text);
 *     }
 *
 * Keep texts at 64 K or below where that says enough: a verdict takes less than 5 s with the build. */
#ifndef HARNESS_H
#define HARNESS_H

#include <criterion/criterion.h>

#include "letters.h"
#include "bounds.h"
#include "expect_right.h"
#include "grouped.h"
#include "many_run.h"
#include "text.h"

/* Runs the case; fails the test when a bin is wrong, something failed or was reported, it did not return. The
 * message says which input on how many units, which bins, and the likeliest cause. */
void expect_many_right(const struct many_case *asked);

/* Judges lengths 0, 1, 31, 32, 33, those around the number of units and its multiples, odd ones, one more and one less
 * than a slice of 64 KiB; every number of units from 1 to 8; equal characters, characters without a bin, bytes above
 * 127; unaligned and pinned memory; and several nodes of ranks. */
void expect_units_right_on_edge_cases(void);
void expect_units_right_on_drawn_inputs(void);
/* Fails unless a second and a third call find nothing of the ones before, and keep no more memory than these. */
void expect_right_again_and_again(void);

/* Fails unless every byte of the text comes to one unit, once, with many lengths and 1 to 8 units. It names the first
 * byte that comes to none, or to two, and which these are. */
void expect_each_byte_read_once(void);
/* Asks the same of a text of more than 2^32 bytes, which nobody counts: offsets of 32 bits read its beginning twice.
 * And the bins have to be summed in 64 bits, on each device and by each collective. */
void expect_right_above_4_gib(void);
/* Fails when a device holds more than a part of a long text. */
void expect_holds_a_part(void);

/* Fails unless a file that cannot be read makes the function return 1 on every rank, with one line that names the
 * file; no bin is touched, and no rank is left behind in a collective. It is skipped where the text is no file. */
void expect_refuses_bad_files(void);

/* Runs it once on so many units, and fails unless it is right, without reports. */
struct many_seen many_measure(const struct text *text, unsigned int units);
/* Does the same as a case says. */
struct many_seen many_measure_case(const struct many_case *asked);

#endif
