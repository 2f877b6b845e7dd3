/* rank_facts.h - what the ranks of a job tell of a case, as the judge reads it.
 *
 * Each rank writes a file of lines, the last of which is "end":
 *
 *     result N                  what histogram_file() returned, the last time
 *     bins N N N ...            of this rank after the last call
 *     touched                   bins that this rank should have left alone are others
 *     said LINES TEXT           lines on standard error, and the first of them
 *     error WORDS               CUDA's
 *     reports N                 of the simulator's checks
 *     caught CHECK FILE:LINE    a place that one of them names
 *     device N                  the current one after the call
 *     unit NAME=N ...           of struct many_unit
 *     loaded N                  bytes of the text that its kernels loaded
 *     collective NAME MEMBERS ELEMENTS BYTES
 *     collectives N             how many there were
 *     read BEGIN END            bytes of the file
 */
#ifndef RANK_FACTS_H
#define RANK_FACTS_H

#include <stdbool.h>
#include <stdio.h>

#include "many_run.h"

/* What `seen` begins with. */
void rank_facts_begin(struct many_seen *seen);
/* Adds what a rank tells in a file; `caught` gets "CHECK FILE:LINE" of each report, or is NULL. False: it ends
 * early, or has a line that nobody understands; that is in `wrong` then. */
bool rank_facts_add(FILE *file, unsigned int rank, void (*caught)(const char *line),
                    struct many_seen *seen, char *wrong, size_t size);
/* All ranks have told: puts the reads in order. */
void rank_facts_end(struct many_seen *seen);

/* The other way round: what a rank writes. `seen` is of this rank alone. */
struct answer {
    const struct many_seen *seen;
    unsigned int num_bins;
    const struct many_unit *unit;
    const char *caught; /* lines "caught ..." */
};
void rank_facts_write(FILE *file, const struct answer *answer);

#endif
