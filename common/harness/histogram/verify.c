/* verify.c - the independent count, and how a wrong one differs from it. */
#include "verify.h"

#include <stdio.h>
#include <string.h>

#include "causes.h"
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

void verify_bins_of_bytes(unsigned short bin_of_byte[256])
{
    for (unsigned short byte = 0; byte < 256; byte++)
        bin_of_byte[byte] = 256 % NUM_BINS == 0 ? byte * NUM_BINS / 256 : NOT_COUNTED;
#if 256 % BINS != 0
    for (unsigned short bin = 0; bin < NUM_BINS; bin++)
        for (const char *letter = letters_of_bin[bin]; *letter; letter++)
            bin_of_byte[(unsigned char)*letter] = bin;
#endif
}

void verify_count(const unsigned char *text, size_t length, unsigned int *bins)
{
    unsigned short bin_of_byte[256];
    unsigned int counts[NUM_BINS + 1] = {0};
    verify_bins_of_bytes(bin_of_byte);
    for (size_t i = 0; i < length; i++)
        counts[bin_of_byte[text[i]]]++;
    memcpy(bins, counts, NUM_BINS * sizeof *bins);
}

/* "bin 3 (s-x)", or with 256 bins "bin 101 ('e')". */
static void name_bin(unsigned int bin, char *name, size_t size)
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
        name_bin(bin, name, sizeof name);
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
    verify_bins_of_bytes(d.bin_of_byte);
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
