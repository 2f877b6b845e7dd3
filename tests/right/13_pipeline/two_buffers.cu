/* Style: two buffers in turn, so that no word is moved; a warp folds a row; 512 threads, two blocks a
 * multiprocessor. */
#include <stdint.h>
#include "binning.h"
#include "cuda_check.h"
#include "histogram.h"

#define T 512
#define DEPTH 2

__device__ __forceinline__ void fetch(uint4 *to, const uint4 *from, size_t step)
{
#pragma unroll
    for (int d = 0; d < DEPTH; d++) to[d] = from[d * step];
}

__device__ __forceinline__ void tally(unsigned int v, unsigned int *column)
{
    atomicAdd(column + 32 * (v & 255), 1);
    atomicAdd(column + 32 * (v >> 8 & 255), 1);
    atomicAdd(column + 32 * (v >> 16 & 255), 1);
    atomicAdd(column + 32 * (v >> 24), 1);
}

__device__ __forceinline__ void use(const uint4 *from, unsigned int *column)
{
#pragma unroll
    for (int d = 0; d < DEPTH; d++) {
        tally(from[d].x, column); tally(from[d].y, column);
        tally(from[d].z, column); tally(from[d].w, column);
    }
}

__global__ void __launch_bounds__(T, 2) ping_pong(const unsigned char *text, size_t length, unsigned int *bins)
{
    __shared__ unsigned int table[256 * 32], sums[NUM_BINS];
    for (int k = threadIdx.x; k < 256 * 32; k += T) table[k] = 0;
    for (int k = threadIdx.x; k < NUM_BINS; k += T) sums[k] = 0;
    __syncthreads();
    unsigned int *column = table + threadIdx.x % 32;
    const size_t me = (size_t)blockIdx.x * T + threadIdx.x, all = (size_t)gridDim.x * T;
    size_t head = (16 - (uintptr_t)text % 16) % 16;
    if (head > length) head = length;
    const uint4 *in = (const uint4 *)(text + head);
    const size_t n = (length - head) / 16;

    uint4 even[DEPTH], odd[DEPTH];
    size_t i = me;
#define WHOLE(at) ((at) + (DEPTH - 1) * all < n)
    bool have = WHOLE(i);
    if (have) fetch(even, in + i, all);
    while (have) {
        i += DEPTH * all;
        const bool second = WHOLE(i);
        if (second) fetch(odd, in + i, all);
        use(even, column);
        if (!second) break;
        i += DEPTH * all;
        have = WHOLE(i);
        if (have) fetch(even, in + i, all);
        use(odd, column);
    }
    for (; i < n; i += all) {
        const uint4 w = in[i];
        tally(w.x, column); tally(w.y, column); tally(w.z, column); tally(w.w, column);
    }
    if (me < head) atomicAdd(column + 32 * text[me], 1);
    if (me < length - head - 16 * n) atomicAdd(column + 32 * text[head + 16 * n + me], 1);
    __syncthreads();
    for (int row = threadIdx.x / 32; row < 256; row += T / 32) {
        const int bin = bin_of((unsigned char)row);
        if (bin < 0) continue;
        const unsigned int sum = __reduce_add_sync(~0u, table[32 * row + threadIdx.x % 32]);
        if (threadIdx.x % 32 == 0) atomicAdd(&sums[bin], sum);
    }
    __syncthreads();
    for (int k = threadIdx.x; k < NUM_BINS; k += T) atomicAdd(&bins[k], sums[k]);
}

void histogram(const unsigned char *d_text, size_t length, unsigned int *d_bins)
{
    if (length > UINT32_MAX) { fprintf(stderr, "too long\n"); exit(1); }
    if (length == 0) return;
    int processors;
    CHECK(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0));
    size_t blocks = length / (16 * T) + 1;
    if (blocks > 2 * (size_t)processors) blocks = 2 * (size_t)processors;
    ping_pong<<<(unsigned int)blocks, T>>>(d_text, length, d_bins);
    CHECK(cudaGetLastError());
}
