/* rank_facts.h - what the ranks of a job tell of a case, as the judge reads it: each in a file. */
#ifndef RANK_FACTS_H
#define RANK_FACTS_H

#include <stdbool.h>
#include <stdio.h>

#include "many_run.h"

/* What a rank tells: `seen` is of this rank alone, `unit` of its device. Returns false when it cannot be
 * written. */
bool rank_facts_write(FILE *file, const struct many_seen *seen, const struct many_unit *unit);

/* What `seen` begins with. */
void rank_facts_begin(struct many_seen *seen);
/* Adds what a rank tells in a file. Returns false when that ends early, or makes no sense. */
bool rank_facts_add(FILE *file, unsigned int rank, struct many_seen *seen);
/* All ranks have told: puts the reads in order. */
void rank_facts_end(struct many_seen *seen);

#endif
