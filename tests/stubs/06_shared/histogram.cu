/* 6. Privatization in shared memory: the block's copy moves onto the multiprocessor.
 *
 * A block's private bins fit into the memory that the block shares, and that its
 * multiprocessor holds. An atomic there does not travel to the L2 cache, and
 * other blocks do not compete for it. Nobody has zeroed this memory, though. */
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "binning.h"
#include "cuda_check.h" // CHECK(call): a call that fails ends the program with one line
#include "histogram.h"

enum { THREADS_PER_BLOCK = 256, CHARACTERS_PER_THREAD = 16, MAX_BLOCKS = 1024 };

__global__ void histogram_kernel(const unsigned char *text, size_t length, unsigned int *bins)
{
    const size_t threads = (size_t)gridDim.x * blockDim.x;
    const size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    // TODO(6.1): Declare the block's bins in shared memory, zero them with all threads of the
    //            block, and wait until all of them are zero.
    // end of TODO(6.1)

    for (size_t i = thread; i < length; i += threads) {
        // TODO(6.2): Count character i in the block's bins.
        // end of TODO(6.2)
    }

    // TODO(6.3): When all threads of the block have counted, add the block's bins to the bins.
    // end of TODO(6.3)
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
    histogram_kernel<<<blocks_for(length), THREADS_PER_BLOCK>>>(d_text, length, d_bins);
    CHECK(cudaGetLastError());
}
