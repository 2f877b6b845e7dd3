/* 9. Warp ballot: one lane adds for all lanes of its warp that met the same bin.
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
    // TODO(9.1): Keep among the peers only those lanes that have the same bin as this one.
    // end of TODO(9.1)
    return peers;
}

__global__ void histogram_kernel(const unsigned char *text, size_t length, unsigned int *bins)
{
    const size_t threads = (size_t)gridDim.x * blockDim.x;
    const size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned int lane = threadIdx.x % warpSize;

    __shared__ unsigned int shared_bins[NUM_BINS];
    for (unsigned int bin = threadIdx.x; bin < NUM_BINS; bin += blockDim.x)
        shared_bins[bin] = 0;
    __syncthreads(); // no thread may count into a bin that another has yet to zero

    // TODO(9.2): Count the whole text, in each round a character for each lane, side by side. Of
    //            the lanes that share a bin one adds for all. A ballot waits for every lane that
    //            its mask names: all 32 must come, in the warp where the text ends, too.
    // end of TODO(9.2)

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
