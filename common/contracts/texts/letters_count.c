/* letters_count.c - counts the characters of a text in each bin, independently. Only the judge has it. */
#include <stdio.h>
#include <string.h>

#include "grouped.h"
#include "letters.h"

void letters_count(const unsigned char *text, size_t begin, size_t end, uint64_t *bins)
{
    unsigned short bin_of_byte[256];
    uint64_t counts[MOST_BINS + 1] = {0};
    letters_in_bins(bin_of_byte);
    for (size_t i = begin; i < end; i++)
        counts[bin_of_byte[text[i]]]++;
    memcpy(bins, counts, num_bins() * sizeof *bins);
}

void letters_list_wrong(const uint64_t *expected, const uint64_t *counted, char *text, size_t size)
{
    enum { LISTED = 5 };
    unsigned int wrong = 0;
    for (unsigned int bin = 0; bin < num_bins(); bin++) {
        const size_t used = strlen(text);
        char name[32];
        if (counted[bin] == expected[bin] || wrong++ >= LISTED)
            continue;
        letters_name_bin(bin, name, sizeof name);
        snprintf(text + used, size - used, "\n  %s: expected %s, counted %s", name,
                 grouped(expected[bin]), grouped(counted[bin]));
    }
    if (wrong > LISTED)
        strncat(text, "\n  and so on", size - strlen(text) - 1);
}
