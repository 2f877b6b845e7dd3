/* 01_sequential.c - the sequential histogram is right; there is no technique to judge.
 *
 * The edge cases of tests/histogram.c catch here a loop that begins at 1 or ends one too early
 * or late, a signed char, a character without a bin that is counted all the same. */
#include "histogram/harness.h"

#include <string.h>

#include "verdict_log.h"

/* Every bin has a count of its own, so that no two bins can be mixed up, and one has more than 16 bits
 * hold. Catches a bin that is one off, bins that are swapped, and counters that are too small. */
Test(chapter01, tells_every_bin_from_every_other)
{
    enum { BYTES = 256, MORE = 256 };
    static unsigned char text[BYTES * (BYTES + 1) / 2 + BYTES * MORE];
    size_t length = 0;
    for (unsigned int byte = 0; byte < BYTES; byte++) {
        memset(text + length, (int)byte, byte + 1);
        length += byte + 1;
        memset(text + length, 'a', MORE);
        length += MORE;
    }
    expect_right_on("one byte 0, two bytes 1, and so on, 256 times 'a' behind each byte", text,
                    length);
}

/* Catches an index or a length that is cut to an int, which does not depend on the number of
 * bins. The text is memory that nobody wrote, which the system gives for the asking; its zeros
 * are not counted, and only the letters at its end are. */
Test(chapter01, reaches_the_end_of_2147483653_characters)
{
    if (num_bins() != 5)
        cr_skip_test("an index does not depend on the number of bins: judged with 5");
    const size_t length = ((size_t)1 << 31) + 5;
    unsigned int bins[MOST_BINS] = {0}, expected[MOST_BINS];
    verify_count((const unsigned char *)"azmza", 5, expected);
    struct job job = job_on_text(length);
    job.content = UNWRITTEN;
    job.spot_count = 1;
    job.spots[0] = (struct spot){.at = length - 5, .size = 5, .bytes = "azmza"};
    const struct outcome outcome = job_run(&job, "2,147,483,653 characters", NULL, bins);
    if (!outcome.finished)
        cr_skip_test("this machine has no room for a text of 2 GiB");
    if (memcmp(bins, expected, num_bins() * sizeof *bins) != 0)
        fail_as("far-end", "the letters at the end of 2,147,483,653 characters are not counted\n"
                           "likeliest cause: an index or a length is an int; use size_t");
}
