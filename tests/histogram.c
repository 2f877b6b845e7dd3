/* histogram.c - what every chapter's histogram() has to do, whatever its technique.
 *
 * Linked with each suite tests/NN_name.c of this contract. Tests run in alphabetical order, and a
 * student is shown the first that fails. The suite any_histogram comes before chapterNN: a wrong
 * count is told before a technique that is not the chapter's. every_histogram comes after it: what
 * goes wrong on a text of 4 GiB is explained better by a short one, if it goes wrong there, too.
 *
 * Bins: 5 26 64 256 */
#include "histogram/harness.h"

/* Catches all that depends on the length, on where the text begins, or on what stands in it: a
 * grid that is one block short, a loop that ends one too early or late, a head that is longer than the
 * text, bytes above 127 taken for negative numbers, a character without a bin that is counted, updates
 * that are lost for want of an atomic or a barrier, on all schedules or on some. */
Test(any_histogram, is_right_on_edge_cases)
{
    expect_right_on_edge_cases();
    expect_right_untold_at("3 characters that end before the first multiple of 16 bytes",
                           (const unsigned char *)"cab", 3, 5);
}

/* Catches bins that are set instead of added to, or zeroed first. */
Test(any_histogram, keeps_what_the_bins_held)
{
    expect_adds_to_bins();
}

/* Catches answers from a table, and a length or a text for which the kernel does something else: the
 * inputs are another draw in each run. */
Test(every_histogram, is_right_on_inputs_that_this_run_draws)
{
    expect_right_on_drawn_inputs();
}

/* Catches counters that are too small for a long text: a run length in a char, a block's bins in 16
 * bits. */
Test(every_histogram, counts_more_than_small_counters_hold)
{
    expect_no_small_counters();
}

/* Catches copies, buffers and streams that each call makes anew and leaves behind. */
Test(every_histogram, keeps_no_memory)
{
    expect_keeps_no_memory(&histogram_contract);
}

/* Catches an index in 32 bits: an int wraps at 2^31. */
Test(every_histogram, reads_the_far_end_of_the_longest_text)
{
    expect_no_wrapped_index();
}

/* Catches a missing check of the length, and one that is off by one. */
Test(every_histogram, refuses_a_text_of_4294967296_characters, .exit_code = 1)
{
    call_with_too_many(&histogram_contract);
}
