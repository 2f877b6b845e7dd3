/* letters.c - which characters each bin has, without bin_of. */
#include "letters.h"

#include <stdio.h>
#include <string.h>

#include "grouped.h"

/* The characters of each bin, written out: bin_of computes them, and a mistake
 * there must not be one here. With 256 bins the bin is the byte. */
#if BINS == 5
static const char *const letters_of_bin[] = {"abcdef", "ghijkl", "mnopqr", "stuvwx", "yz"};
#elif BINS == 26
static const char *const letters_of_bin[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i",
                                             "j", "k", "l", "m", "n", "o", "p", "q", "r",
                                             "s", "t", "u", "v", "w", "x", "y", "z"};
#endif

void letters_in_bins(unsigned short bin_of_byte[256])
{
    for (unsigned short byte = 0; byte < 256; byte++)
        bin_of_byte[byte] = 256 % NUM_BINS == 0 ? byte * NUM_BINS / 256 : NOT_COUNTED;
#if 256 % BINS != 0
    for (unsigned short bin = 0; bin < NUM_BINS; bin++)
        for (const char *letter = letters_of_bin[bin]; *letter; letter++)
            bin_of_byte[(unsigned char)*letter] = bin;
#endif
}

void letters_name_bin(unsigned int bin, char *name, size_t size)
{
#if BINS == 256
    if (bin > 32 && bin < 127)
        snprintf(name, size, "bin %u ('%c')", bin, (char)bin);
    else
        snprintf(name, size, "bin %u", bin);
#elif 256 % BINS == 0
    snprintf(name, size, "bin %u", bin);
#else
    const char *letters = letters_of_bin[bin];
    size_t count = strlen(letters);
    if (count == 1)
        snprintf(name, size, "bin %u (%s)", bin, letters);
    else
        snprintf(name, size, "bin %u (%c-%c)", bin, letters[0], letters[count - 1]);
#endif
}

void letters_count(const unsigned char *text, size_t begin, size_t end, uint64_t *bins)
{
    unsigned short bin_of_byte[256];
    uint64_t counts[NUM_BINS + 1] = {0};
    letters_in_bins(bin_of_byte);
    for (size_t i = begin; i < end; i++)
        counts[bin_of_byte[text[i]]]++;
    memcpy(bins, counts, NUM_BINS * sizeof *bins);
}

void letters_list_wrong(const uint64_t *expected, const uint64_t *counted, char *text, size_t size)
{
    enum { LISTED = 5 };
    unsigned int wrong = 0;
    for (unsigned int bin = 0; bin < NUM_BINS; bin++) {
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
