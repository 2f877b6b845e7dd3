/* smaller.h - of a wrong output that nobody can explain: the smallest input that gives another one.
 *
 * What a kernel does wrong is easier to see on one unit, or on two. */
#ifndef SMALLER_H
#define SMALLER_H

#include <stddef.h>

#include "call_arrays.h"

/* Calls the function on inputs of 1, 2, 3, 4, 6, 8 and more units, up to half of an input that is wrong, on the
 * schedule of now. Of the first that is wrong, too, it writes a line: what one output should be, and what it is. ""
 * where none is, or the contract draws none. */
void smaller_input(const struct input *input, char *line, size_t size);

#endif
