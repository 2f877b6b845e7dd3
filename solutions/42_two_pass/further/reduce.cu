/* 42, further. Two passes, and the same bits on every device.
 *
 * How many threads there are depends on the length alone, so the same values meet in the same order on a
 * card of any size. One with more room than MAX_BLOCKS does not use all of it. */
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda_check.h" // CHECK(call): a call that fails ends the program with one line
#include "given/resident.h"
#include "reduce.h"

enum { THREADS_PER_BLOCK = 1024, WARPS = THREADS_PER_BLOCK / 32, MAX_BLOCKS = 256 };

#define ALL_LANES 0xffffffffu

/* The value of the lane `distance` places above. All lanes of the warp have to call it. */
__device__ static value_t from_above(value_t value, unsigned int distance)
{
    word_t word;
    memcpy(&word, &value, sizeof word);
    word = __shfl_down_sync(ALL_LANES, word, distance);
    memcpy(&value, &word, sizeof value);
    return value;
}

/* Lane 0 gets what all lanes of its warp bring; others get something. */
__device__ static value_t reduce_warp(value_t value)
{
    for (unsigned int distance = 16; distance > 0; distance /= 2)
        value = combine(value, from_above(value, distance));
    return value;
}

/* Thread 0 gets what all threads of its block bring: chapter 41. */
__device__ static value_t reduce_block(value_t value)
{
    __shared__ value_t of_warps[WARPS];
    value = reduce_warp(value);
    if (threadIdx.x % 32 == 0)
        of_warps[threadIdx.x / 32] = value;
    __syncthreads(); // the first warp may read what all have written
    if (threadIdx.x < 32)
        value = reduce_warp(threadIdx.x < WARPS ? of_warps[threadIdx.x] : neutral());
    return value;
}

/* results[b] becomes what block b has combined, neutral() if there was no value for it. */
__global__ void __launch_bounds__(THREADS_PER_BLOCK, BLOCKS_THAT_FIT(THREADS_PER_BLOCK, 2))
    reduce_kernel(const value_t *values, size_t length, value_t *results)
{
    const size_t threads = (size_t)gridDim.x * blockDim.x;
    const size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    value_t value = neutral();
    for (size_t i = thread; i < length; i += threads)
        value = combine(value, values[i]);

    value = reduce_block(value);
    if (threadIdx.x == 0) {
        results[blockIdx.x] = value;
    }
}

/* One block for so many values as it has threads, at least 1. No question about the device. */
static unsigned int blocks_for(size_t length)
{
    const size_t enough = length / THREADS_PER_BLOCK + (length % THREADS_PER_BLOCK != 0);
    if (enough <= 1)
        return 1;
    return (unsigned int)(enough < MAX_BLOCKS ? enough : MAX_BLOCKS);
}

void reduce(const value_t *d_values, size_t length, value_t *d_result)
{
    if (length > UINT32_MAX) {
        fprintf(stderr, "reduce: %zu values; at most 4294967295 are taken\n", length);
        exit(1);
    }
    const unsigned int blocks = blocks_for(length);
    // In the order of the stream: the host does not wait, neither here nor where it is given back.
    value_t *partial_results;
    CHECK(cudaMallocAsync(&partial_results, blocks * sizeof *partial_results, 0));
    reduce_kernel<<<blocks, THREADS_PER_BLOCK>>>(d_values, length, partial_results);
    CHECK(cudaGetLastError());
    reduce_kernel<<<1, THREADS_PER_BLOCK>>>(partial_results, blocks, d_result);
    CHECK(cudaGetLastError());
    CHECK(cudaFreeAsync(partial_results, 0));
}
