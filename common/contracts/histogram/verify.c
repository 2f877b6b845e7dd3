/* verify.c - the independent count, and how a wrong one differs from it. */
#include "verify.h"

#include <stdio.h>

void verify_count(const unsigned char *text, size_t length, unsigned int *bins)
{
    uint64_t counts[MOST_BINS];
    letters_count(text, 0, length, counts);
    for (unsigned int bin = 0; bin < num_bins(); bin++)
        bins[bin] = (unsigned int)counts[bin];
}

bool bins_are_right(struct difference *d)
{
    const unsigned int *counted = (const unsigned int *)(const void *)d->held;
    d->wrong = 0;
    for (unsigned int bin = 0; bin < num_bins(); bin++)
        d->wrong += counted[bin] != d->oracle->bins[bin];
    return d->wrong == 0;
}

void explain_bins(const struct difference *d, char *message, size_t size)
{
    uint64_t expected[MOST_BINS], counted[MOST_BINS];
    for (unsigned int bin = 0; bin < num_bins(); bin++) {
        expected[bin] = d->oracle->bins[bin];
        counted[bin] = ((const unsigned int *)(const void *)d->held)[bin];
    }
    snprintf(message, size, "wrong on %s: %zu of %u bins; likeliest cause: %s", d->input->name,
             d->wrong, num_bins(), d->cause);
    letters_list_wrong(expected, counted, message, size);
}

bool verify_is_right(const struct verify_result *result, char *explanation, size_t size)
{
    char cause[256] = "";
    struct oracle oracle;
    struct input input = {.values = (unsigned char *)(uintptr_t)result->text,
                          .length = result->length};
    struct difference d = {.input = &input,
                           .oracle = &oracle,
                           .held = (const unsigned char *)result->counted,
                           .cause = cause,
                           .size = sizeof cause};
    snprintf(input.name, sizeof input.name, "%s", result->input);
    verify_count(result->text, result->length, oracle.bins);
    if (bins_are_right(&d))
        return true;
    first_cause(likely_causes, &d);
    explain_bins(&d, explanation, size);
    return false;
}
