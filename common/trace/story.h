/* story.h - the story of a trial, as JSON, and its page. */
#ifndef STORY_H
#define STORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "recording.h"
#include "trial.h"

/* All that a page tells. What there is nothing to say of is "". */

struct story {
    const char *source; /* the kernel's file */
    const char *number, *name;
    const char *command;   /* that makes the page */
    const char *text_file; /* where the input lies, when it is a text */
    const char *profile;   /* the command that prints the same sums */
    const char *input;     /* the input in words */
    const char *shrunk;    /* how it became so small */
    const char *note;      /* what the reader should know of it besides */
    const char *words;     /* what the judge says */
    bool right;            /* and whether that is praise */
    bool another;          /* right, but by another technique */
    const struct trial *trial;
    const struct outcome *outcome;
    const struct recording *recording;
};

/* Writes the trace as JSON that may stand in a page, in about `most` bytes: steps that do not fit
 * are left out at the end, and counted. Returns how many. */
size_t story_write(const struct story *story, size_t most, FILE *file);

/* Which steps met; and, where the count is wrong, what got lost. */
struct told_race {
    long first, second; /* steps, or -1 */
    const char *lost;   /* a sentence, or "" */
};
struct told_race story_race(const struct recording *recording, bool miscounted);

/* Makes the page of the files in common/trace/page, at `path`. Ends the program with one line
 * on standard error when it cannot. */
void story_page(const struct story *story, const char *path);

#endif
