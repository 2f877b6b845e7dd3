/* story.h - all that a page tells. */
#ifndef STORY_H
#define STORY_H

#include <stdbool.h>
#include <stdio.h>

#include "recording.h"
#include "trial.h"

struct story {
    const char *source; /* the kernel's file */
    const char *number, *name;
    const char *command; /* that makes the page */
    char text_file[256]; /* where the input lies, when it is a text; else "" */
    char profile[400];   /* the command that prints the same sums */
    char input[400];     /* the input in words */
    char shrunk[400];    /* how it became so small, or "" */
    char note[400];      /* what the reader should know of it besides, or "" */
    const char *words;   /* what the judge says */
    bool right;          /* and whether that is praise */
    bool another;        /* right, but by another technique */
    const struct trial *trial;
    const struct outcome *outcome;
    const struct recording *recording;
};

/* story_json.c */
/* Writes the trace as JSON that may stand in a page, in about `most` bytes: steps that do not fit
 * are left out at the end, and counted. Returns how many. */
size_t story_write(const struct story *story, size_t most, FILE *file);

/* story_race.c */
/* Which steps met; and, where the count is wrong, what got lost. */
struct told_race {
    long first, second; /* steps, or -1 */
    char lost[1024];    /* a sentence, or "" */
};
struct told_race story_race(const struct recording *recording, bool miscounted);

/* story_page.c */
/* Makes the page of the three files in common/tools/trace/page, at `path`. False, with one line
 * on standard error, when it cannot. */
bool story_page(const struct story *story, const char *path);

#endif
