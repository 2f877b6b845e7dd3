/* 43. Atomic result: each block adds once to the result.
 *
 * The threads of a block combine their values in registers, the warps by shuffles, and one thread
 * brings what the block has to the result by one atomic. There is no array of partial results, and no
 * second pass. But the result has to be neutral before the first block comes. */
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "cuda_check.h" // CHECK(call): a call that fails ends the program with one line
#include "given/resident.h"
#include "reduce.h"

#if !OPERATION_HAS_ATOMIC
#error "Chapter 43 takes what an atomic can do, sum, max and float_sum; a dot product has none."
#endif

enum { THREADS_PER_BLOCK = 1024, WARPS = THREADS_PER_BLOCK / 32 };

#define ALL_LANES 0xffffffffu

/* Lane 0 gets what all lanes of its warp bring; others get something. */
__device__ static value_t reduce_warp(value_t value)
{
    for (unsigned int distance = 16; distance > 0; distance /= 2)
        value = combine(value, __shfl_down_sync(ALL_LANES, value, distance));
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

/* Ends before any block of a kernel begins that comes after it in the stream. */
__global__ void begin_kernel(value_t *result)
{
    // TODO(43.1): The result is nothing yet, whatever it held.
    *result = neutral();
    // end of TODO(43.1)
}

__global__ void __launch_bounds__(THREADS_PER_BLOCK, BLOCKS_THAT_FIT(THREADS_PER_BLOCK, 2))
    reduce_kernel(const value_t *values, size_t length, value_t *result)
{
    const size_t threads = (size_t)gridDim.x * blockDim.x;
    const size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    value_t value = neutral();
    for (size_t i = thread; i < length; i += threads)
        value = combine(value, values[i]);

    // TODO(43.2): Combine the values of this block, and bring them to the result by one atomic.
    value = reduce_block(value);
    if (threadIdx.x == 0)
        atomic_combine(result, value);
    // end of TODO(43.2)
}

/* One block for so many values as it has threads, and no more than the device holds at a time. */
static unsigned int blocks_for(size_t length)
{
    int device, multiprocessors, blocks_per_multiprocessor;
    CHECK(cudaGetDevice(&device));
    CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks_per_multiprocessor, reduce_kernel,
                                                        THREADS_PER_BLOCK, 0));
    const size_t most = (size_t)multiprocessors * (size_t)blocks_per_multiprocessor;
    const size_t enough = length / THREADS_PER_BLOCK + (length % THREADS_PER_BLOCK != 0);
    return (unsigned int)(enough < most ? enough : most);
}

void reduce(const value_t *d_values, size_t length, value_t *d_result)
{
    if (length > UINT32_MAX) {
        fprintf(stderr, "reduce: %zu values; at most 4294967295 are taken\n", length);
        exit(1);
    }
    // TODO(43.3): Launch what sets the result. Then, if there are values, as many blocks as blocks_for()
    //             says.
    begin_kernel<<<1, 1>>>(d_result);
    CHECK(cudaGetLastError());
    if (length > 0) {
        reduce_kernel<<<blocks_for(length), THREADS_PER_BLOCK>>>(d_values, length, d_result);
        CHECK(cudaGetLastError());
    }
    // end of TODO(43.3)
}
