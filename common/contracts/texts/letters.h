/* letters.h - which characters each bin has, without bin_of: a mistake there is none here. */
#ifndef LETTERS_H
#define LETTERS_H

#include <stddef.h>

#include "binning.h"

enum { NOT_COUNTED = NUM_BINS }; /* the extra place of a table for what has no bin */

/* The bin of each byte, and NOT_COUNTED for one that has none. */
void letters_in_bins(unsigned short bin_of_byte[256]);

/* "bin 3 (s-x)", or with 256 bins "bin 101 ('e')". */
void letters_name_bin(unsigned int bin, char *name, size_t size);

#endif
