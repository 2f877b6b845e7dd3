/* Tries: blocks of one thread, that wait for each other.
 * Refused: threads in a block */
#include <cooperative_groups.h>
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "cuda_check.h"
#include "reduce.h"

enum { MOST_BLOCKS = 1024 };

__device__ static value_t partials[MOST_BLOCKS];

__global__ void in_one_launch(const value_t *values, size_t length, value_t *result)
{
    value_t mine = neutral();
    for (size_t i = blockIdx.x; i < length; i += gridDim.x)
        mine = combine(mine, values[i]);
    partials[blockIdx.x] = mine;
    cooperative_groups::this_grid().sync();
    if (blockIdx.x > 0)
        return;
    mine = neutral();
    for (unsigned int block = 0; block < gridDim.x; block++)
        mine = combine(mine, partials[block]);
    *result = mine;
}

void reduce(const value_t *d_values, size_t length, value_t *d_result)
{
    if (length > UINT32_MAX) {
        fprintf(stderr, "reduce: %zu values are too many\n", length);
        exit(1);
    }
    int multiprocessors;
    CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    size_t blocks = (size_t)multiprocessors * 4;
    if (blocks > length)
        blocks = length > 0 ? length : 1;
    void *arguments[] = {&d_values, &length, &d_result};
    CHECK(cudaLaunchCooperativeKernel((const void *)in_one_launch, (unsigned int)blocks, 1, arguments,
                                      0, 0));
}
