/* expectations.c - what the harness makes of right and wrong implementations.
 *
 * histogram() here is a sequential one with planted mistakes. The tests of the suite
 * `planted` are what a chapter's suite would be: each runs in front of this program's
 * other tests only, which start it once more with PLANTED in the environment, and
 * look at what it says. */
#define _GNU_SOURCE
#include "base/base.h"
#include "binning.h"
#include "harness.h"
#include "placed.h"
#include "planted.h"

void histogram(const unsigned char *text, size_t length, unsigned int *bins)
{
    if (length > UINT32_MAX && !planted("accepts_everything")) {
        fprintf(stderr, "too long\n");
        exit(1);
    }
    if (planted("exits_on_33") && length == 33) {
        fprintf(stderr, "33 is too much for me\n");
        exit(1);
    }
    if (planted("crashes"))
        abort();
    if (planted("sets_the_bins"))
        memset(bins, 0, NUM_BINS * sizeof *bins);
    if (planted("drops_the_tail"))
        length -= length % 4;
    if (planted("reads_on"))
        length++;
    for (size_t i = 0; i < length && length < UINT32_MAX; i++) {
        /* A text that is not aligned to 16 bytes is the mistake of vector loads. */
        bool skip = planted("wants_alignment") && (uintptr_t)text % 16 != 0 && i == 0;
        if (bin_of(text[i]) >= 0 && !skip)
            bins[bin_of(text[i])]++;
    }
}

Test(planted, edge_cases)
{
    expect_right_on_edge_cases();
}

Test(planted, adding)
{
    expect_adds_to_bins();
}

/* A suite has .exit_code = 1 here; without it the exit is what fails. */
Test(planted, too_long)
{
    call_with_too_many();
}

Test(planted, bounds)
{
    expect_at_most(5, "apples", 5, "a basket holds at most %d", 5);
    expect_at_least(5, "apples", 5, "a basket holds at least %d", 5);
    expect_exactly(5, "apples", 5, "a basket holds %d", 5);
    expect_that(1, "never said");
    technique_is("%s apples", grouped(1048576));
    if (planted("too_many"))
        expect_at_most(1048576, "apples", 1280, "a basket holds at most blocks x bins = %s x %s",
                       grouped(256), grouped(5));
    if (planted("too_few"))
        expect_at_least(1, "apple", 2, "a basket holds at least 1 + 1");
    if (planted("not_equal"))
        expect_exactly(1, "apple", 2, "a pair has");
    if (planted("said_already"))
        expect_exactly(1, "apple", 2, "a pair is complete, and there are 2");
    if (planted("untrue"))
        expect_that(0, "%d is too few", 3);
}

Test(expectations, pass_a_right_implementation)
{
    expect_said("nothing", "edge_cases", 0, "1 passed, 0 failed");
    expect_said("nothing", "adding", 0, "1 passed, 0 failed");
    expect_said("nothing", "bounds", 0, "1 passed, 0 failed");
    expect_said("nothing", "too_long", 1, "ended the program with status 1");
}

Test(expectations, find_a_tail_that_is_dropped)
{
    expect_said("drops_the_tail", "edge_cases", 1,
                "likeliest cause: the counts are those of the first");
}

Test(expectations, find_reading_beyond_the_end)
{
    expect_said("reads_on", "edge_cases", 1, "1 counts too many");
}

Test(expectations, find_what_depends_on_alignment)
{
    expect_said("wants_alignment", "edge_cases", 1, "byte after a multiple of 16");
}

Test(expectations, find_bins_that_are_set)
{
    expect_said("sets_the_bins", "adding", 1, "must add to the bins, not set them");
}

Test(expectations, find_a_text_that_is_not_refused)
{
    expect_said("accepts_everything", "too_long", 1, "were not refused");
}

Test(expectations, name_the_input_on_which_the_program_ended)
{
    expect_said("exits_on_33", "edge_cases", 1, "33 is too much for me\n(on 33 characters");
    expect_said("exits_on_33", "edge_cases", 1, "ended the program with status 1");
}

Test(expectations, name_the_signal_of_a_crash)
{
    expect_said("crashes", "edge_cases", 1, "ended by signal 6");
}

Test(expectations, explain_value_and_bound)
{
    expect_said("too_many", "bounds", 1,
                "1,048,576 apples; a basket holds at most blocks x bins = 256 x 5 = 1,280\n");
    expect_said("too_few", "bounds", 1, "1 apple; a basket holds at least 1 + 1 = 2\n");
    expect_said("not_equal", "bounds", 1, "1 apple; a pair has = 2\n");
    expect_said("said_already", "bounds", 1, "1 apple; a pair is complete, and there are 2\n");
    expect_said("untrue", "bounds", 1, "3 is too few\n");
}

/* Where all lanes of a warp take turns at one bin, chapter 33 makes 178 accesses and waits for each
 * character: its solution was once called endless on 57,571 characters of a few letters. */
Test(expectations, do_not_call_endless_who_takes_turns)
{
    enum { OF_CHAPTER_33 = 178, LENGTH = 70000, AT_LEAST = 8 * 1000 * 1000 };
    place_limit_accesses(&(struct call){.length = LENGTH});
    cr_expect_geq(sim_options()->budget, AT_LEAST + (uint64_t)OF_CHAPTER_33 * LENGTH);
}
