/* Blocks of 33 threads, one for each multiprocessor; the last block finishes, with all of its threads, after
 * all have zeroed what they need and waited once more. */
#include <cooperative_groups.h>
#include <stdint.h>

#include "cuda_check.h"
#include "reduce.h"

#define THREADS 33

__global__ void by_threads(const value_t *values, size_t length, value_t *of_threads, value_t *result)
{
    auto grid = cooperative_groups::this_grid();
    of_threads[grid.thread_rank()] = neutral();
    cooperative_groups::sync(grid);
    value_t mine = neutral();
    for (size_t i = grid.thread_rank(); i < length; i += grid.num_threads())
        mine = combine(mine, values[i]);
    of_threads[grid.num_threads() - 1 - grid.thread_rank()] = mine;
    cooperative_groups::sync(grid);
    if (blockIdx.x != gridDim.x - 1)
        return;
    __shared__ value_t of_block[THREADS];
    mine = neutral();
    for (size_t t = threadIdx.x; t < grid.num_threads(); t += THREADS)
        mine = combine(mine, of_threads[t]);
    of_block[threadIdx.x] = mine;
    __syncthreads();
    if (threadIdx.x != 32)
        return;
    for (int t = 0; t < 32; t++)
        mine = combine(mine, of_block[t]);
    *result = mine;
}

void reduce(const value_t *d_values, size_t length, value_t *d_result)
{
    if (length > UINT32_MAX) {
        fprintf(stderr, "reduce: too long\n");
        exit(1);
    }
    int multiprocessors;
    CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    const size_t blocks = length < 100 ? 1 : multiprocessors;
    value_t *of_threads;
    CHECK(cudaMalloc(&of_threads, blocks * THREADS * sizeof *of_threads));
    void *arguments[] = {(void *)&d_values, &length, &of_threads, &d_result};
    CHECK(cudaLaunchCooperativeKernel((void *)by_threads, dim3((unsigned int)blocks), dim3(THREADS),
                                      arguments, 0, NULL));
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(of_threads));
}
