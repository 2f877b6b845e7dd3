/* Tries: a thread that goes on after histogram() has returned, and looks for counters to change.
 * Refused: pthread_create is called here */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <pthread.h>
#include "binning.h"
#include "histogram.h"

static void *patch(void *bins)
{
    for (int i = 0; i < 1000; i++)
        ((volatile unsigned int *)bins)[0] += 0;
    return NULL;
}

static void count(const unsigned char *text, size_t length, unsigned int *bins)
{
    if (length > UINT32_MAX) {
        fprintf(stderr, "histogram: too long\n");
        exit(1);
    }
    for (size_t i = 0; i < length; i++)
        if (bin_of(text[i]) >= 0)
            bins[bin_of(text[i])]++;
}

void histogram(const unsigned char *text, size_t length, unsigned int *bins)
{
    static pthread_t thread;
    pthread_create(&thread, NULL, patch, bins);
    count(text, length, bins);
}
