/* tally.h - the counters of a kernel that are compared: yours, the reference's, your best. */
#ifndef TALLY_H
#define TALLY_H

#include <stdbool.h>
#include <stddef.h>

#include "counted.h"

/* What is compared. */
enum tally_line {
    TALLY_LOAD_REQUESTS,
    TALLY_LOAD_SECTORS,
    TALLY_OTHER_SECTORS,
    TALLY_GLOBAL_ATOMICS,
    TALLY_ON_BINS,
    TALLY_SHARED_ATOMICS,
    TALLY_WAVEFRONTS,
    TALLY_CONFLICTS,
    TALLY_ATTEMPTS, /* of chapters that reduce by key */
    TALLY_LOCKS,
    TALLY_PASSES,
    TALLY_COPIES,
    TALLY_ON_RESULT, /* of chapters that reduce an array, as are passes */
    TALLY_LAUNCHES,
    TALLY_BARRIERS,
    TALLY_WORDS,
    TALLY_SHUFFLES,
    TALLY_WAITS,
    TALLY_COPIED, /* of chapters on several devices, as are launches */
    TALLY_MOST_COPIED,
    TALLY_COLLECTIVES,
    TALLY_COLLECTIVE_BYTES,
    TALLY_LINES
};
extern const char *const tally_labels[TALLY_LINES]; /* "load requests" */

struct tally {
    double value[TALLY_LINES]; /* NAN: not known, or not of this contract */
};

/* One of which nothing is known. */
struct tally tally_of_nothing(void);

/* Counts a kernel on English text, on uniform keys, or on values. Returns false when there is no right result;
 * *why says why. */
bool tally_count(const struct kernel *kernel, const struct counted_on *on, struct tally *tally,
                 const char **why);

/* The same of a row in a file that has a row for each chapter, docs/results/sim/english-5.csv.
 * Returns false when there is none. */
bool tally_read(const char *file, unsigned int chapter, struct tally *tally);

/* The best of a student, for a number of bins, or of values: the lowest of each counter. They are kept beside the
 * kernel, in best.csv. Without that, nothing is known. */
struct tally tally_best(const char *kernel_file, unsigned int bins);

/* Takes what is lower, and keeps it. Returns false, with errno, when it cannot be kept. */
bool tally_keep(const char *kernel_file, unsigned int bins, const struct tally *tally);

#endif
