/* 9, further: votes where an atomic is dear: chapter 4's kernel, and one lane adds for its peers.
 *
 * The 32 lanes of a warp can vote: a ballot tells each lane which lanes answered yes.
 * A few ballots are enough for a lane to find its peers, the lanes whose bin is the
 * same. One of them adds for all, so no two lanes of a warp compete for a bin. */
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "binning.h"
#include "cuda_check.h" // CHECK(call): a call that fails ends the program with one line
#include "histogram.h"

enum { THREADS_PER_BLOCK = 256, CHARACTERS_PER_THREAD = 16, MAX_BLOCKS = 1024 };

#define ALL_LANES 0xffffffffu

/* The lanes of the warp that met the same bin as this lane, as a mask; for a lane with bin -1
 * it means nothing. All 32 lanes must call this together. */
__device__ unsigned int lanes_with_bin(int bin)
{
    unsigned int peers = __ballot_sync(ALL_LANES, bin >= 0);
    for (int bit = 1; bit < NUM_BINS; bit *= 2) {
        const unsigned int lanes_with_bit = __ballot_sync(ALL_LANES, bin & bit);
        peers &= bin & bit ? lanes_with_bit : ~lanes_with_bit;
    }
    return peers;
}

__global__ void histogram_kernel(const unsigned char *text, size_t length, unsigned int *bins)
{
    const size_t threads = (size_t)gridDim.x * blockDim.x;
    const size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned int lane = threadIdx.x % warpSize;

    // Whether the loop goes on is the same for all lanes of a warp.
    for (size_t first = thread - lane; first < length; first += threads) {
        const size_t i = first + lane;
        const int bin = i < length ? bin_of(text[i]) : -1;
        const unsigned int peers = lanes_with_bin(bin);
        const unsigned int leader = __ffs(peers) - 1;
        // Atomic, because any other warp of the grid may add to the same bin now.
        if (bin >= 0 && lane == leader)
            atomicAdd(&bins[bin], __popc(peers));
    }
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
