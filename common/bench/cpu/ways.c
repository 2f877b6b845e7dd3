/* ways.c - how one core counts a text.
 *
 * In several tables, which neighboring characters use in turn. With one table a character that
 * equals the one before it waits until that one's counter is stored and can be loaded again; and
 * where the CPU guesses which loads have to wait, a wrong guess throws away its work. With several
 * tables neighbors never meet. The histograms of Zstandard and Finite State Entropy
 * (lib/compress/hist.c, Yann Collet) use four for the same reason.
 *
 * Without any table: with few bins it is cheaper to compare many characters at a time with each of
 * them. A vector holds a character in each lane, and the comparison of all lanes is one or two
 * instructions. It gives -1 in the lanes where it holds; these are added up lane by lane, in
 * counters of 8 bits, which are emptied before they can overflow. A bin of one letter is one
 * comparison for equality. For one of several the question is how many lie below its end: the
 * end of the bin before is its beginning, hence the difference of the two is the bin. */
#include "ways.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "binning.h"

/* No way of counting can be faster. */
void read_only(const unsigned char *text, size_t length, unsigned int *bins)
{
    uint32_t sum = 0;
    size_t i = 0;
    for (; length - i >= sizeof sum; i += sizeof sum) {
        uint32_t word;
        memcpy(&word, text + i, sizeof word);
        sum += word;
    }
    for (; i < length; i++)
        sum += text[i];
    bins[0] += sum;
}

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

void count_in_16_tables(const unsigned char *text, size_t length, unsigned int *bins)
{
    count_in_tables(text, length, 16, bins);
}

#if BINS != 256

#ifdef __AVX2__
enum { LANES = 32 };
#else
enum { LANES = 16 };
#endif
enum { LETTERS = 26, LETTERS_PER_BIN = BINS == 26 ? 1 : 6, MOST_ROUNDS = 255 };
static const bool below_ends = LETTERS_PER_BIN > 1;

typedef unsigned char vector __attribute__((vector_size(LANES)));

/* The letter of a bin that has only one, otherwise the first one after it; 'a' is 0. */
static inline unsigned char letter_to_compare(int bin)
{
    const int end = (bin + 1) * LETTERS_PER_BIN;
    return (unsigned char)(!below_ends ? bin : end < LETTERS ? end : LETTERS);
}

static void empty(const vector *counters, unsigned int *bins)
{
    unsigned int before = 0;
    for (int bin = 0; bin < NUM_BINS; bin++) {
        unsigned int sum = 0;
        for (int lane = 0; lane < LANES; lane++)
            sum += counters[bin][lane];
        bins[bin] += sum - before;
        if (below_ends)
            before = sum;
    }
}

/* At most MOST_ROUNDS vectors. */
static void count_vectors(const unsigned char *text, size_t rounds, unsigned int *bins)
{
    vector counters[NUM_BINS] = {{0}};
    for (size_t round = 0; round < rounds; round++) {
        vector letters;
        memcpy(&letters, text + round * LANES, LANES);
        letters -= 'a'; /* what comes before 'a' wraps, and is no letter either */
        for (int bin = 0; bin < NUM_BINS; bin++)
            counters[bin] -= (vector)(below_ends ? letters < letter_to_compare(bin)
                                                 : letters == letter_to_compare(bin));
    }
    empty(counters, bins);
}

void count_by_comparing(const unsigned char *text, size_t length, unsigned int *bins)
{
    while (length >= LANES) {
        const size_t vectors = length / LANES;
        const size_t rounds = vectors < MOST_ROUNDS ? vectors : MOST_ROUNDS;
        count_vectors(text, rounds, bins);
        text += rounds * LANES;
        length -= rounds * LANES;
    }
    for (size_t i = 0; i < length; i++)
        if (bin_of(text[i]) >= 0)
            bins[bin_of(text[i])]++;
}

#endif
