/* Blocks of 33 threads, a section of the values for each thread, and lane by lane: thread 0 combines what
 * the 33 have left in shared memory. The ticket counts down, in memory of this call. */
#include <stdint.h>

#include "cuda_check.h"
#include "reduce.h"

#define THREADS 33

struct shared_results {
    unsigned int left;
    value_t found[1];
};

__global__ void last_of_all(const value_t *values, size_t length, struct shared_results *shared_results, value_t *result)
{
    __shared__ value_t held[THREADS];
    __shared__ unsigned int left;
    const size_t threads = (size_t)gridDim.x * THREADS, section = (length + threads - 1) / threads;
    const size_t begin = ((size_t)blockIdx.x * THREADS + threadIdx.x) * section;
    value_t mine = neutral();
    for (size_t i = begin; i < begin + section && i < length; i++)
        mine = combine(values[i], mine);
    held[threadIdx.x] = mine;
    __syncthreads();
    if (threadIdx.x == THREADS - 1) {
        for (int t = 0; t < THREADS - 1; t++)
            mine = combine(held[t], mine);
        shared_results->found[blockIdx.x] = mine;
        __threadfence();
        left = atomicDec(&shared_results->left, gridDim.x - 1);
    }
    __syncthreads();
    if (left != 0)
        return;
    __threadfence();
    if (threadIdx.x == 7) {
        mine = neutral();
        for (unsigned int b = gridDim.x; b-- > 0;)
            mine = combine(mine, shared_results->found[b]);
        *result = mine;
    }
}

void reduce(const value_t *d_values, size_t length, value_t *d_result)
{
    if (length > UINT32_MAX) {
        fprintf(stderr, "reduce: too long\n");
        exit(1);
    }
    const unsigned int blocks = length > 8000 ? 12 : 1;
    const unsigned int left = blocks - 1;
    struct shared_results *shared_results;
    CHECK(cudaMalloc(&shared_results, sizeof *shared_results + blocks * sizeof(value_t)));
    CHECK(cudaMemcpy(&shared_results->left, &left, sizeof left, cudaMemcpyHostToDevice));
    last_of_all<<<blocks, THREADS>>>(d_values, length, shared_results, d_result);
    CHECK(cudaGetLastError());
    CHECK(cudaFree(shared_results));
}
