/* limit.h - how many accesses a call of histogram() may make before it counts as endless. */
#ifndef LIMIT_H
#define LIMIT_H

#include <stddef.h>
#include <stdint.h>

/* Stops the kernels of the next calls on texts of this length after seconds instead of minutes: after
 * at_least accesses, and what each character may take of a right kernel. */
void limit_accesses(uint64_t at_least, size_t length);
/* Without what is at least allowed. */
uint64_t limit_of_text(size_t length);

#endif
