// Style: the threads leave their values in padded rows, which one warp adds up.
#include <cooperative_groups.h>
#include <stdint.h>
#include <string.h>
#include "cuda_check.h"
#include "reduce.h"
namespace cg = cooperative_groups;
template <typename T> __device__ static T shuffled(T value, unsigned int distance)
{
    unsigned int words[(sizeof(T) + 3) / 4];
    memcpy(words, &value, sizeof value);
#pragma unroll
    for (unsigned int w = 0; w < sizeof words / 4; w++)
        words[w] = __shfl_down_sync(0xffffffffu, words[w], distance);
    memcpy(&value, words, sizeof value);
    return value;
}
struct Combine { __device__ value_t operator()(value_t a, value_t b) const { return combine(a, b); } };
/* BlockReduceWarpReductions */
template <int BLOCK_THREADS> struct BlockReduce {
    enum { WARPS = BLOCK_THREADS / 32 };
    struct TempStorage { value_t warp_aggregates[WARPS]; };
    TempStorage &storage;
    __device__ explicit BlockReduce(TempStorage &temp) : storage(temp) {}
    template <typename Op> __device__ value_t WarpReduce(value_t v, Op op) {
#pragma unroll
        for (int step = 1; step < 32; step *= 2) v = op(v, shuffled(v, step));
        return v;
    }
    template <typename Op> __device__ value_t Reduce(value_t v, Op op) {
        v = WarpReduce(v, op);
        if (threadIdx.x % 32 == 0) storage.warp_aggregates[threadIdx.x / 32] = v;
        __syncthreads();
        if (threadIdx.x == 0) {
#pragma unroll
            for (int w = 1; w < WARPS; w++) v = op(v, storage.warp_aggregates[w]);
        }
        return v;
    }
};

enum { BLOCK = 256 };
__global__ void reset(value_t *out) { *out = neutral(); }
__global__ void __launch_bounds__(BLOCK) kernel(const value_t *in, size_t n, value_t *out)
{
    __shared__ value_t raking[BLOCK + BLOCK / 32];
    value_t v = neutral();
    for (size_t i = blockIdx.x * (size_t)BLOCK + threadIdx.x; i < n; i += (size_t)gridDim.x * BLOCK)
        v = combine(v, in[i]);
    raking[threadIdx.x + threadIdx.x / 8 % 8] = neutral();
    __syncthreads();
    raking[threadIdx.x + threadIdx.x / 32] = v;
    __syncthreads();
    if (threadIdx.x < 32) {
        v = neutral();
#pragma unroll
        for (int k = 0; k < BLOCK / 32; k++) {
            const int t = threadIdx.x * (BLOCK / 32) + k;
            v = combine(v, raking[t + t / 32]);
        }
#pragma unroll
        for (int step = 16; step > 0; step /= 2)
            v = combine(v, shuffled(v, step));
        if (threadIdx.x == 0)
            atomic_combine(out, v);
    }
}
void reduce(const value_t *d_values, size_t length, value_t *d_result)
{
    if (length > UINT32_MAX) {
        fprintf(stderr, "reduce: %zu values; at most 4294967295 are taken\n", length);
        exit(1);
    }

    int device, sm;
    CHECK(cudaGetDevice(&device));
    CHECK(cudaDeviceGetAttribute(&sm, cudaDevAttrMultiProcessorCount, device));
    size_t grid = (length + BLOCK - 1) / BLOCK;
    if (grid > 4 * (size_t)sm) grid = 4 * (size_t)sm;
    reset<<<1, 1>>>(d_result);
    if (grid > 0)
        kernel<<<(unsigned int)grid, BLOCK>>>(d_values, length, d_result);
    CHECK(cudaGetLastError());
}
