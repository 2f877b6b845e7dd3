/* timed_text.h - the texts that are timed, by name. */
#ifndef TIMED_TEXT_H
#define TIMED_TEXT_H

#include <stddef.h>

#include "text.h"

/* A text of `length` bytes, or of the file's own length when `length` is 0:
 *
 *   english uniform zipf single runs   those of text.h, seed 1
 *   sorted    the bytes of a uniform text in rising order
 *   smooth    neighbors differ by at most one, as in an image
 *   bytes     all 256 values of a byte, uniformly, whatever BINS is
 *   lower     the letters a to z, uniformly, whatever BINS is
 *   a file    repeated or cut
 *
 * What is generated, but for sorted text, repeats after 64 MiB. Ends the program with
 * one line when there is no such kind or file. */
struct text timed_text(char *name, size_t length);

#endif
