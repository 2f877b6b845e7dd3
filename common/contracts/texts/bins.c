/* bins.c - how many bins a text is counted in: see bins.h. */
#include "bins.h"

#include <stdio.h>
#include <stdlib.h>

static unsigned int asked(void)
{
    const char *text = getenv("NUM_BINS");
    if (!text || !*text)
        return 5;
    const int number = atoi(text);
    if (number == 5 || number == 26 || (number > 0 && MOST_BINS % number == 0))
        return (unsigned int)number;
    fprintf(stderr, "NUM_BINS=%s: a text is counted in 5, 26, 64 or 256 bins\n", text);
    exit(2);
}

unsigned int num_bins(void)
{
    static unsigned int number;
    if (number == 0)
        number = asked();
    return number;
}
