/* tables.c - counts in several tables, which neighboring characters use in turn.
 *
 * With one table a character that equals the one before it waits until that one's counter is
 * stored and can be loaded again; and where the CPU guesses which loads have to wait, a wrong
 * guess throws away its work. With several tables neighbors never meet. The histograms of
 * Zstandard and Finite State Entropy (lib/compress/hist.c, Yann Collet) use four for the same
 * reason. */
#include <string.h>

#include "binning.h"
#include "ways.h"

enum { BYTES = 256, MOST_TABLES = 16 };

/* The sums of all tables go to the bins of their characters. */
static void fold(unsigned int (*tables)[BYTES], size_t count, unsigned int *bins)
{
    for (int byte = 0; byte < BYTES; byte++) {
        const int bin = bin_of((unsigned char)byte);
        for (size_t table = 0; table < count && bin >= 0; table++)
            bins[bin] += tables[table][byte];
    }
}

/* Inlined, so that `count` is a constant and the inner loop unrolled. */
__attribute__((always_inline)) static inline void
count_in_tables(const unsigned char *text, size_t length, const size_t count, unsigned int *bins)
{
    unsigned int tables[MOST_TABLES][BYTES];
    memset(tables, 0, count * sizeof *tables);
    size_t i = 0;
    for (; length - i >= count; i += count)
        for (size_t table = 0; table < count; table++)
            tables[table][text[i + table]]++;
    for (; i < length; i++)
        tables[0][text[i]]++;
    fold(tables, count, bins);
}

void count_in_4_tables(const unsigned char *text, size_t length, unsigned int *bins)
{
    count_in_tables(text, length, 4, bins);
}

void count_in_8_tables(const unsigned char *text, size_t length, unsigned int *bins)
{
    count_in_tables(text, length, 8, bins);
}

void count_in_16_tables(const unsigned char *text, size_t length, unsigned int *bins)
{
    count_in_tables(text, length, 16, bins);
}

void count_binned_in_16_tables(const unsigned char *text, size_t length, unsigned int *bins)
{
    enum { TABLES = 16 };
    unsigned int tables[TABLES][1 + NUM_BINS] = {{0}}; /* the first for what is not counted: -1 */
    size_t i = 0;
    for (; length - i >= TABLES; i += TABLES)
        for (size_t table = 0; table < TABLES; table++)
            tables[table][1 + bin_of(text[i + table])]++;
    for (; i < length; i++)
        tables[0][1 + bin_of(text[i])]++;
    for (size_t bin = 0; bin < NUM_BINS; bin++)
        for (size_t table = 0; table < TABLES; table++)
            bins[bin] += tables[table][1 + bin];
}
