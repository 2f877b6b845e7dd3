/* A launch whose attribute says that it is cooperative, memory of this call for what the blocks have
 * found, a tree in shared memory, and a tree of the grid: half of the blocks in each round, and a wait
 * of the whole grid between two. 256 threads a block. */
#include <cooperative_groups.h>
#include <stdint.h>

#include "cuda_check.h"
#include "reduce.h"

enum { THREADS = 256 };

__global__ void halves(const value_t *values, size_t length, value_t *found, value_t *result)
{
    __shared__ value_t shared[THREADS];
    cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    value_t mine = neutral();
    for (size_t i = grid.thread_rank(); i < length; i += grid.size())
        mine = combine(mine, values[i]);
    shared[threadIdx.x] = mine;
    for (unsigned int half = THREADS / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half)
            shared[threadIdx.x] = combine(shared[threadIdx.x], shared[threadIdx.x + half]);
    }
    if (threadIdx.x == 0)
        found[blockIdx.x] = shared[0];
    for (unsigned int left = gridDim.x; left > 1; left = (left + 1) / 2) {
        grid.sync();
        const unsigned int other = blockIdx.x + (left + 1) / 2;
        if (threadIdx.x == 0 && other < left)
            found[blockIdx.x] = combine(found[blockIdx.x], found[other]);
    }
    grid.sync();
    if (grid.thread_rank() == 0)
        *result = found[0];
}

void reduce(const value_t *d_values, size_t length, value_t *d_result)
{
    if (length > UINT32_MAX) {
        fprintf(stderr, "reduce: too long\n");
        exit(1);
    }
    int multiprocessors, fit;
    CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fit, halves, THREADS, 0));
    const unsigned int room = (unsigned int)(multiprocessors * fit);
    const size_t wanted = length / (4 * THREADS) + 1;
    const unsigned int blocks = wanted < room ? (unsigned int)wanted : room;
    value_t *found;
    CHECK(cudaMalloc(&found, blocks * sizeof *found));
    cudaLaunchAttribute attribute;
    attribute.id = cudaLaunchAttributeCooperative;
    attribute.val.cooperative = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(blocks);
    config.blockDim = dim3(THREADS);
    config.attrs = &attribute;
    config.numAttrs = 1;
    CHECK(cudaLaunchKernelEx(&config, halves, d_values, length, found, d_result));
    CHECK(cudaFree(found));
}
