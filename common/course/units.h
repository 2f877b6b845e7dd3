/* units.h - a page of docs in the reader's language, unit by unit.
 *
 * A unit is what a catalog translates as one: a paragraph, an item of a list, a heading, a cell of a table that has
 * words, the head of what is folded, or a whole block of ```text, which is no output. The lines of a unit are joined
 * by blanks. Code, commands, comments and figures in cells are no units: they stay as they are. */
#ifndef UNITS_H
#define UNITS_H

#include <stddef.h>
#include <stdio.h>

/* Writes the lines, each unit in the reader's language if the catalog `name` has it. */
void units_write(char *const *lines, size_t count, const char *name, FILE *to);
/* Writes the units alone, each as a string of JSON on a line. */
void units_list(char *const *lines, size_t count, FILE *to);

#endif
