/* devices.c - what the judge of histogram_many() says of right and wrong ones. */
#define _GNU_SOURCE
#include "fake_units.h"

Test(many_devices, pass_a_right_implementation)
{
    expect_all_pass();
}

Test(many_devices, name_a_remainder_that_is_lost)
{
    expect_message("remainder_lost", "edge_cases", 1,
                   "the remainder of the length divided by their number is lost");
    expect_message("remainder_lost", "reads", 1, "(10,007 characters) come");
}

Test(many_devices, name_shares_that_overlap)
{
    expect_message("rounded_up", "edge_cases", 1, "shares that are rounded up overlap");
    expect_message("rounded_up", "again", 1, "likeliest cause");
}

Test(many_devices, name_the_device_whose_share_is_missing)
{
    expect_message("skips_device_1", "again", 1, "exactly what device 1 read is missing");
    expect_message("only_device_0", "again", 1, "the bins hold the share of device 0 alone");
    expect_message("nothing", "again", 1, "nothing came into the bins");
}

Test(many_devices, name_what_is_added_twice)
{
    expect_message("all_have_all", "again", 1, "exactly 3 times, as many as there are devices");
    expect_message("call_before", "again", 1, "the counts of the call before are there, too");
}

Test(many_devices, name_bins_that_are_set_and_sums_of_32_bits)
{
    expect_message("sets", "again", 1, "what the bins held before is gone");
    expect_message("modulo", "again", 1, "the counts are right modulo 2^32");
    expect_message("modulo", "edge_cases", 0, "Passing: 1");
    expect_message("narrow_collective", "far", 1, "ncclReduce adds up elements of 4 bytes");
    expect_message("narrow_sums", "far", 1, "sums of less than 8 bytes");
}

Test(many_devices, name_bytes_that_come_to_none_or_to_two)
{
    expect_message("reads_all", "reads", 1, "to device 0 and to device 1");
    expect_message("offset32", "far", 1,
                   "come to none of 3 devices: an offset or a length has 32 bits");
    expect_message("offset32", "reads", 0, "Passing: 1");
    expect_message("holds_all", "part", 1, "so it has to come in slices");
}

Test(many_devices, refuse_what_is_right_by_chance)
{
    expect_message("host_counts", "edge_cases", 1, "kernels have loaded 0 on 8 devices");
    expect_message("host_loads", "edge_cases", 1, "host code has loaded from the text itself");
    expect_message("leaves_memory", "again", 1, "leaves 40 bytes more behind on device 0");
    expect_message("other_device", "drawn", 1, "device 1 is current after histogram_many()");
    expect_message("is_reported", "drawn", 1, "the report above was made on");
    expect_message("stops", "drawn", 1, "invalid device ordinal");
}

/* Bins by the letters, and not by bin_of. */
Test(many_devices, count_in_64_bits)
{
    const unsigned char text[] = "aazz, \xff";
    uint64_t bins[NUM_BINS];
    const struct many_case asked = {
        .what = "x", .text = text, .length = sizeof text - 1, .units = 1, .held = 1ull << 40};
    letters_count(text, 0, sizeof text - 1, bins);
    cr_expect_eq(bins[0], 2u);
    cr_expect_eq(bins[NUM_BINS - 1], 2u);
    letters_count(text, 1, 3, bins);
    cr_expect_eq(bins[0], 1u);
    cr_expect_eq(bins[NUM_BINS - 1], 1u);
    struct many_seen seen = {.result = 0};
    letters_count(text, 0, sizeof text - 1, seen.bins);
    cr_expect_not(seen_bins_right(&asked, &seen, false));
    for (unsigned int bin = 0; bin < NUM_BINS; bin++)
        seen.bins[bin] += asked.held;
    cr_expect(seen_bins_right(&asked, &seen, false));
}
