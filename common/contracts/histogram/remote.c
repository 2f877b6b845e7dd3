/* remote.c - histogram(), as the few tests have it that call it by themselves: done by the kernel's
 * process. */
#include "histogram.h"

#include "bins.h"
#include "contract.h"
#include "kernel_process.h"

const char kernel_function[] = "histogram()";

void histogram(const unsigned char *d_text, size_t length, unsigned int *d_bins)
{
    struct call call = call_of(length, num_bins(), 0);
    call.values = (uintptr_t)d_text;
    call.bins = (uintptr_t)d_bins;
    call_make(&call);
}
