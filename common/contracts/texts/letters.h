/* letters.h - in how many bins a text is counted, and which characters each bin has: without bin_of, so that a mistake
 * there is none here. */
#ifndef LETTERS_H
#define LETTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "letters.h"

/* How many bins a text is counted in, by the judge and all that is compiled once for any number. A kernel is compiled for
 * one number (binning.h), and its caller has to be told the same. */
enum { MOST_BINS = 256 };

/* Returns NUM_BINS of the environment, or 5 without it: 5, 26, or what divides 256. Another number ends the program
 * with one line. */
unsigned int num_bins(void) __attribute__((pure));

enum { NOT_COUNTED = MOST_BINS }; /* the extra place of a table for what has no bin */

/* Whether only the letters a to z are counted, as with 5 and 26 bins; else every byte is. */
bool letters_alone(void);

/* Sets the bin of each byte, and NOT_COUNTED for one that has none. */
void letters_in_bins(unsigned short bin_of_byte[256]);

/* Writes "bin 3 (s-x)", or with 256 bins "bin 101 ('e')". */
void letters_name_bin(unsigned int bin, char *name, size_t size);

/* Counts the characters of a range: bins are set, and not added to. */
void letters_count(const unsigned char *text, size_t begin, size_t end, uint64_t *bins);

/* Appends the first bins that are wrong, a line for each: "\n  bin 3 (s-x): expected 1, counted 0". */
void letters_list_wrong(const uint64_t *expected, const uint64_t *counted, char *text, size_t size);

#endif
