/* 20, further. Two counters in a word: twice as many bins in the same shared memory.
 *
 * A counter of 16 bits would overflow. The thread that brings one to 2^15 takes that much out again, and
 * adds it to the bin: one global atomic for 32,768 keys. It may be late. But between two barriers a
 * block counts 4,096 keys, and behind a barrier nobody is late, so that no counter reaches 2^16. */
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "cuda_check.h" // CHECK(call): a call that fails ends the program with one line
#include "reduce_by_index.h"

#if !OPERATION_IS(count)
#error "chapter 20 counts keys: OPERATION must be count"
#endif

enum { THREADS_PER_BLOCK = 1024, LOADS = 4, FULL = 1 << 15 };

/* Counts one key in its half of a word. */
__device__ static void count(element_t key, unsigned int *words, bin_t *bins, unsigned int num_bins)
{
    if (key >= num_bins)
        return;
    const unsigned int shift = key % 2 * 16;
    const unsigned int old = atomicAdd(&words[key / 2], 1u << shift) >> shift & 0xffff;
    if (old == FULL - 1) {
        atomicSub(&words[key / 2], (unsigned int)FULL << shift);
        atomicAdd(&bins[key], FULL);
    }
}

__global__ void __launch_bounds__(THREADS_PER_BLOCK, 1)
    count_in_halves(const element_t *keys, size_t length, bin_t *bins, unsigned int num_bins)
{
    extern __shared__ unsigned int words[]; // two bins in each
    const size_t threads = (size_t)gridDim.x * blockDim.x;
    for (unsigned int i = threadIdx.x; i < (num_bins + 1) / 2; i += blockDim.x)
        words[i] = 0;
    __syncthreads(); // no thread may count into what another has yet to zero

    for (size_t first = (size_t)blockIdx.x * blockDim.x; first < length; first += LOADS * threads) {
        element_t loaded[LOADS];
#pragma unroll
        for (unsigned int k = 0; k < LOADS; k++) {
            const size_t i = first + threadIdx.x + k * threads;
            loaded[k] = i < length ? keys[i] : UINT32_MAX;
        }
#pragma unroll
        for (unsigned int k = 0; k < LOADS; k++)
            count(loaded[k], words, bins, num_bins);
        __syncthreads(); // nobody may add to a full counter before it is emptied
    }

    for (unsigned int bin = threadIdx.x; bin < num_bins; bin += blockDim.x) {
        const unsigned int found = words[bin / 2] >> bin % 2 * 16 & 0xffff;
        // Atomic, because other blocks may commit to the same bin now.
        if (found != 0)
            atomicAdd(&bins[bin], found);
    }
}

/* For more bins than shared memory holds: every key is an atomic in global memory. */
__global__ void count_in_global_memory(const element_t *keys, size_t length, bin_t *bins,
                                       size_t num_bins)
{
    const size_t threads = (size_t)gridDim.x * blockDim.x;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < length; i += threads)
        if (keys[i] < num_bins)
            atomicAdd(&bins[keys[i]], 1);
}

/* As many blocks as give each thread a key, but no more than there are multiprocessors. */
static unsigned int blocks_for(size_t length, int device)
{
    size_t blocks = (length + THREADS_PER_BLOCK - 1) / THREADS_PER_BLOCK;
    int multiprocessors;
    CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    if (blocks > (size_t)multiprocessors)
        blocks = (size_t)multiprocessors;
    return (unsigned int)blocks;
}

void reduce_by_index(const element_t *d_elements, size_t length, bin_t *d_bins, size_t num_bins)
{
    if (length > UINT32_MAX) {
        fprintf(stderr, "reduce_by_index: %zu elements; at most 4294967295 can be reduced\n",
                length);
        exit(1);
    }
    if (length == 0 || num_bins == 0)
        return;
    int device, most_bytes; // of shared memory that a block may have, if it is asked for
    CHECK(cudaGetDevice(&device));
    CHECK(cudaDeviceGetAttribute(&most_bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
    const unsigned int blocks = blocks_for(length, device);
    const size_t bytes = (num_bins + 1) / 2 * sizeof(unsigned int);
    if (bytes > (size_t)most_bytes) {
        count_in_global_memory<<<blocks, THREADS_PER_BLOCK>>>(d_elements, length, d_bins, num_bins);
    } else {
        CHECK(cudaFuncSetAttribute(count_in_halves, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                   (int)bytes));
        count_in_halves<<<blocks, THREADS_PER_BLOCK, bytes>>>(d_elements, length, d_bins,
                                                              (unsigned int)num_bins);
    }
    CHECK(cudaGetLastError());
}
