/* host_text.h - long texts in host memory: all cores fill them, and count them. */
#ifndef HOST_TEXT_H
#define HOST_TEXT_H

#include <stddef.h>
#include <stdint.h>

/* Of letters, or with 64 and 256 bins of all values of a byte; one letter over and over; nothing that is
 * counted, but with 64 and 256 bins, which count all: there it is a text of bytes above 127. */
enum host_text { MIXED, ONE_LETTER, HARDLY_COUNTED, HOST_TEXTS };

/* "one letter" and so on. */
const char *host_text_name(enum host_text kind);

/* Fills `length` bytes, which need not be aligned: a byte depends on its number, counted from `first` on. */
void host_text_fill(unsigned char *bytes, size_t length, size_t first, enum host_text kind);

/* Adds to bins[bin_of(c)] one for every counted character c: NUM_BINS counters. */
void host_text_count(const unsigned char *bytes, size_t length, uint64_t *bins);

#endif
