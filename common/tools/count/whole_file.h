/* whole_file.h - a file that is there as a whole or not at all: it is written beside the old one, which it
 * replaces at the end. */
#ifndef WHOLE_FILE_H
#define WHOLE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct whole_file {
    FILE *stream;
    char *path; /* of the file to be; links are followed */
    char
        *written; /* of what is written now; NULL when it is written where it is, as for a device */
};

/* Whether such a file can be made: "" or why not, in *why. Nothing is made yet. */
bool whole_file_possible(const char *path, char *why, size_t size);

/* Begins it. Returns false, and why, when it cannot be made. */
bool whole_file_begin(struct whole_file *file, const char *path, char *why, size_t size);
/* Puts it in its place. When something could not be written, then or before, what was there stays;
 * returns false, and why. */
bool whole_file_end(struct whole_file *file, char *why, size_t size);
/* Leaves off: what was there stays. */
void whole_file_drop(struct whole_file *file);

#endif
