/* 11_lane_private.c - right. */
#include "harness.h"

/* Catches all that depends on the length, on where the text begins, or on what stands in it. */
Test(chapter11, is_right_on_hostile_inputs)
{
    expect_right_on_hostile_inputs();
}

/* Catches bins that are set instead of added to. */
Test(chapter11, keeps_what_the_bins_held)
{
    expect_adds_to_bins();
}

/* Catches a missing check of the length, and one that is off by one. */
Test(chapter11, refuses_a_text_of_4294967296_characters, .exit_code = 1)
{
    call_with_too_long_a_text();
}

/* Catches an index in 32 bits: an int wraps at 2^31. */
Test(chapter11, reads_the_far_end_of_the_longest_text)
{
    expect_no_wrapped_index();
}
