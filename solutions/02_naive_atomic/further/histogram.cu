/* 2, further: atomicAdd made by hand, of compare-and-swap.
 *
 * A thread stores its sum only if the bin still holds what the sum was made of; when another
 * thread's update came between, it makes a new sum and tries again. No update is lost. */
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "binning.h"
#include "cuda_check.h" // CHECK(call): a call that fails ends the program with one line
#include "histogram.h"

enum { THREADS_PER_BLOCK = 256 };

__device__ void add_one(unsigned int *address)
{
    unsigned int found = *address, assumed;
    do {
        assumed = found;
        found = atomicCAS(address, assumed, assumed + 1);
    } while (found != assumed); // somebody came between: try again with what is there now
}

__global__ void histogram_kernel(const unsigned char *text, size_t length, unsigned int *bins)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < length) {
        const int bin = bin_of(text[i]);
        if (bin >= 0)
            add_one(&bins[bin]);
    }
}

void histogram(const unsigned char *d_text, size_t length, unsigned int *d_bins)
{
    if (length > UINT32_MAX) {
        fprintf(stderr, "histogram: %zu characters; at most 4294967295 can be counted\n", length);
        exit(1);
    }
    if (length == 0)
        return;
    const size_t blocks = (length + THREADS_PER_BLOCK - 1) / THREADS_PER_BLOCK;
    histogram_kernel<<<(unsigned int)blocks, THREADS_PER_BLOCK>>>(d_text, length, d_bins);
    CHECK(cudaGetLastError());
}
