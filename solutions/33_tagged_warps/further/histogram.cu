/* 33, going further: a warp has two sets of bins, for its even and its odd lanes. */
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "binning.h"
#include "cuda_check.h" // CHECK(call): a call that fails ends the program with one line
#include "histogram.h"

enum { WARP = 32, WARPS = 6, THREADS_PER_BLOCK = WARPS * WARP, MAX_BLOCKS = 1320 };
enum { CHARACTERS_PER_THREAD = 64, TAG_SHIFT = 27, SETS = 2 };
#define ALL_LANES 0xffffffffu
#define COUNT_BITS ((1u << TAG_SHIFT) - 1)

/* Counts a bin for each lane of the warp, -1 for none. All 32 lanes call it together. */
__device__ static void count(volatile unsigned int *warp_bins, int bin)
{
    const unsigned int tag = threadIdx.x % WARP << TAG_SHIFT;
    bool waits = bin >= 0;
    while (__any_sync(ALL_LANES, waits)) {
        unsigned int written = 0;
        if (waits)
            written = tag | ((warp_bins[bin] & COUNT_BITS) + 1);
        __syncwarp(); // nobody writes before all have read
        if (waits)
            warp_bins[bin] = written;
        __syncwarp(); // nobody looks before all have written
        if (waits)
            waits = warp_bins[bin] != written;
        __syncwarp(); // nobody reads for the next try before all have looked
    }
}

__global__ void histogram_kernel(const unsigned char *text, size_t length, unsigned int *bins)
{
    __shared__ unsigned int warp_bins[WARPS][SETS][NUM_BINS];
    const size_t threads = (size_t)gridDim.x * blockDim.x;
    const size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    unsigned int(*const sets)[NUM_BINS] = warp_bins[threadIdx.x / WARP];
    unsigned int *const mine = sets[threadIdx.x % SETS]; // even lanes, odd lanes
    for (unsigned int bin = threadIdx.x % WARP; bin < NUM_BINS; bin += WARP)
        sets[0][bin] = sets[1][bin] = 0;
    __syncwarp(); // the lanes of this warp share its bins, and nobody else does

    for (size_t first = thread - threadIdx.x % WARP; first < length; first += threads) {
        const size_t i = first + threadIdx.x % WARP;
        count(mine, i < length ? bin_of(text[i]) : -1);
    }

    __syncthreads(); // no thread may add up counters of a warp that still counts
    for (unsigned int bin = threadIdx.x; bin < NUM_BINS; bin += THREADS_PER_BLOCK) {
        unsigned int sum = 0;
        for (unsigned int warp = 0; warp < WARPS; warp++)
            for (unsigned int set = 0; set < SETS; set++)
                sum += warp_bins[warp][set][bin] & COUNT_BITS; // the tag is no count
        // Atomic, because other blocks may commit to the same bin now.
        atomicAdd(&bins[bin], sum);
    }
}

/* As many blocks as give each thread CHARACTERS_PER_THREAD, but no more than fill a large GPU. */
static unsigned int blocks_for(size_t length)
{
    const size_t characters_per_block = THREADS_PER_BLOCK * CHARACTERS_PER_THREAD;
    const size_t blocks = (length + characters_per_block - 1) / characters_per_block;
    return (unsigned int)(blocks < MAX_BLOCKS ? blocks : MAX_BLOCKS);
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
