/* Tries: blocks of one thread, and a second pass over what they have left.
 * Refused: threads in a block */
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "cuda_check.h"
#include "reduce.h"

enum { MOST_BLOCKS = 1024 };

__global__ void pass(const value_t *values, size_t length, value_t *results)
{
    value_t mine = neutral();
    for (size_t i = blockIdx.x; i < length; i += gridDim.x)
        mine = combine(mine, values[i]);
    results[blockIdx.x] = mine;
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
    value_t *d_partials;
    CHECK(cudaMallocAsync(&d_partials, MOST_BLOCKS * sizeof *d_partials, 0));
    pass<<<(unsigned int)blocks, 1>>>(d_values, length, d_partials);
    pass<<<1, 1>>>(d_partials, blocks, d_result);
    CHECK(cudaGetLastError());
    CHECK(cudaFreeAsync(d_partials, 0));
}
