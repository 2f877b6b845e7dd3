/* The last 32 values of a block meet by shuffles, as in the samples that come with CUDA: half a tree.
 * Refused: loads from shared memory */
#include <stdint.h>
#include <string.h>

#include "cuda_check.h"
#include "reduce.h"

enum { THREADS = 256 };

__device__ static value_t below(value_t value, unsigned int distance)
{
    unsigned int words[sizeof value / 4];
    memcpy(words, &value, sizeof value);
    for (unsigned int &word : words)
        word = __shfl_down_sync(0xffffffff, word, distance);
    memcpy(&value, words, sizeof value);
    return value;
}

__global__ void half_a_tree(const value_t *values, size_t length, value_t *results)
{
    __shared__ value_t tree[THREADS];
    const unsigned int t = threadIdx.x;
    const size_t i = (size_t)blockIdx.x * THREADS + t;
    value_t mine = i < length ? values[i] : neutral();
    tree[t] = mine;
    __syncthreads();
    for (unsigned int s = THREADS / 2; s >= 32; s >>= 1) {
        if (t < s)
            tree[t] = mine = combine(mine, tree[t + s]);
        __syncthreads();
    }
    if (t < 32)
        for (unsigned int s = 16; s > 0; s >>= 1)
            mine = combine(mine, below(mine, s));
    if (t == 0)
        results[blockIdx.x] = mine;
}

void reduce(const value_t *d_values, size_t length, value_t *d_result)
{
    if (length > UINT32_MAX) {
        fprintf(stderr, "reduce: too long\n");
        exit(1);
    }
    value_t *before = NULL;
    for (;;) {
        const size_t blocks = length > THREADS ? (length + THREADS - 1) / THREADS : 1;
        value_t *results = d_result;
        if (blocks > 1)
            CHECK(cudaMalloc((void **)&results, blocks * sizeof *results));
        half_a_tree<<<(unsigned int)blocks, THREADS>>>(d_values, length, results);
        CHECK(cudaGetLastError());
        CHECK(cudaFree(before));
        if (blocks == 1)
            return;
        d_values = before = results;
        length = blocks;
    }
}
