/* verify.c - the independent count, and how a wrong one differs from it. */
#include "verify.h"

#include <stdio.h>
#include <string.h>

#include "causes.h"
#include "grouped.h"

void verify_count(const unsigned char *text, size_t length, unsigned int *bins)
{
    unsigned short bin_of_byte[256];
    unsigned int counts[NUM_BINS + 1] = {0};
    letters_in_bins(bin_of_byte);
    for (size_t i = 0; i < length; i++)
        counts[bin_of_byte[text[i]]]++;
    memcpy(bins, counts, NUM_BINS * sizeof *bins);
}

/* Appends to a string that has room for `size` bytes. */
static void append(char *string, size_t size, const char *line)
{
    size_t length = strlen(string);
    snprintf(string + length, size - length, "%s", line);
}

static void list_bins(const struct difference *d, char *explanation, size_t size)
{
    enum { LISTED = 5 };
    unsigned int listed = 0;
    for (unsigned int bin = 0; bin < NUM_BINS && listed < LISTED; bin++) {
        if (d->result->counted[bin] == d->expected[bin])
            continue;
        char name[32], line[128];
        letters_name_bin(bin, name, sizeof name);
        snprintf(line, sizeof line, "\n  %s: expected %s, counted %s", name,
                 grouped(d->expected[bin]), grouped(d->result->counted[bin]));
        append(explanation, size, line);
        listed++;
    }
    if (d->wrong > LISTED)
        append(explanation, size, "\n  and so on");
}

bool verify_is_right(const struct verify_result *result, char *explanation, size_t size)
{
    char cause[256] = "";
    struct difference d = {.result = result, .cause = cause, .size = sizeof cause};
    letters_in_bins(d.bin_of_byte);
    verify_count(result->text, result->length, d.expected);
    for (unsigned int bin = 0; bin < NUM_BINS; bin++) {
        d.expected_sum += d.expected[bin];
        d.counted_sum += result->counted[bin];
        d.wrong += d.expected[bin] != result->counted[bin];
    }
    if (d.wrong == 0)
        return true;
    find_cause(&d);
    snprintf(explanation, size, "wrong on %s: %u of %d bins; likeliest cause: %s", result->input,
             d.wrong, NUM_BINS, cause);
    list_bins(&d, explanation, size);
    return false;
}
