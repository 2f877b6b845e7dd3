/* oracle.c - the independent count of a text, in 64 bits, and what a wrong one is told. */
#define _POSIX_C_SOURCE 200809L
#include "oracle.h"

#include <stdio.h>
#include <string.h>

#include "causes.h"
#include "grouped.h"

void oracle_count(const unsigned char *text, size_t begin, size_t end, uint64_t *bins)
{
    unsigned short bin_of_byte[256];
    uint64_t counts[NUM_BINS + 1] = {0};
    letters_in_bins(bin_of_byte);
    for (size_t i = begin; i < end; i++)
        counts[bin_of_byte[text[i]]]++;
    memcpy(bins, counts, NUM_BINS * sizeof *bins);
}

void oracle_expected(const struct many_case *asked, uint64_t *bins)
{
    oracle_count(asked->text, 0, asked->length, bins);
    for (unsigned int bin = 0; bin < NUM_BINS && !many_reads_files; bin++)
        bins[bin] += asked->held;
}

/* The first wrong bins, a line for each. */
static void list_wrong(const struct wrong *wrong, FILE *out)
{
    enum { LISTED = 5 };
    unsigned int listed = 0;
    for (unsigned int bin = 0; bin < NUM_BINS; bin++) {
        char name[32];
        if (wrong->more[bin] == 0 || listed++ >= LISTED)
            continue;
        letters_name_bin(bin, name, sizeof name);
        fprintf(out, "\n  %s: expected %s, counted %s", name, grouped(wrong->expected[bin]),
                grouped(wrong->seen->bins[bin]));
    }
    if (listed > LISTED)
        fprintf(out, "\n  and so on");
}

bool oracle_is_right(const struct many_case *asked, const struct many_seen *seen, char *explanation,
                     size_t size)
{
    static struct before before[MOST_UNITS + 1]; /* the last call on so many units */
    struct wrong wrong = {.asked = asked, .seen = seen, .before = before[asked->units]};
    char cause[512];
    unsigned int bins = 0;
    wrong_fill(&wrong);
    for (unsigned int bin = 0; bin < NUM_BINS; bin++)
        bins += wrong.more[bin] != 0;
    if (bins > 0) {
        find_cause(&wrong, cause, sizeof cause);
        FILE *out = fmemopen(explanation, size, "w");
        if (out) {
            fprintf(out, "wrong on %s on %u %s: %u of %d bins; likeliest cause: %s", asked->what,
                    asked->units, many_units_of(asked->units), bins, NUM_BINS, cause);
            list_wrong(&wrong, out);
            fclose(out);
        }
    }
    before[asked->units] = wrong_remember(&wrong);
    return bins == 0;
}
