/* Blocks of 33 threads and a section of the values for each thread; thread 0 walks through shared memory.
 * The second pass is a kernel of its own, of one warp that has no shared memory at all. */
#include <stdint.h>

#include "cuda_check.h"
#include "reduce.h"

enum { THREADS = 33, BLOCKS = 50 };

__global__ void sections(const value_t *values, size_t length, value_t *partial)
{
    __shared__ value_t of_thread[THREADS];
    const size_t thread = (size_t)blockIdx.x * THREADS + threadIdx.x;
    const size_t section = (length + BLOCKS * THREADS - 1) / (BLOCKS * THREADS);
    value_t value = neutral();
    for (size_t i = thread * section; i < (thread + 1) * section && i < length; i++)
        value = combine(value, values[i]);
    of_thread[threadIdx.x] = value;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int t = 1; t < THREADS; t++)
            value = combine(value, of_thread[t]);
        partial[blockIdx.x] = value;
    }
}

__device__ static value_t from_lane(value_t value, int lane)
{
#if OPERATION_IS(dot)
    value.x = __shfl_sync(0xffffffffu, value.x, lane);
    value.y = __shfl_sync(0xffffffffu, value.y, lane);
    return value;
#else
    return __shfl_sync(0xffffffffu, value, lane);
#endif
}

__global__ void finish(const value_t *partial, value_t *result)
{
    value_t value = neutral(), all = neutral();
    for (int b = (int)threadIdx.x; b < BLOCKS; b += 32)
        value = combine(value, partial[b]);
    for (int lane = 0; lane < 32; lane++)
        all = combine(all, from_lane(value, lane));
    if (threadIdx.x == 31)
        *result = all;
}

void reduce(const value_t *d_values, size_t length, value_t *d_result)
{
    if (length > UINT32_MAX) {
        fprintf(stderr, "reduce: %zu values are too many\n", length);
        exit(1);
    }
    value_t *partial;
    CHECK(cudaMalloc(&partial, BLOCKS * sizeof *partial));
    sections<<<BLOCKS, THREADS>>>(d_values, length, partial);
    CHECK(cudaGetLastError());
    finish<<<1, 32>>>(partial, d_result);
    CHECK(cudaGetLastError());
    CHECK(cudaFree(partial)); // waits for both
}
