// Style: an even share for each block, tiles that are whole or not, templates; a kernel of its own for what is left.
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

enum { BLOCK = 256, ITEMS = 8, TILE = BLOCK * ITEMS };
struct GridEvenShare { size_t num_items; int grid; __device__ size_t begin(int b) const { return num_items / grid * b + (num_items % grid * b) / grid; } };
template <bool FULL> __device__ value_t tile(const value_t *in, size_t valid)
{
    value_t items[ITEMS];
#pragma unroll
    for (int i = 0; i < ITEMS; i++)
        items[i] = FULL || threadIdx.x + i * BLOCK < valid ? in[threadIdx.x + i * BLOCK] : neutral();
    value_t sum = items[0];
#pragma unroll
    for (int i = 1; i < ITEMS; i++) sum = combine(sum, items[i]);
    return sum;
}
__global__ void __launch_bounds__(BLOCK) DeviceReduceKernel(const value_t *d_in, value_t *d_out, GridEvenShare share)
{
    __shared__ typename BlockReduce<BLOCK>::TempStorage temp;
    size_t at = share.begin(blockIdx.x), end = share.begin(blockIdx.x + 1);
    value_t sum = neutral();
    for (; at + TILE <= end; at += TILE) sum = combine(sum, tile<true>(d_in + at, TILE));
    if (at < end) sum = combine(sum, tile<false>(d_in + at, end - at));
    sum = BlockReduce<BLOCK>(temp).Reduce(sum, Combine());
    if (threadIdx.x == 0) d_out[blockIdx.x] = sum;
}
__global__ void __launch_bounds__(BLOCK) DeviceReduceSingleTileKernel(const value_t *d_in, value_t *d_out, int n)
{
    __shared__ typename BlockReduce<BLOCK>::TempStorage temp;
    value_t sum = neutral();
    for (int i = threadIdx.x; i < n; i += BLOCK) sum = combine(sum, d_in[i]);
    sum = BlockReduce<BLOCK>(temp).Reduce(sum, Combine());
    if (threadIdx.x == 0) *d_out = sum;
}
void reduce(const value_t *d_values, size_t length, value_t *d_result)
{
    if (length > UINT32_MAX) {
        fprintf(stderr, "reduce: %zu values; at most 4294967295 are taken\n", length);
        exit(1);
    }

    int device, sm, occupancy;
    CHECK(cudaGetDevice(&device));
    CHECK(cudaDeviceGetAttribute(&sm, cudaDevAttrMultiProcessorCount, device));
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&occupancy, DeviceReduceKernel, BLOCK, 0));
    size_t tiles = (length + TILE - 1) / TILE, most = (size_t)sm * occupancy * 5;
    int grid = (int)(tiles < 1 ? 1 : tiles < most ? tiles : most);
    value_t *d_partial;
    CHECK(cudaMallocAsync(&d_partial, grid * sizeof(value_t), 0));
    GridEvenShare share = {length, grid};
    DeviceReduceKernel<<<grid, BLOCK>>>(d_values, d_partial, share);
    DeviceReduceSingleTileKernel<<<1, BLOCK>>>(d_partial, d_result, grid);
    CHECK(cudaGetLastError());
    CHECK(cudaFreeAsync(d_partial, 0));
}
