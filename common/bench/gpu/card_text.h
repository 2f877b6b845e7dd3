/* card_text.h - a text that is made on the cards, and what is in it. */
#ifndef CARD_TEXT_H
#define CARD_TEXT_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* All are for the current device, and return when it has begun. A CUDA error ends the program with one line. */

/* Fills `length` bytes, whose address is a multiple of 16, with letters, or with 64 and 256 bins with all
 * values of a byte, each about as often; another `seed` is another text. */
void card_text_fill(unsigned char *d_text, size_t length, unsigned int seed);

/* Adds what is in a text to d_values, 256 counters of 64 bits on the device, one for each value of a byte: by
 * a way that no chapter goes. */
void card_text_count(const unsigned char *d_text, size_t length, unsigned long long *d_values);

#ifdef __cplusplus
}
#endif

#endif
