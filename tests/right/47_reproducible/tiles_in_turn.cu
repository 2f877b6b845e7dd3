/* Segments of warps: of S segments, segment s is tiles s, s + S, s + 2 S and so on, so that neighboring
 * warps read neighboring tiles at all times. S depends on the length alone, and is at most 8,192: hardly
 * less than the warps of an H200, and 32 times what the solution has for the last block to add. */
#include <stdint.h>

#include "cuda_check.h"
#include "reduce.h"

enum { T = 1024, WARP = 32, LOADS = 4, TILE = LOADS * WARP * 4, SUMS = 8, MOST = SUMS * T };

__device__ static float sums_of_segments[MOST];
__device__ static unsigned int drawn;

__device__ __forceinline__ static float4 four_at(const float *from, bool wide)
{
    if (wide)
        return __ldcs((const float4 *)from);
    return make_float4(from[0], from[1], from[2], from[3]);
}

__device__ __forceinline__ static float of_loads(const float4 w[LOADS])
{
    float sum[LOADS];
#pragma unroll
    for (int k = 0; k < LOADS; k++)
        sum[k] = (w[k].x + w[k].y) + (w[k].z + w[k].w);
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/* Tiles s, s + segments ... of so many whole ones. */
__device__ __forceinline__ static float of_tiles(const float *values, unsigned int tiles,
                                                 unsigned int s, unsigned int segments, bool wide)
{
    float sum = 0;
    const float *mine = values + (size_t)s * TILE + threadIdx.x % WARP * 4;
#pragma unroll 1
    for (unsigned int tile = s; tile < tiles; tile += segments) {
        float4 w[LOADS];
#pragma unroll
        for (int k = 0; k < LOADS; k++)
            w[k] = four_at(mine + k * WARP * 4, wide);
        sum += of_loads(w);
        mine += (size_t)segments * TILE;
    }
    return sum;
}

/* The tile that ends early, after `count` values. */
__device__ __forceinline__ static float of_rest(const float *values, unsigned int count)
{
    float4 w[LOADS];
#pragma unroll
    for (unsigned int k = 0; k < LOADS; k++) {
        const unsigned int i = (k * WARP + threadIdx.x % WARP) * 4;
        w[k].x = i < count ? values[i] : 0;
        w[k].y = i + 1 < count ? values[i + 1] : 0;
        w[k].z = i + 2 < count ? values[i + 2] : 0;
        w[k].w = i + 3 < count ? values[i + 3] : 0;
    }
    return of_loads(w);
}

__device__ __forceinline__ static float of_warp(float value)
{
#pragma unroll
    for (unsigned int distance = WARP / 2; distance > 0; distance /= 2)
        value += __shfl_down_sync(0xffffffffu, value, distance);
    return value;
}

__device__ static bool drew_the_last(void)
{
    __shared__ bool is_last;
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        is_last = atomicAdd(&drawn, 1) == gridDim.x - 1;
    }
    __syncthreads();
    return is_last;
}

__global__ void __launch_bounds__(T, 2)
    sum_kernel(const float *values, unsigned int length, unsigned int segments, float *result)
{
    __shared__ float sums[T / WARP];
    const bool wide = (size_t)values % sizeof(float4) == 0;
    const unsigned int lane = threadIdx.x % WARP, tiles = length / TILE, rest = length % TILE;
    for (unsigned int s = threadIdx.x / WARP * gridDim.x + blockIdx.x; s < segments;
         s += gridDim.x * (T / WARP)) {
        float sum = wide ? of_tiles(values, tiles, s, segments, true)
                         : of_tiles(values, tiles, s, segments, false);
        if (rest > 0 && tiles % segments == s)
            sum += of_rest(values + (size_t)tiles * TILE, rest);
        sum = of_warp(sum);
        if (lane == 0)
            sums_of_segments[s] = sum;
    }
    if (!drew_the_last())
        return;
    float sum = 0, other[SUMS];
#pragma unroll
    for (unsigned int k = 0; k < SUMS; k++)
        other[k] = k * T + threadIdx.x < segments ? __ldcg(&sums_of_segments[k * T + threadIdx.x]) : 0;
#pragma unroll
    for (unsigned int k = 0; k < SUMS; k++)
        sum += other[k];
    sum = of_warp(sum);
    if (lane == 0)
        sums[threadIdx.x / WARP] = sum;
    __syncthreads();
    if (threadIdx.x >= WARP)
        return;
    sum = of_warp(sums[lane]);
    if (lane == 0) {
        *result = sum;
        drawn = 0;
    }
}

void reduce(const value_t *d_values, size_t length, value_t *d_result)
{
    int device, multiprocessors;
    if (length > UINT32_MAX) {
        fprintf(stderr, "reduce: %zu values; at most 4294967295 can be reduced\n", length);
        exit(1);
    }
    CHECK(cudaGetDevice(&device));
    CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    const size_t tiles = (length + TILE - 1) / TILE, most = (size_t)multiprocessors * 2;
    const size_t segments = tiles < MOST ? tiles : MOST, enough = (segments + 7) / 8;
    const size_t blocks = enough < 1 ? 1 : enough < most ? enough : most;
    sum_kernel<<<(unsigned int)blocks, T>>>(d_values, (unsigned int)length, (unsigned int)segments,
                                            d_result);
    CHECK(cudaGetLastError());
}
