/* oracle.c - the independent count of a text, in 64 bits, and what a wrong one is told. */
#include "oracle.h"

#include <stdio.h>

#include "causes.h"

void oracle_expected(const struct many_case *asked, uint64_t *bins)
{
    letters_count(asked->text, 0, asked->length, bins);
    for (unsigned int bin = 0; bin < num_bins() && !many_reads_files; bin++)
        bins[bin] += asked->held;
}

bool oracle_is_right(const struct many_case *asked, const struct many_seen *seen, char *explanation,
                     size_t size)
{
    static struct before before[MOST_UNITS + 1]; /* the last call on so many units */
    struct wrong wrong = {.asked = asked, .seen = seen, .before = before[asked->units]};
    char cause[512];
    unsigned int bins = 0;
    wrong_fill(&wrong);
    for (unsigned int bin = 0; bin < num_bins(); bin++)
        bins += wrong.more[bin] != 0;
    if (bins > 0) {
        find_cause(&wrong, cause, sizeof cause);
        snprintf(explanation, size, "wrong on %s on %u %s: %u of %u bins; likeliest cause: %s",
                 asked->what, asked->units, many_units_of(asked->units), bins, num_bins(), cause);
        letters_list_wrong(wrong.expected, seen->bins, explanation, size);
    }
    before[asked->units] = wrong_remember(&wrong);
    return bins == 0;
}
