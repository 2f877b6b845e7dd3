/* A block is one warp, in the words of cooperative groups: no shared memory and no barrier at all. A lane
 * takes 8 neighboring values. */
#include <cooperative_groups.h>
#include <stdint.h>

#include "cuda_check.h"
#include "reduce.h"

enum { VALUES = 8, A_BLOCK = 32 * VALUES };

__global__ void one_warp(const value_t *values, size_t length, value_t *results)
{
    cooperative_groups::thread_block_tile<32> warp =
        cooperative_groups::tiled_partition<32>(cooperative_groups::this_thread_block());
    value_t value = neutral();
    const size_t begin = ((size_t)blockIdx.x * 32 + threadIdx.x) * VALUES;
    for (size_t i = begin; i < begin + VALUES && i < length; i++)
        value = combine(value, values[i]);
    for (unsigned int distance = 16; distance > 0; distance /= 2)
        value = combine(value, warp.shfl_down(value, distance));
    if (warp.thread_rank() == 0)
        results[blockIdx.x] = value;
}

void reduce(const value_t *d_values, size_t length, value_t *d_result)
{
    if (length > UINT32_MAX) {
        fprintf(stderr, "reduce: too long\n");
        exit(1);
    }
    value_t *before = NULL;
    for (;;) {
        const size_t blocks = length > A_BLOCK ? (length + A_BLOCK - 1) / A_BLOCK : 1;
        value_t *results = d_result;
        if (blocks > 1)
            CHECK(cudaMalloc((void **)&results, blocks * sizeof *results));
        one_warp<<<(unsigned int)blocks, 32>>>(d_values, length, results);
        CHECK(cudaGetLastError());
        CHECK(cudaFree(before));
        if (blocks == 1)
            return;
        d_values = before = results;
        length = blocks;
    }
}
