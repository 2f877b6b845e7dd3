/* 5, further. Private copies that share no stripe of the L2 cache.
 *
 * On an H200 a stripe of 256 bytes lies in one part of the L2 cache, which does one round of
 * atomics at a time. Copies that lie whole stripes apart do not wait for each other. */
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "binning.h"
#include "cuda_check.h" // CHECK(call): a call that fails ends the program with one line
#include "histogram.h"

enum { THREADS_PER_BLOCK = 256, CHARACTERS_PER_THREAD = 16, MAX_BLOCKS = 1024 };

// From one copy to the next: NUM_BINS, rounded up to whole stripes.
enum {
    STRIPE = 256 / sizeof(unsigned int),
    DISTANCE = (NUM_BINS + STRIPE - 1) / STRIPE * STRIPE,
};

__global__ void histogram_kernel(const unsigned char *text, size_t length, unsigned int *bins,
                                 unsigned int *private_bins)
{
    const size_t threads = (size_t)gridDim.x * blockDim.x;
    const size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    unsigned int *block_bins = private_bins + (size_t)blockIdx.x * DISTANCE;

    for (size_t i = thread; i < length; i += threads) {
        const int bin = bin_of(text[i]);
        // Atomic, because any thread of this block may add to the same bin now.
        if (bin >= 0)
            atomicAdd(&block_bins[bin], 1);
    }

    __syncthreads(); // no thread may read block_bins while another still counts into them
    for (unsigned int bin = threadIdx.x; bin < NUM_BINS; bin += blockDim.x)
        // Atomic, because other blocks may merge into the same bin now.
        atomicAdd(&bins[bin], block_bins[bin]);
}

/* As many blocks as give each thread CHARACTERS_PER_THREAD, but no more than fill a large GPU. */
static unsigned int blocks_for(size_t length)
{
    const size_t characters_per_block = THREADS_PER_BLOCK * CHARACTERS_PER_THREAD;
    size_t blocks = (length + characters_per_block - 1) / characters_per_block;
    if (blocks > MAX_BLOCKS)
        blocks = MAX_BLOCKS;
    return (unsigned int)blocks;
}

void histogram(const unsigned char *d_text, size_t length, unsigned int *d_bins)
{
    if (length > UINT32_MAX) {
        fprintf(stderr, "histogram: %zu characters; at most 4294967295 can be counted\n", length);
        exit(1);
    }
    if (length == 0)
        return;
    const unsigned int blocks = blocks_for(length);
    unsigned int *private_bins = NULL;
    const size_t bytes = (size_t)blocks * DISTANCE * sizeof *private_bins;
    CHECK(cudaMalloc(&private_bins, bytes));
    CHECK(cudaMemset(private_bins, 0, bytes));
    histogram_kernel<<<blocks, THREADS_PER_BLOCK>>>(d_text, length, d_bins, private_bins);
    CHECK(cudaGetLastError());
    CHECK(cudaFree(private_bins)); // may wait for the kernel
}
