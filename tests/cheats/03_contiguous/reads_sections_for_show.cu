/* Tries: reads a section of its own and drops it, then counts a character as chapter 2 does.
 * Refused: each has to be read once */
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "binning.h"
#include "cuda_check.h"
#include "histogram.h"

__global__ void both(const unsigned char *text, size_t length, unsigned int *bins, unsigned int *sums)
{
    const size_t threads = (size_t)gridDim.x * blockDim.x, section = (length + threads - 1) / threads;
    const size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    unsigned int sum = 0;
    for (size_t i = thread * section; i < (thread + 1) * section && i < length; i++)
        sum += text[i];
    if (sum == 1234567)
        atomicAdd(sums, sum);
    for (size_t i = thread; i < length; i += threads)
        if (bin_of(text[i]) >= 0)
            atomicAdd(&bins[bin_of(text[i])], 1);
}

static unsigned int blocks_for(size_t length)
{
    const size_t blocks = (length + 4095) / 4096;
    return (unsigned int)(blocks < 1024 ? blocks : 1024);
}

void histogram(const unsigned char *d_text, size_t length, unsigned int *d_bins)
{
    if (length > UINT32_MAX) {
        fprintf(stderr, "histogram: too long\n");
        exit(1);
    }
    if (length == 0)
        return;
    both<<<blocks_for(length), 256>>>(d_text, length, d_bins, d_bins);
    CHECK(cudaGetLastError());
}
