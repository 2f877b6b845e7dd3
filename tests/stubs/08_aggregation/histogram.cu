/* 8. Aggregation: a thread adds up a run of equal bins, and needs one atomic for the run.
 *
 * Neighboring characters are often alike, in an image even more than in a text. To
 * see such a run a thread must read neighbors; and the threads of a block should still
 * work on one place of the text at a time. */
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "binning.h"
#include "cuda_check.h" // CHECK(call): a call that fails ends the program with one line
#include "histogram.h"

enum { THREADS_PER_BLOCK = 256, CHUNK = 16, MAX_BLOCKS = 1024 };

/* Adds a run to the block's bins: so many characters of one bin, or of none, which is -1. */
__device__ void add_run(unsigned int *shared_bins, int run_bin, unsigned int run_length)
{
    // TODO(8.1): Count the whole run with one addition. What has no bin counts nowhere.
    // end of TODO(8.1)
}

__global__ void histogram_kernel(const unsigned char *text, size_t length, unsigned int *bins)
{
    const size_t threads = (size_t)gridDim.x * blockDim.x;
    const size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    __shared__ unsigned int shared_bins[NUM_BINS];
    for (unsigned int bin = threadIdx.x; bin < NUM_BINS; bin += blockDim.x)
        shared_bins[bin] = 0;
    __syncthreads(); // no thread may count into a bin that another has yet to zero

    // The run that this thread is in: its bin, -1 while there is none, and its length so far.
    int run_bin = -1;
    unsigned int run_length = 0;

    // TODO(8.2): Let the threads read the whole text, each of them CHUNK neighbors at a time,
    //            those of a block side by side. Keep the run up to date, and add it at its end.
    // end of TODO(8.2)

    // TODO(8.3): What the thread has met by now is in the block's bins, to the last character.
    // end of TODO(8.3)

    __syncthreads(); // no thread may read shared_bins while another still counts into them
    for (unsigned int bin = threadIdx.x; bin < NUM_BINS; bin += blockDim.x)
        // Atomic, because other blocks may commit to the same bin now.
        atomicAdd(&bins[bin], shared_bins[bin]);
}

/* As many blocks as give each thread one chunk, but no more than fill a large GPU. */
static unsigned int blocks_for(size_t length)
{
    const size_t characters_per_block = THREADS_PER_BLOCK * CHUNK;
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
