/* story_steps.h - what the two parts of a trace's JSON share. */
#ifndef STORY_STEPS_H
#define STORY_STEPS_H

#include "story.h"

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

#endif
