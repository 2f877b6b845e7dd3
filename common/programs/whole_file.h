/* whole_file.h - a file that is there as a whole or not at all: it is written beside the old one, which it replaces
 * at the end. And programs of others, which read one file and write another. A function that says what is wrong
 * returns a sentence, or "" when all is well. */
#ifndef WHOLE_FILE_H
#define WHOLE_FILE_H

#include <stdbool.h>
#include <stdio.h>

struct whole_file {
    FILE *stream;
    const char *name; /* as the user says it, for sentences */
    const char *path; /* of the file to be; links are followed */
    char *written;    /* of what is written now; NULL: where it is, as for a device */
};

/* Says whether such a file can be made. Nothing is made yet. */
const char *whole_file_possible(const char *path);

/* Begins it, or says why it cannot be made. One file at a time: a signal that ends the program, but SIGKILL, removes
 * what has been written. */
const char *whole_file_begin(struct whole_file *file, const char *path);
/* Puts it in its place. When something could not be written, then or before, what was there stays. */
const char *whole_file_end(struct whole_file *file);
/* Leaves off: what was there stays. */
void whole_file_drop(struct whole_file *file);

/* Whether all that was printed to standard output, or standard error, has come there: "", or why not. */
const char *all_printed(FILE *stream);

enum filtered { DONE, NOT_INSTALLED, FAILED };

/* Runs `program -`, whose standard input is one file and whose standard output the other, both from where they are
 * now. What it says on standard error nobody hears. It has failed when its status is not 0. */
enum filtered run_filter(const char *program, FILE *from, FILE *to);

/* Whether there is a program of that name. */
bool is_installed(const char *program);

#endif
