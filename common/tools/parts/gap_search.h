/* gap_search.h - the gaps of a stub that are still empty; and the stub of a solution.
 *
 * A gap begins with a comment `// TODO(5.1): what goes there`, which goes on over comment lines
 * whose words are set in by two blanks or more, and ends with `// end of TODO(5.1)`; in C also with
 * slash and star. It is empty when nothing but comments and blanks lie between. A stub is its
 * solution without what lies between. */
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

/* Writes the stub of a solution; of a stub that is the same once more. Returns what is wrong with
 * the file, to be freed: it cannot be read, a gap has no end, or there is none; else NULL. */
char *gaps_write_stub(const char *solution, FILE *out);

#endif
