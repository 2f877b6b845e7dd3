/* 40. A tree in shared memory: a block reduces as many values as it has threads.
 *
 * Each thread brings one value. Then the first half of what is left combines the second half into
 * itself, and the second half is done with: after log2 of the threads such steps one value is left.
 * A step may begin when the one before has ended in all warps, which is what the barrier is for.
 *
 * A block cannot wait for other blocks. So the kernel is launched again, on the results of the blocks,
 * until one block is enough. */
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "cuda_check.h" // CHECK(call): a call that fails ends the program with one line
#include "reduce.h"

enum { THREADS_PER_BLOCK = 256 }; // a power of two, so that every half is a whole number

/* results[b] becomes the reduction of the values that block b has: one for each thread. */
__global__ void __launch_bounds__(THREADS_PER_BLOCK)
    reduce_blocks(const value_t *values, size_t length, value_t *results)
{
    __shared__ value_t tree[THREADS_PER_BLOCK];
    const size_t i = (size_t)blockIdx.x * THREADS_PER_BLOCK + threadIdx.x;
    // TODO(40.1): Bring this thread's value into the tree, if there is one for it.
    // end of TODO(40.1)

    // TODO(40.2): Combine the second half of the tree into the first, until one value is left.
    // end of TODO(40.2)

    // TODO(40.3): Store what is left.
    // end of TODO(40.3)
}

/* The blocks that so many values take; none take one, which stores neutral(). */
static size_t blocks_for(size_t length)
{
    return length == 0 ? 1 : (length + THREADS_PER_BLOCK - 1) / THREADS_PER_BLOCK;
}

void reduce(const value_t *d_values, size_t length, value_t *d_result)
{
    if (length > UINT32_MAX) {
        fprintf(stderr, "reduce: %zu values; at most 4294967295 are taken\n", length);
        exit(1);
    }
    // The results of the blocks, and those of the launch after: one is read while the other is written.
    const size_t most = blocks_for(length);
    value_t *d_results;
    CHECK(cudaMallocAsync((void **)&d_results, (most + blocks_for(most)) * sizeof *d_results, 0));
    value_t *to = d_results, *next = d_results + most;

    // TODO(40.4): Launch the kernel, on the results again, until one block stores *d_result.
    // end of TODO(40.4)
    CHECK(cudaFreeAsync(d_results, 0));
}
