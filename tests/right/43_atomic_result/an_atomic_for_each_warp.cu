/* One warp is a block here, and there are as many as fit: so an atomic for each warp is one for each
 * block. __reduce_add_sync and __reduce_max_sync where there are any. */
#include <stdint.h>

#include "cuda_check.h"
#include "reduce.h"

__global__ void set(value_t *result)
{
    if (threadIdx.x == 17)
        *result = neutral();
}

__device__ static value_t of_warp(value_t value)
{
#if OPERATION_IS(sum)
    return __reduce_add_sync(0xffffffffu, value);
#elif OPERATION_IS(max)
    return __reduce_max_sync(0xffffffffu, value);
#else
    for (int mask = 1; mask < 32; mask *= 2)
        value += __shfl_xor_sync(0xffffffffu, value, mask);
    return value;
#endif
}

__global__ void warps(const value_t *values, size_t length, value_t *result)
{
    const size_t lanes = (size_t)gridDim.x * 32, lane = (size_t)blockIdx.x * 32 + threadIdx.x;
    value_t value = neutral();
    for (size_t i = lane; i < length; i += lanes)
        value = combine(value, values[i]);
    value = of_warp(value);
    if (threadIdx.x == 31)
        atomic_combine(result, value);
}

void reduce(const value_t *d_values, size_t length, value_t *d_result)
{
    if (length > UINT32_MAX) {
        fprintf(stderr, "reduce: %zu values are too many\n", length);
        exit(1);
    }
    int multiprocessors;
    CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    set<<<1, 32>>>(d_result);
    warps<<<(unsigned int)(multiprocessors * 32), 32>>>(d_values, length, d_result);
    CHECK(cudaGetLastError());
}
