/* 40, further. The first steps are made while the values are loaded.
 *
 * A tree of 256 values has 255 combinations, and 8 steps in which ever more threads wait. A thread that
 * combines eight values in a register before it brings one waits for nobody, and there is one tree where
 * there were eight. The eight are a block apart, so that a warp loads 32 neighbors each time. */
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "cuda_check.h" // CHECK(call): a call that fails ends the program with one line
#include "reduce.h"

enum {
    THREADS_PER_BLOCK = 256, // a power of two, so that every half is a whole number
    VALUES_PER_THREAD = 8,
    VALUES_PER_BLOCK = THREADS_PER_BLOCK * VALUES_PER_THREAD
};

/* results[b] becomes the reduction of the values that block b has: VALUES_PER_THREAD for each thread. */
__global__ void __launch_bounds__(THREADS_PER_BLOCK)
    reduce_blocks(const value_t *values, size_t length, value_t *results)
{
    __shared__ value_t tree[THREADS_PER_BLOCK];
    const size_t first = (size_t)blockIdx.x * VALUES_PER_BLOCK + threadIdx.x;
    value_t value = neutral();
    for (size_t v = 0; v < VALUES_PER_THREAD; v++) {
        const size_t i = first + v * THREADS_PER_BLOCK;
        if (i < length)
            value = combine(value, values[i]);
    }
    tree[threadIdx.x] = value;

    for (unsigned int half = THREADS_PER_BLOCK / 2; half > 0; half /= 2) {
        __syncthreads(); // both halves are whole
        if (threadIdx.x < half)
            tree[threadIdx.x] = combine(tree[threadIdx.x], tree[threadIdx.x + half]);
    }

    if (threadIdx.x == 0)
        results[blockIdx.x] = tree[0]; // which this thread has combined itself
}

/* The blocks that so many values take; none take one, which stores neutral(). */
static size_t blocks_for(size_t length)
{
    return length == 0 ? 1 : (length + VALUES_PER_BLOCK - 1) / VALUES_PER_BLOCK;
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

    for (size_t blocks = most; blocks > 1; blocks = blocks_for(length)) {
        reduce_blocks<<<(unsigned int)blocks, THREADS_PER_BLOCK>>>(d_values, length, to);
        CHECK(cudaGetLastError());
        d_values = to; // the results are the values of the next launch
        length = blocks;
        to = next;
        next = (value_t *)d_values;
    }
    reduce_blocks<<<1, THREADS_PER_BLOCK>>>(d_values, length, d_result);
    CHECK(cudaGetLastError());
    CHECK(cudaFreeAsync(d_results, 0));
}
