/* letters.c - which characters each bin has, without bin_of. */
#include "letters.h"

#include <stdio.h>
#include <string.h>

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
