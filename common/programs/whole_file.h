/* whole_file.h - a file that is there as a whole or not at all: it is written beside the old one, which it replaces
 * at the end. A function that says what is wrong returns a sentence, or "" when all is well. */
#ifndef WHOLE_FILE_H
#define WHOLE_FILE_H

#include <stdio.h>

struct whole_file {
    FILE *stream;
    const char *path; /* of the file to be; links are followed */
    char
        *written; /* of what is written now; NULL when it is written where it is, as for a device */
};

/* Says whether such a file can be made. Nothing is made yet. */
const char *whole_file_possible(const char *path);

/* Begins it, or says why it cannot be made. */
const char *whole_file_begin(struct whole_file *file, const char *path);
/* Puts it in its place. When something could not be written, then or before, what was there stays. */
const char *whole_file_end(struct whole_file *file);
/* Leaves off: what was there stays. */
void whole_file_drop(struct whole_file *file);

#endif
