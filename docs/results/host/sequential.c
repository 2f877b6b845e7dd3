/* sequential.c - how fast one core runs the loop of chapter 1. From the top directory:
 *
 *     for bins in 5 256; do
 *         gcc -std=c11 -O2 -Icommon -DBINS=$bins docs/results/host/sequential.c \
 *             solutions/01_sequential/histogram.c common/text.c -o /tmp/sequential &&
 *             /tmp/sequential
 *     done
 *
 * Median of RUNS calls on each kind of text, after one that is not counted: the time that
 * the process had a core. "4 private copies" is the same loop, which adds the characters
 * in turn to four sets of bins. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "binning.h"
#include "histogram.h"
#include "text.h"

enum { RUNS = 15, LENGTH = 1 << 28 };

enum { COPIES = 4 };

static void histogram_in_copies(const unsigned char *text, size_t length, unsigned int *bins)
{
    unsigned int copy[COPIES][NUM_BINS] = {{0}};
    size_t i = 0;
    for (; i + COPIES <= length; i += COPIES)
        for (size_t k = 0; k < COPIES; k++) {
            const int bin = bin_of(text[i + k]);
            if (bin >= 0)
                copy[k][bin]++;
        }
    for (int k = 0; k < COPIES; k++)
        for (int bin = 0; bin < NUM_BINS; bin++)
            bins[bin] += copy[k][bin];
    histogram(text + i, length - i, bins);
}

typedef void implementation(const unsigned char *text, size_t length, unsigned int *bins);

static double milliseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median_time(implementation *count, const struct text *text)
{
    double time[RUNS + 1];
    for (int run = 0; run <= RUNS; run++) {
        unsigned int bins[NUM_BINS] = {0};
        double start = milliseconds();
        count(text->bytes, text->length, bins);
        time[run] = milliseconds() - start;
    }
    qsort(time + 1, RUNS, sizeof *time, compare);
    return time[1 + RUNS / 2];
}

static void print_row(const char *name, implementation *count, enum text_kind kind)
{
    struct text text = text_of(kind, 1, LENGTH);
    double time = median_time(count, &text);
    printf("%s,%s,%zu,%d,%.3f,%.2f\n", name, text_kind_name(kind), text.length, (int)NUM_BINS, time,
           (double)text.length / time / 1e6);
    text_free(&text);
}

int main(void)
{
    if (NUM_BINS == 5)
        printf("implementation,input,bytes,bins,median_ms,input_GBps\n");
    for (int kind = 0; kind < TEXT_KINDS; kind++)
        print_row("chapter 1 on one core", histogram, (enum text_kind)kind);
    for (int kind = 0; kind < TEXT_KINDS; kind++)
        print_row("4 private copies on one core", histogram_in_copies, (enum text_kind)kind);
    return 0;
}
