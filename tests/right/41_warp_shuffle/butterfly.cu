/* __shfl_xor_sync: all lanes hold the result in the end. 128 threads a block, so that the first warp has
 * fewer values than lanes, and each thread goes on with a stride of the grid. */
#include <stdint.h>
#include <string.h>

#include "cuda_check.h"
#include "reduce.h"

#define FULL 0xffffffffu
enum { THREADS = 128, WARPS = THREADS / 32 };

__device__ static value_t all_lanes(value_t value)
{
    for (int bit = 1; bit < 32; bit <<= 1) {
#if OPERATION_IS(dot)
        value_t other;
        other.x = __shfl_xor_sync(FULL, value.x, bit);
        other.y = __shfl_xor_sync(FULL, value.y, bit);
#else
        const value_t other = __shfl_xor_sync(FULL, value, bit);
#endif
        value = combine(value, other);
    }
    return value;
}

__global__ void butterflies(const value_t *values, size_t length, value_t *results)
{
    __shared__ value_t of[WARPS];
    value_t mine = neutral();
    for (size_t i = blockIdx.x * (size_t)THREADS + threadIdx.x; i < length;
         i += (size_t)gridDim.x * THREADS)
        mine = combine(mine, values[i]);
    mine = all_lanes(mine);
    if (threadIdx.x % 32 == 31)
        of[threadIdx.x / 32] = mine;
    __syncthreads();
    mine = threadIdx.x < WARPS ? of[threadIdx.x] : neutral();
    if (threadIdx.x < 32) {
        mine = all_lanes(mine);
        if (threadIdx.x == 5)
            results[blockIdx.x] = mine;
    }
}

void reduce(const value_t *d_values, size_t length, value_t *d_result)
{
    if (length > UINT32_MAX) {
        fprintf(stderr, "reduce: too long\n");
        exit(1);
    }
    const size_t wanted = (length + THREADS - 1) / THREADS;
    const unsigned int blocks = wanted > 128 ? 128 : wanted == 0 ? 1 : (unsigned int)wanted;
    value_t *partial;
    CHECK(cudaMalloc((void **)&partial, blocks * sizeof *partial));
    butterflies<<<blocks, THREADS>>>(d_values, length, partial);
    butterflies<<<1, THREADS>>>(partial, blocks, d_result);
    CHECK(cudaGetLastError());
    CHECK(cudaFree(partial));
}
