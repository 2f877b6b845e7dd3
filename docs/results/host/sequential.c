/* sequential.c - how fast one core runs the loop of chapter 1. From the top directory:
 *
 *     for bins in 5 256; do
 *         gcc -std=c11 -O2 -Icommon -DBINS=$bins docs/results/host/sequential.c \
 *             solutions/01_sequential/histogram.c common/text.c -o /tmp/sequential &&
 *             /tmp/sequential
 *     done
 *
 * The fastest of RUNS calls on each kind of text, in time that the process had a core: other
 * programs may run on the machine. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "binning.h"
#include "histogram.h"
#include "text.h"

enum { RUNS = 15, LENGTH = 1 << 28 };

static double milliseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static double fastest(const struct text *text)
{
    double best = 0;
    for (int run = 0; run < RUNS; run++) {
        unsigned int bins[NUM_BINS] = {0};
        double start = milliseconds();
        histogram(text->bytes, text->length, bins);
        double time = milliseconds() - start;
        best = run == 0 || time < best ? time : best;
    }
    return best;
}

int main(void)
{
    if (NUM_BINS == 5)
        printf("implementation,input,bytes,bins,fastest_ms,input_GBps\n");
    for (int kind = 0; kind < TEXT_KINDS; kind++) {
        struct text text = text_of((enum text_kind)kind, 1, LENGTH);
        double time = fastest(&text);
        printf("chapter 1 on one core,%s,%zu,%d,%.1f,%.2f\n", text_kind_name((enum text_kind)kind),
               text.length, (int)NUM_BINS, time, (double)text.length / time / 1e6);
        text_free(&text);
    }
    return 0;
}
