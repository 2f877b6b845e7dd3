/* 42. Two passes: any length in two launches.
 *
 * The first launch has as many blocks as are on the device at a time, and its threads walk through the
 * values in steps of the whole grid. Each block leaves one result. The second launch is the same kernel
 * with one block, which walks through these results. */
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda_check.h" // CHECK(call): a call that fails ends the program with one line
#include "given/resident.h"
#include "reduce.h"

enum { THREADS_PER_BLOCK = 1024, WARPS = THREADS_PER_BLOCK / 32 };

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
    // TODO(42.1): Combine this thread's share of the values, however many there are.
    for (size_t i = thread; i < length; i += threads)
        value = combine(value, values[i]);
    // end of TODO(42.1)

    value = reduce_block(value);
    if (threadIdx.x == 0) {
        // TODO(42.2): Leave the result of this block where no other block leaves its own.
        results[blockIdx.x] = value;
        // end of TODO(42.2)
    }
}

/* One block for so many values as it has threads, and no more than the device holds at a time. */
static unsigned int blocks_for(size_t length)
{
    int device, multiprocessors, blocks_per_multiprocessor;
    CHECK(cudaGetDevice(&device));
    CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks_per_multiprocessor, reduce_kernel,
                                                        THREADS_PER_BLOCK, 0));
    unsigned int blocks = 1;
    // TODO(42.3): Set blocks: enough for the length, at most those that are resident, at least 1.
    const size_t most = (size_t)multiprocessors * (size_t)blocks_per_multiprocessor;
    const size_t enough = length / THREADS_PER_BLOCK + (length % THREADS_PER_BLOCK != 0);
    if (enough > 1)
        blocks = (unsigned int)(enough < most ? enough : most);
    // end of TODO(42.3)
    return blocks;
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
    // TODO(42.4): Reduce the results of the blocks to one. However many there are, one block is enough.
    reduce_kernel<<<1, THREADS_PER_BLOCK>>>(partial_results, blocks, d_result);
    CHECK(cudaGetLastError());
    // end of TODO(42.4)
    CHECK(cudaFreeAsync(partial_results, 0));
}
