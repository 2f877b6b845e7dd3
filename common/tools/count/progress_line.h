/* progress_line.h - one line on standard error that is written again and again, or several where that
 * is no terminal, and how far it says that the reading is. */
#ifndef PROGRESS_LINE_H
#define PROGRESS_LINE_H

#include <stdbool.h>

struct how_far {
    const char *file;
    unsigned long long done, all; /* bytes */
    double seconds;               /* since it began */
    bool about;                   /* done is an estimate */
};

/* "43%  1.2 of 2.8 GB  310 MB/s  5 s left  big.bin", for one line of a terminal. */
const char *how_far_in_words(const struct how_far *how);

/* From here on the line is there, and all that this process prints to standard error stands above it. */
void progress_line_begin(void);
void progress_line_write(const char *words);
/* The line stays as it is when it is the last word, else it is taken away. */
void progress_line_end(bool stays);

#endif
