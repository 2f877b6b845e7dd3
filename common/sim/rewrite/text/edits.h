/* edits.h - changes to a text, collected in any order and written out at the end. */
#ifndef EDITS_H
#define EDITS_H

#include <stdio.h>

#include "tokens.h"

/* A text that grows. Zero it to start; free `bytes` at the end. */
struct text {
    char *bytes; /* terminated; NULL while empty */
    size_t length, capacity;
};
__attribute__((format(printf, 2, 3))) void text_add(struct text *text, const char *format, ...);
/* Adds tokens `first` to `last`, in one line, with a blank between any two that are not parts of one sign. */
void text_add_tokens(struct text *text, const struct source *source, size_t first, size_t last);

struct edits;
struct edits *edits_new(void);
void edits_free(struct edits *edits);

/* Puts a copy of `text`, which holds no newline, before token `i`, or after it, or
 * in its place. Several texts at one place come out in the order of the calls. */
void edit_before(struct edits *edits, size_t i, const char *text);
void edit_after(struct edits *edits, size_t i, const char *text);
void edit_instead(struct edits *edits, size_t i, const char *text);

/* Has the bytes from `begin` to `end` of the text written as `instead`, which has to live as long as `edits`:
 * headers that are read, and compiled from elsewhere. Where an edit changes them they are written as they are. */
void edits_shorten(struct edits *edits, size_t begin, size_t end, const char *instead);

/* Writes the changed text. Whatever was put in, each token of the user keeps its
 * line and its column: a line marker and blanks bring back the rest of a line
 * that has grown. Returns false when the file cannot be written. */
bool edits_write(struct edits *edits, const struct source *source, FILE *file);

#endif
