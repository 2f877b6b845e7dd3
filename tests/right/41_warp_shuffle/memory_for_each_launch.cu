// Style: a template folds a warp by a lambda; each launch allocates and frees what it leaves.
#include <stdint.h>

#include "cuda_check.h"
#include "reduce.h"

#if OPERATION_IS(dot)
__device__ inline value_t down(value_t v, unsigned d) { v.x = __shfl_down_sync(~0u, v.x, d); v.y = __shfl_down_sync(~0u, v.y, d); return v; }
#else
__device__ inline value_t down(value_t v, unsigned d) { return __shfl_down_sync(~0u, v, d); }
#endif
template <typename T, typename F> __device__ T warp_fold(T v, F f)
{
#pragma unroll
    for (unsigned d = 16; d; d >>= 1)
        v = f(v, down(v, d));
    return v;
}

enum { T = 512 };
__global__ void fold(const value_t *values, size_t length, value_t *to)
{
    __shared__ value_t w[T / 32];
    const size_t i = (size_t)blockIdx.x * T + threadIdx.x;
    value_t v = warp_fold(i < length ? values[i] : neutral(), [](value_t a, value_t b) { return combine(a, b); });
    if ((threadIdx.x & 31u) == 0u)
        w[threadIdx.x >> 5] = v;
    __syncthreads();
    if (threadIdx.x >= 32)
        return;
    v = warp_fold(threadIdx.x < T / 32 ? w[threadIdx.x] : neutral(), [](value_t a, value_t b) { return combine(a, b); });
    if (!threadIdx.x)
        to[blockIdx.x] = v;
}
void reduce(const value_t *d_values, size_t length, value_t *d_result)
{
    if (length > UINT32_MAX) {
        fprintf(stderr, "reduce: %zu values are too many\n", length);
        exit(1);
    }

    value_t *room[2] = {nullptr, nullptr};
    int turn = 0;
    for (;;) {
        const size_t blocks = length ? (length + T - 1) / T : 1;
        value_t *to = d_result;
        if (blocks > 1)
        { CHECK(cudaMallocAsync((void **)&room[turn], blocks * sizeof *to, 0)); to = room[turn]; }
        fold<<<(unsigned)blocks, T>>>(d_values, length, to);
        CHECK(cudaGetLastError());
        turn ^= 1;
        if (room[turn])
        { CHECK(cudaFreeAsync(room[turn], 0)); room[turn] = nullptr; }
        if (blocks == 1)
            break;
        d_values = to;
        length = blocks;
    }
}
