/* story.h - the story of a trial, as JSON, and its page. */
#ifndef STORY_H
#define STORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "recording.h"
#include "trial.h"

/* All that a page tells. */

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
/* Makes the page of the three files in common/trace/page, at `path`. False, with one line
 * on standard error, when it cannot. */
bool story_page(const struct story *story, const char *path);

/* What the two parts of a trace's JSON share. */

/* What the page is made of, and how far it is. */
struct writer {
    const struct story *story;
    const struct recording *r;
    FILE *file;
    size_t element[MOST_ARRAYS]; /* bytes of an element, as the page sees it */
    char other[256]; /* a file that the kernel's includes, where most other steps are; or "" */
    int lines;       /* of the kernel's file; those of the other one follow */
};

/* "name":"text" */
void story_pair(FILE *file, const char *name, const char *text);

/* Writes the list of arrays, first, and that of steps, as long as the file is shorter than `most`
 * bytes. Returns how many steps are left out. */
void story_arrays(struct writer *w);
size_t story_steps(struct writer *w, size_t most);
/* Finds the other file in which steps are. */
void story_find_other(struct writer *w);
/* The element of an array at an address; below 0 before it. */
long long story_index(const struct writer *w, int array, uintptr_t address);

/* Strings as JSON that may stand in a page. */

/* The text as a JSON string; what is no UTF-8 is taken for Latin-1. */
void json_string(FILE *file, const char *text);
/* Bytes as a JSON string with as many characters, each with the value of its byte. */
void json_bytes(FILE *file, const unsigned char *bytes, size_t length);

#endif
