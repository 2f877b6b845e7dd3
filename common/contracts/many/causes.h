/* causes.h - the likeliest cause of a wrong count on many devices, or ranks. */
#ifndef CAUSES_H
#define CAUSES_H

#include "letters.h"
#include "many_run.h"

/* What an earlier call counted on as many units. */
struct before {
    bool any;
    uint64_t counts[MOST_BINS];
    uint64_t share[MOST_UNITS][MOST_BINS]; /* of them, by the unit */
};

/* A result beside the right one. Differences are modulo 2^64, as the counters are. */
struct wrong {
    const struct many_case *asked;
    const struct many_seen *seen;
    uint64_t counts[MOST_BINS];            /* of the text */
    uint64_t expected[MOST_BINS];          /* with what the bins held before */
    uint64_t more[MOST_BINS];              /* what was counted, less what was expected */
    uint64_t share[MOST_UNITS][MOST_BINS]; /* what each unit read of the text */
    struct before before;
};

/* Works out what is not given: all but the first two and the last. */
void wrong_fill(struct wrong *wrong);
struct before wrong_remember(const struct wrong *wrong);

/* Writes a sentence about the difference. */
void find_cause(const struct wrong *wrong, char *cause, size_t size);

/* "byte 7 of 10", "bytes 7 to 9 of 10" */
const char *many_name_range(uint64_t begin, uint64_t end, uint64_t length, char *name, size_t size);

/* "device", "devices", "rank", "ranks". */
const char *many_units_of(unsigned int units);

#endif
