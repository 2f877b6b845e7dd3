/* verify.c - the independent count, and how a wrong one differs from it. */
#include "verify.h"

#include <stdio.h>

#include "grouped.h"

void verify_count(const unsigned char *text, size_t length, unsigned int *bins)
{
    uint64_t counts[MOST_BINS];
    letters_count(text, 0, length, counts);
    for (unsigned int bin = 0; bin < num_bins(); bin++)
        bins[bin] = (unsigned int)counts[bin];
}

bool verify_is_right(const struct verify_result *result, char *explanation, size_t size)
{
    char cause[256] = "";
    uint64_t expected[MOST_BINS], counted[MOST_BINS];
    struct difference_of_bins d = {.result = result, .cause = cause, .size = sizeof cause};
    letters_in_bins(d.bin_of_byte);
    verify_count(result->text, result->length, d.expected);
    for (unsigned int bin = 0; bin < num_bins(); bin++) {
        d.expected_sum += d.expected[bin];
        d.counted_sum += result->counted[bin];
        d.wrong += d.expected[bin] != result->counted[bin];
        expected[bin] = d.expected[bin];
        counted[bin] = result->counted[bin];
    }
    if (d.wrong == 0)
        return true;
    find_cause(&d);
    snprintf(explanation, size, "wrong on %s: %u of %u bins; likeliest cause: %s", result->input,
             d.wrong, num_bins(), cause);
    letters_list_wrong(expected, counted, explanation, size);
    return false;
}
