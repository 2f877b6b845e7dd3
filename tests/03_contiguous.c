/* 03_contiguous.c - right, and each thread reads one contiguous section of the text.
 *
 * The edge cases of tests/histogram.c catch here sections that are rounded down, that overlap,
 * or that leave out their first or last character; a last section that goes on past the text. */
#include "histogram/harness.h"

/* Long enough for several characters a thread on the largest useful grid: a GPU of 132
 * multiprocessors holds 132 x 2,048 = 270,336 threads, and 2^20 / 270,336 > 3. */
enum { LENGTH = 1 << 20 };

/* Lengths around a multiple of the number of threads, where the length of the sections
 * changes. Catches a section that is a character too short, and a begin past the end. */
Test(chapter03, is_right_where_the_sections_grow)
{
    struct text text = text_of(TEXT_UNIFORM, 4, 3 * 4096 + 1);
    for (size_t length = 3 * 4096 - 1; length <= text.length; length++)
        expect_right_on("about 12,288 characters", text.bytes, length);
    text_free(&text);
}

/* A section: a thread's loads begin somewhere and go on byte by byte, up or down, without a gap. Catches
 * the interleaved partitioning, in whole or in part.
 *
 * Several characters: on average at least two for each thread that reads. Catches "contiguous"
 * with one element a thread, which is chapter 2 under another name.
 *
 * Every thread has its section. When the length is no multiple of the number of threads, the
 * sections are rounded up, and some of the last threads get nothing; with sections of s
 * characters at most 1 thread in s, hence never half of them. Catches one thread of a block
 * or of a warp that reads for all. */
Test(chapter03, gives_each_thread_one_contiguous_section)
{
    struct text text = text_of(TEXT_UNIFORM, 1, LENGTH);
    struct measurement cost = measure(&text);
    expect_exactly(cost.reading.contiguous, "threads read one contiguous section",
                   cost.reading.threads,
                   "each thread that reads anything has to read one, and there are");
    expect_exactly(cost.reading.bytes, "characters were read", cost.length,
                   "each character belongs to one section, and the text has");
    expect_at_least(cost.length, "characters in the text", 2 * cost.reading.threads,
                    "%s threads read some of it, and sections of several characters are at least "
                    "2 x %s",
                    grouped(cost.reading.threads), grouped(cost.reading.threads));
    expect_at_least(cost.reading.threads, "threads read some of the text", cost.threads / 2,
                    "%s threads were launched, and sections that are rounded up leave at most "
                    "half of them without one: %s / 2",
                    grouped(cost.threads), grouped(cost.threads));
    technique_is("%s threads read one section each, of %s characters",
                 grouped(cost.reading.threads), grouped(cost.reading.longest));
    text_free(&text);
}

/* The partitioning is all that changes: each counted character still costs one atomic on the
 * bins. Catches contiguous kernels with private copies or aggregation. */
Test(chapter03, still_makes_one_global_atomic_for_each_counted_character)
{
    struct text text = text_of(TEXT_RUNS, 1, 1 << 16);
    struct measurement cost = measure(&text);
    expect_exactly(cost.bins.atomic.lanes, "global atomics on the bins", cost.counted,
                   "the text has one for each character that is counted");
    text_free(&text);
}
