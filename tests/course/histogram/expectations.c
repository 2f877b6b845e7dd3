/* expectations.c - what the judge says of numbers that are not as they should be, and how long it lets a kernel
 * run. What it says of wrong kernels is in tests/transcripts/copies/without_criterion.txt. */
#define _GNU_SOURCE
#include "base/base.h"
#include "histogram/harness.h"
#include "placed.h"
#include "faults.h"

/* The judge's library calls it, and nobody here. */
void histogram(const unsigned char *text, size_t length, unsigned int *bins)
{
    (void)text, (void)length, (void)bins;
}

Test(fault, bounds)
{
    expect_at_most(5, "apples", 5, "a basket holds at most %d", 5);
    expect_at_least(5, "apples", 5, "a basket holds at least %d", 5);
    expect_exactly(5, "apples", 5, "a basket holds %d", 5);
    expect_that(1, "never said");
    technique_is("%s apples", grouped(1048576));
    if (fault("too_many"))
        expect_at_most(1048576, "apples", 1280, "a basket holds at most blocks x bins = %s x %s",
                       grouped(256), grouped(5));
    if (fault("too_few"))
        expect_at_least(1, "apple", 2, "a basket holds at least 1 + 1");
    if (fault("not_equal"))
        expect_exactly(1, "apple", 2, "a pair has");
    if (fault("said_already"))
        expect_exactly(1, "apple", 2, "a pair is complete, and there are 2");
    if (fault("untrue"))
        expect_that(0, "%d is too few", 3);
}

Test(expectations, explain_value_and_bound)
{
    expect_message("too_many", "bounds", 1,
                   "1,048,576 apples; a basket holds at most blocks x bins = 256 x 5 = 1,280\n");
    expect_message("too_few", "bounds", 1, "1 apple; a basket holds at least 1 + 1 = 2\n");
    expect_message("not_equal", "bounds", 1, "1 apple; a pair has 2\n");
    expect_message("said_already", "bounds", 1, "1 apple; a pair is complete, and there are 2\n");
    expect_message("untrue", "bounds", 1, "3 is too few\n");
    expect_message("nothing", "bounds", 0, "Passing: 1 | Failing: 0");
}

/* A sentence is not an equation: "and they are = 65,536" was said once. */
Test(expectations, join_a_bound_as_one_would_say_it)
{
    static const struct {
        const char *derivation, *bound, *joint;
    } rows[] = {
        {"each thread that reads anything has to read one, and there are", "65,536", " "},
        {"a thread makes it before the first of its words, at least", "2", " "},
        {"the text has one for each character that is counted", "61,000", ", which makes "},
        {"it is set once, before the first block comes", "1", ", which makes "},
        {"count: each value is read once", "1,048,576", ", which makes "},
        {"sum: the last block finishes; launches", "1", " = "},
        {"in 8 rounds a thread makes at most one, after the last: threads", "768", " = "},
        {"one for each of 2,152 requests, and 4 x 256", "3,176", " = "},
        {"the main loop counts in shared memory and needs none", "0", NULL},
        {"a pair is complete, and there are 2", "2", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *joint = bound_joint(rows[i].derivation, rows[i].bound);
        cr_expect(joint ? rows[i].joint && strcmp(joint, rows[i].joint) == 0 : !rows[i].joint,
                  "%s%s%s", rows[i].derivation, joint ? joint : " (nothing) ", rows[i].bound);
    }
}

/* Where all lanes of a warp take turns at one bin, chapter 33 makes 178 accesses and waits for each
 * character: its solution was once called endless on 57,571 characters of a few letters. */
Test(expectations, do_not_call_endless_who_takes_turns)
{
    enum { OF_CHAPTER_33 = 178, LENGTH = 70000, AT_LEAST = 8 * 1000 * 1000 };
    cr_expect_geq(most_accesses(&histogram_contract, &(struct call){.length = LENGTH}),
                  AT_LEAST + (uint64_t)OF_CHAPTER_33 * LENGTH);
}
