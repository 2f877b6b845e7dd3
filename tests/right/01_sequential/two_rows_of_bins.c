// Style: even characters into one row of counters, odd ones into another, as one does on a CPU
// so that equal neighbors do not wait for each other. // comments, C99 declarations in loops.
#include <stdio.h>
#include <stdlib.h>
#include "histogram.h"
#include "binning.h"

void histogram(const unsigned char *d_text, size_t length, unsigned int *d_bins)
{
    if (length > 0xffffffffull) {
        fprintf(stderr, "Text mit %zu Zeichen ist zu lang – höchstens 2³²−1\n", length);
        exit(1);
    }
    unsigned int row[2][NUM_BINS + 1];           // the last one collects what is not counted
    for (int r = 0; r < 2; r++) for (int b = 0; b <= NUM_BINS; b++) row[r][b] = 0;
    for (size_t i = 0; i < length; i++) {
        int bin = bin_of(d_text[i]);
        row[i & 1][bin < 0 ? NUM_BINS : bin]++;
    }
    for (int b = 0; b < NUM_BINS; b++) d_bins[b] += row[0][b] + row[1][b];
}
