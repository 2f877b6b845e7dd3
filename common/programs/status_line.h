/* status_line.h - a line of standard error that says how far a program is. */
#ifndef STATUS_LINE_H
#define STATUS_LINE_H

#include <stdbool.h>

/* From here on the line is there, and all that this process prints to standard error stands above it. */
void status_line_begin(void);
/* Puts other words in the place of those that are there; any thread may do so. */
void status_line_write(const char *words);
/* The line stays as it is when it is the last word, else it is taken away. */
void status_line_end(bool stays);

#endif
