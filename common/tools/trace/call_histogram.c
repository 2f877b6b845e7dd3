/* call_histogram.c - the kernel of a chapter: histogram() launches it. */
#include "histogram.h"
#include "trial.h"

void call_histogram(const unsigned char *text, size_t length, unsigned int *bins)
{
    histogram(text, length, bins);
}

bool is_plain_c(void)
{
    return false;
}
