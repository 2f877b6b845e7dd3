/* gaps.c - prints the gaps of a stub that are still empty, one line each.
 *
 *     gaps FILE [BINS]
 *     gaps --stub SOLUTION
 *
 * Status 2 when every gap is empty, 1 when some are,
 * status 0 when there is none, 3 when a gap has no end. The second prints the stub of a solution:
 * its text with empty gaps; status 3 when that cannot be. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gap_search.h"

static int print_stub(const char *solution)
{
    char *error = gaps_write_stub(solution, stdout);
    if (error)
        fprintf(stderr, "%s\n", error);
    free(error);
    return error ? 3 : 0;
}

int main(int count, char **arguments)
{
    if (count != 2 && count != 3) {
        fprintf(stderr, "usage: %s FILE [BINS], or %s --stub SOLUTION\n", arguments[0],
                arguments[0]);
        return 4;
    }
    if (count == 3 && strcmp(arguments[1], "--stub") == 0)
        return print_stub(arguments[2]);
    unsigned int bins = count == 3 ? (unsigned int)strtoul(arguments[2], NULL, 10) : 0;
    struct gaps gaps = gaps_in(arguments[1], bins);
    int status = gaps_print(&gaps, stdout);
    gaps_free(&gaps);
    return status;
}
