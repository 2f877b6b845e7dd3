/* 5. Privatization in global memory: each block counts in a copy of its own.
 *
 * All threads of the grid compete for NUM_BINS counters; with a private copy for
 * each block only the threads of that block do. When a block has counted its
 * share, it adds its copy to the bins: one atomic a block and bin. */
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "binning.h"
#include "cuda_check.h" // CHECK(call): a call that fails ends the program with one line
#include "histogram.h"

enum { THREADS_PER_BLOCK = 256, CHARACTERS_PER_THREAD = 16, MAX_BLOCKS = 1024 };

__global__ void histogram_kernel(const unsigned char *text, size_t length, unsigned int *bins,
                                 unsigned int *private_bins)
{
    const size_t threads = (size_t)gridDim.x * blockDim.x;
    const size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    // TODO(5.1): Find this block's copy among the private_bins.
    unsigned int *block_bins = private_bins + (size_t)blockIdx.x * NUM_BINS;
    // end of TODO(5.1)

    for (size_t i = thread; i < length; i += threads) {
        // TODO(5.2): Count character i in the block's copy.
        const int bin = bin_of(text[i]);
        // Atomic, because any thread of this block may add to the same bin now.
        if (bin >= 0)
            atomicAdd(&block_bins[bin], 1);
        // end of TODO(5.2)
    }

    // TODO(5.3): When all threads of the block have counted, add its copy to the bins.
    __syncthreads(); // no thread may read block_bins while another still counts into them
    for (unsigned int bin = threadIdx.x; bin < NUM_BINS; bin += blockDim.x)
        // Atomic, because other blocks may merge into the same bin now.
        atomicAdd(&bins[bin], block_bins[bin]);
    // end of TODO(5.3)
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
    // TODO(5.4): Allocate a copy of the bins for each block, and zero all of them.
    const size_t bytes = (size_t)blocks * NUM_BINS * sizeof *private_bins;
    CHECK(cudaMalloc(&private_bins, bytes));
    CHECK(cudaMemset(private_bins, 0, bytes));
    // end of TODO(5.4)
    histogram_kernel<<<blocks, THREADS_PER_BLOCK>>>(d_text, length, d_bins, private_bins);
    CHECK(cudaGetLastError());
    CHECK(cudaFree(private_bins)); // may wait for the kernel
}
