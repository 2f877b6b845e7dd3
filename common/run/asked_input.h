/* asked_input.h - what the environment says of the input that all chapters are run on. */
#ifndef ASKED_INPUT_H
#define ASKED_INPUT_H

#include <stddef.h>
#include <stdint.h>

/* TEXT_SEED; 1 when it is not set. One that is no whole number is refused. */
uint64_t asked_seed(void);

/* SIZE, "4096", "64K", "16M" or "1G", in `units` ("elements"); `usual` when it is not set. What is no
 * length from 1 to 2^32 - 1 is refused. */
size_t asked_length(const char *units, size_t usual);

/* Refuses INPUT and TEXT, where a chapter "reduces an array" and no text; `instead` says what there is
 * to choose. */
void refuse_texts(const char *does, const char *instead);

/* What is written down of an input that is drawn, for whatever operation: "zipf 1 65536". */
struct drawn {
    char kind[16]; /* a word of the contract */
    uint64_t seed;
    size_t length;
};
/* Returns 0, or -1, and errno says why. */
int drawn_write(const struct drawn *drawn, const char *file);
/* Of a file that says no such thing the kind is "". */
struct drawn drawn_read(const char *file);

#endif
