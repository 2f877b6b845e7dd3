/* program.h - what the examples share: how one ends, its numbers, its arrays on the device, and what it writes. */
#ifndef PROGRAM_H
#define PROGRAM_H

#include <stddef.h>
#include <stdio.h>

/* Prints "PROGRAM: sentence" to standard error, and ends the program with status 1. */
__attribute__((noreturn, format(printf, 1, 2))) void stop(const char *format, ...);

/* Returns the number that an option has got. Stops where that is no whole number from `least` to `most`. */
unsigned long number_of(const char *option, const char *word, unsigned long least,
                        unsigned long most);

/* Asks the simulated GPU for speed, unless the environment says otherwise: no checks of accesses, and no end of long
 * launches. Called before the GPU is used. */
void prefer_speed(void);

/* Returns a copy of an array of the host on the device; from_device() copies it back to the host's array, and frees it.
 * A CUDA error ends the program. */
void *on_device(const void *array, size_t bytes);
void from_device(void *array, void *copy, size_t bytes);

/* Opens a file for writing; output_end() closes it, and makes sure that all of it is there. "-" is standard output. A
 * program calls both when it has computed everything. Both stop when they fail. */
FILE *output_begin(const char *path);
void output_end(FILE *file, const char *path);

#endif
