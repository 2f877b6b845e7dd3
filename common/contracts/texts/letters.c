/* letters.c - in how many bins a text is counted, and which characters each bin has: see letters.h. */
#include "letters.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned int asked(void)
{
    const char *text = getenv("NUM_BINS");
    if (!text || !*text)
        return 5;
    const int number = atoi(text);
    if (number == 5 || number == 26 || (number > 0 && MOST_BINS % number == 0))
        return (unsigned int)number;
    fprintf(stderr, "NUM_BINS=%s: a text is counted in 5, 26, 64 or 256 bins\n", text);
    exit(2);
}

unsigned int num_bins(void)
{
    static unsigned int number;
    if (number == 0)
        number = asked();
    return number;
}

/* The characters of each bin, written out: bin_of computes them, and a mistake there must not be one here. With other
 * numbers of bins each has as many values of a byte. */
static const char *letters_of_bin(unsigned int bin)
{
    static const char *const of_5[] = {"abcdef", "ghijkl", "mnopqr", "stuvwx", "yz"};
    static const char *const of_26[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i",
                                        "j", "k", "l", "m", "n", "o", "p", "q", "r",
                                        "s", "t", "u", "v", "w", "x", "y", "z"};
    return num_bins() == 5 ? of_5[bin] : of_26[bin];
}

bool letters_alone(void)
{
    return MOST_BINS % num_bins() != 0;
}

void letters_in_bins(unsigned short bin_of_byte[256])
{
    for (unsigned int byte = 0; byte < 256; byte++)
        bin_of_byte[byte] =
            letters_alone() ? NOT_COUNTED : (unsigned short)(byte * num_bins() / MOST_BINS);
    for (unsigned short bin = 0; letters_alone() && bin < num_bins(); bin++)
        for (const char *letter = letters_of_bin(bin); *letter; letter++)
            bin_of_byte[(unsigned char)*letter] = bin;
}

void letters_name_bin(unsigned int bin, char *name, size_t size)
{
    const char *letters = letters_alone() ? letters_of_bin(bin) : "";
    const size_t count = strlen(letters);
    if (count > 1)
        snprintf(name, size, "bin %u (%c-%c)", bin, letters[0], letters[count - 1]);
    else if (count == 1)
        snprintf(name, size, "bin %u (%s)", bin, letters);
    else if (num_bins() == 256 && bin > 32 && bin < 127)
        snprintf(name, size, "bin %u ('%c')", bin, (char)bin);
    else
        snprintf(name, size, "bin %u", bin);
}
