/* wrapped.h - a text in lines of a screen. */
#ifndef WRAPPED_H
#define WRAPPED_H

#include <stddef.h>

/* Prints a text in lines of at most `width` columns, each indented by `indent`, broken at blanks.
 * A word that is longer has a line of its own. */
void wrapped_print(const char *text, size_t indent, size_t width);

#endif
