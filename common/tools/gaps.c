/* gaps.c - prints the gaps of a stub that are still empty, one line each.
 *
 *     gaps FILE [BINS]
 *
 * Status 2 when every gap is empty, 1 when some are,
 * status 0 when there is none, 3 when a gap has no end. */
#include <stdio.h>
#include <stdlib.h>

#include "gap_search.h"

int main(int count, char **arguments)
{
    if (count != 2 && count != 3) {
        fprintf(stderr, "usage: %s FILE [BINS]\n", arguments[0]);
        return 4;
    }
    unsigned int bins = count == 3 ? (unsigned int)strtoul(arguments[2], NULL, 10) : 0;
    struct gaps gaps = gaps_in(arguments[1], bins);
    int status = gaps_print(&gaps, stdout);
    gaps_free(&gaps);
    return status;
}
