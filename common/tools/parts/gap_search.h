/* gap_search.h - the gaps of a stub that are still empty.
 *
 * A gap begins with a comment `// TODO(5.1): what goes there`, which may go on over more
 * comment lines, and ends with `// end of TODO(5.1)`; in C also with slash and star. It is
 * empty when nothing but comments and blanks lie between. */
#ifndef GAP_SEARCH_H
#define GAP_SEARCH_H

#include <stdbool.h>
#include <stdio.h>

enum { MOST_GAPS = 64 };

struct gaps {
    unsigned int count, empty;
    char *lines[MOST_GAPS]; /* of the empty ones: "FILE:LINE: not done yet: TODO(5.1) what" */
    char *error;            /* a gap without an end, or a file that cannot be read; else NULL */
};

/* Reads the file. With `bins` other than 0, a gap between `#if BINS == 5` and #else or #endif
 * counts only when it is compiled with that many. Free the result with gaps_free. */
struct gaps gaps_in(const char *file, unsigned int bins);
void gaps_free(struct gaps *gaps);

/* Prints the gaps that are empty.
 * Returns 0 when no gap is empty, 1 when some are, 2 when all are, 3 on an error. */
int gaps_print(const struct gaps *gaps, FILE *out);

#endif
