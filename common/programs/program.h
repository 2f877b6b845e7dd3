/* program.h - what the examples share: how one ends, its numbers, what it tells, and a file as a whole. */
#ifndef PROGRAM_H
#define PROGRAM_H

#include <stdio.h>

/* Prints "PROGRAM: sentence" to standard error, and ends the program with status 1. */
__attribute__((noreturn, format(printf, 1, 2))) void stop(const char *format, ...);

/* Returns the number that an option has got. Stops where that is no whole number from `least` to `most`. */
unsigned long number_of(const char *option, const char *word, unsigned long least,
                        unsigned long most);

/* Tells what the program is doing, in one line of a terminal that the next one overwrites; NULL takes it away. Where
 * standard error is no terminal, nothing is told. */
__attribute__((format(printf, 1, 2))) void status_line(const char *format, ...);

/* Asks the simulated GPU for speed, unless the environment says otherwise: no checks of accesses, and no end of long
 * launches. Called before the GPU is used. */
void prefer_speed(void);

/* Opens a file that is written beside `path`; whole_file_end() puts it into the place of the old one. So a file is there
 * as a whole, or the old one stays. "-" is standard output. Both stop when they fail. */
FILE *whole_file_begin(const char *path);
void whole_file_end(FILE *file, const char *path);

#endif
