/* Tries: __activemask() as the mask of the ballots, taken once at the start, where the lanes of a warp
 * should be together; on this schedule they are.
 * Refused: __activemask() */
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "binning.h"
#include "cuda_check.h" // CHECK(call): a call that fails ends the program with one line
#include "histogram.h"

enum { THREADS_PER_BLOCK = 256, CHARACTERS_PER_THREAD = 16, MAX_BLOCKS = 1024 };

/* The lanes of the warp that met the same bin as this lane, as a mask. */
__device__ unsigned int lanes_with_bin(int bin, unsigned int lanes)
{
    unsigned int peers = __ballot_sync(lanes, bin >= 0);
    for (int bit = 1; bit < NUM_BINS; bit *= 2) {
        const unsigned int lanes_with_bit = __ballot_sync(lanes, bin & bit);
        peers &= bin & bit ? lanes_with_bit : ~lanes_with_bit;
    }
    return peers;
}

__global__ void histogram_kernel(const unsigned char *text, size_t length, unsigned int *bins)
{
    const size_t threads = (size_t)gridDim.x * blockDim.x;
    const size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned int lane = threadIdx.x % warpSize;
    const unsigned int lanes = __activemask();

    __shared__ unsigned int shared_bins[NUM_BINS];
    for (unsigned int bin = threadIdx.x; bin < NUM_BINS; bin += blockDim.x)
        shared_bins[bin] = 0;
    __syncthreads(); // no thread may count into a bin that another has yet to zero

    // Whether the loop goes on is the same for all lanes of a warp.
    for (size_t first = thread - lane; first < length; first += threads) {
        const size_t i = first + lane;
        const int bin = i < length ? bin_of(text[i]) : -1;
        const unsigned int peers = lanes_with_bin(bin, lanes);
        const unsigned int leader = __ffs(peers) - 1;
        // Atomic, because other warps of this block may add to the same bin now.
        if (bin >= 0 && lane == leader)
            atomicAdd(&shared_bins[bin], __popc(peers));
    }

    __syncthreads(); // no thread may read shared_bins while another still counts into them
    for (unsigned int bin = threadIdx.x; bin < NUM_BINS; bin += blockDim.x)
        // Atomic, because other blocks may commit to the same bin now.
        atomicAdd(&bins[bin], shared_bins[bin]);
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
