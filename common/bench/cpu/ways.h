/* ways.h - how a CPU can count a text: in tables, by comparing, on one core or on all. */
#ifndef WAYS_H
#define WAYS_H

#include <stddef.h>

/* Adds to bins[bin_of(c)] one for every counted character c of a text, as histogram() in
 * histogram.h does, with text and bins in the host's memory. */
typedef void way(const unsigned char *text, size_t length, unsigned int *bins);

/* Counts in a table for each of 16 neighboring characters, with a counter for every value of a byte; the
 * bins get their sums at the end. */
way count_in_16_tables;
/* Compares many characters at a time with the ends of all bins; for up to 26 bins. */
way count_by_comparing;
/* Counts nothing: adds the sum of the text's words to bins[0]. */
way read_only;

/* How many cores on_all_cores works on; 0 when the compiler has no OpenMP, and it uses one. */
int all_cores(void);
/* Cuts a text into a piece for each core, counts every piece in bins of its own, and adds
 * these to `bins`. */
void on_all_cores(way *count, const unsigned char *text, size_t length, unsigned int *bins);
/* Returns a copy of a text, for free(): every core writes the piece that on_all_cores gives it, so
 * that it lies in the memory next to that core. NULL when there is no memory. */
unsigned char *copy_on_all_cores(const unsigned char *text, size_t length);

#endif
