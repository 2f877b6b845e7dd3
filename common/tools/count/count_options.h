/* count_options.h - what a command line of count asks for. */
#ifndef COUNT_OPTIONS_H
#define COUNT_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

struct count_options {
    char **files; /* of the command line */
    size_t file_count;
    bool csv, quiet, compare, help;
    bool progress;      /* --progress: also where standard error is no terminal */
    const char *output; /* of the table or CSV; NULL: standard output */
    const char *plot;   /* an SVG file, or NULL */
};

/* Reads a command line. Returns "", or one sentence about the first thing that is wrong with it, which
 * stays valid until the next call. The words stay those of `arguments`, in another order. */
const char *read_count_options(int count, char **arguments, struct count_options *options);

/* What --help prints. */
extern const char count_help[];

#endif
