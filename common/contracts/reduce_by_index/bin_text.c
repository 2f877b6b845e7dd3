/* bin_text.c - what a bin holds, and what it should, as people read it. */
#include <stdio.h>
#include <string.h>

#include "grouped.h"
#include "oracle.h"

static void say_integers(enum operation operation, const unsigned char *held, char *text,
                         size_t size)
{
    uint32_t words[2] = {0};
    uint64_t wide;
    double ends[2];
    memcpy(words, held, operation_bin_bytes(operation) > 4 ? 8 : 4);
    memcpy(&wide, held, operation_bin_bytes(operation) > 4 ? 8 : 0);
    if (operation == WIDE_SUM)
        snprintf(text, size, "%s", grouped(wide));
    else if (operation == ARGMAX && words[0] == 0 && words[1] == UINT32_MAX)
        snprintf(text, size, "nothing");
    else if (operation == ARGMAX)
        snprintf(text, size, "value %s of index %s", grouped(words[0]), grouped(words[1]));
    else if (operation == MINMAX) {
        memcpy(ends, held, sizeof ends);
        snprintf(text, size, ends[0] > ends[1] ? "nothing (%g to %g)" : "%.9g to %.9g", ends[0],
                 ends[1]);
    } else
        snprintf(text, size, "%s", grouped(words[0]));
}

/* The first part that is wrong, of a bin that has any; 0 else. */
static size_t part_to_tell(const struct oracle *oracle, size_t bin, const unsigned char *held)
{
    for (size_t part = 0; part < oracle->parts; part++)
        if (!oracle_agrees_in(oracle, bin, part, held))
            return part;
    return 0;
}

/* A float of a bin: what it should be, and how far off it may be. */
static void say_float(const struct oracle *oracle, size_t bin, size_t part, char *text, size_t size)
{
    const struct float_sum *sum = oracle->sums + bin * oracle->parts + part;
    const double bound = oracle_bound(sum, oracle->came[bin], part);
    if (oracle->came[bin] == 0)
        snprintf(text, size, "%.9g",
                 (double)float_at(oracle->bins + bin * operation_bin_bytes(oracle->operation) +
                                  part * sizeof(float)));
    else if (float_sum_say_special(sum, text, size))
        return;
    else if (bound == 0)
        snprintf(text, size, "%.9g", sum->sum);
    else
        snprintf(text, size, "%.9g, give or take %.3g", sum->sum, bound);
}

void oracle_say(const struct oracle *oracle, size_t bin, const unsigned char *held, char *should,
                char *holds, size_t size)
{
    char begin[32] = "";
    const size_t part = part_to_tell(oracle, bin, held);
    if (oracle->parts == 0) {
        say_integers(oracle->operation, oracle->bins + bin * operation_bin_bytes(oracle->operation),
                     should, size);
        say_integers(oracle->operation, held, holds, size);
        return;
    }
    if (oracle->parts > 1)
        snprintf(begin, sizeof begin, "sum[%zu] = ", part);
    const size_t used = strlen(begin);
    snprintf(should, size, "%s", begin);
    say_float(oracle, bin, part, should + used, size - used);
    snprintf(holds, size, "%s%.9g", begin, (double)float_at(held + part * sizeof(float)));
}
