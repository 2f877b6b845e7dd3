/* record.h - the verdicts on a student's file, kept under build/progress, a line each.
 *
 *     TIME BINS OUTCOME HASH WHAT WAS SAID
 *
 * A verdict is about a text, which the hash names: it stays true for as long as the file has that
 * text, and a file that is changed back has its verdict again. The record is only a memory: who
 * finds none judges anew. */
#ifndef RECORD_H
#define RECORD_H

#include <stdint.h>
#include <stddef.h>

/* From the worst to the best. */
enum outcome { OUTCOME_UNBUILT, OUTCOME_WRONG, OUTCOME_ANOTHER, OUTCOME_SOLVED, OUTCOMES };

struct verdict {
    enum outcome outcome;
    unsigned int bins;
    uint64_t hash; /* of the text that was judged */
    const char *said;
};

struct record {
    struct verdict *verdicts; /* as they came */
    size_t count;
};

/* Adds a verdict, of now, on the text that SOURCE has. One that says what the last one said of this
 * text and number of bins adds nothing. Where it cannot be kept it is lost, silently: it can be
 * found again. */
void record_add(const char *source, unsigned int bins, enum outcome outcome, const char *said);

/* All verdicts on SOURCE; none when there is no record. Lines that are none are passed over. */
struct record record_read(const char *source);

/* The best that is known of a text: for each number of bins its last verdict counts. NULL when
 * nothing is. */
const struct verdict *record_best(const struct record *record, uint64_t hash);

#endif
