/* bin_names.h - which bytes a bin holds, for people and for programs. */
#ifndef BIN_NAMES_H
#define BIN_NAMES_H

#include <stddef.h>

/* The first and the last byte of a bin, 0 to 255. */
void bytes_of_bin(int bin, int *first, int *last);

/* "10 \n", "97 a", "97-102 a-f", "128-131": the values, and characters where all are printable. */
void name_of_bin(int bin, char *name, size_t size);

#endif
