/* made_text.h - texts of many GiB, made by a card, and what is in them: by a way that no chapter goes. */
#ifndef MADE_TEXT_H
#define MADE_TEXT_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Of letters, or with 64 and 256 bins of all values of a byte; one letter over and over; nothing that is
 * counted, but with 64 and 256 bins, which count all: there it is a text of bytes above 127. */
enum made_text { MIXED, ONE_LETTER, HARDLY_COUNTED, MADE_TEXTS };

/* "mixed", "one letter" and "bytes above 127". */
extern const char *const made_text_names[MADE_TEXTS];

/* All work on the current device. A CUDA error ends the program with one line. A byte depends on its number,
 * counted from `first` on, a multiple of 8. */

/* Fills memory of the device, at a multiple of 8; returns when it has begun. */
void made_text_fill(unsigned char *d_text, size_t length, size_t first, enum made_text kind);

/* Adds to bins[bin_of(c)] one for every counted character c of a text on the device: NUM_BINS counters. */
void made_text_count(const unsigned char *d_text, size_t length, unsigned long long *bins);

/* Fills memory of the host, at any address, and counts what is in it. */
void made_text_to_host(unsigned char *text, size_t length, size_t first, enum made_text kind,
                       unsigned long long *bins);

#ifdef __cplusplus
}
#endif

#endif
