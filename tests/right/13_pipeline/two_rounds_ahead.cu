/* Style: two rounds on their way, of two words each; a table in dynamic shared memory, 256 threads. */
#include <stdint.h>
#include "binning.h"
#include "cuda_check.h"
#include "histogram.h"

enum { THREADS = 256, ROWS = 256, LANES = 32 };

typedef struct { uint4 a, b; } pair_t;

__device__ pair_t get(const uint4 *p, size_t step)
{
    pair_t r;
    r.a = p[0];
    r.b = p[step];
    return r;
}

__device__ void count4(unsigned int v, unsigned int *mine)
{
#pragma unroll
    for (int k = 0; k < 4; k++, v >>= 8) atomicAdd(&mine[(v & 0xffu) * LANES], 1u);
}

__device__ void count16(uint4 w, unsigned int *mine)
{
    count4(w.x, mine); count4(w.y, mine); count4(w.z, mine); count4(w.w, mine);
}

__global__ void deep(const unsigned char *text, size_t length, unsigned int *bins)
{
    extern __shared__ unsigned int table[];
    for (unsigned int k = threadIdx.x; k < ROWS * LANES; k += THREADS) table[k] = 0;
    __syncthreads();
    unsigned int *mine = &table[threadIdx.x & (LANES - 1)];
    const size_t step = (size_t)gridDim.x * THREADS;
    size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x;
    const size_t me = i;
    const size_t off = (size_t)((0 - (uintptr_t)text) & 15), head = off < length ? off : length;
    const uint4 *p = (const uint4 *)(text + head);
    const size_t n = (length - head) / 16;
    const size_t whole = i < n ? (n - i + step - 1) / step / 2 : 0; /* rounds of this thread */

    pair_t first, second;
    if (whole > 0) first = get(p + i, step);
    if (whole > 1) second = get(p + i + 2 * step, step);
    for (size_t r = 0; r < whole; r++, i += 2 * step) {
        const pair_t now = first;
        first = second;
        if (r + 2 < whole) second = get(p + i + 4 * step, step);
        count16(now.a, mine);
        count16(now.b, mine);
    }
    if (i < n) count16(p[i], mine);
    if (me < head) atomicAdd(&mine[text[me] * LANES], 1u);
    if (me < length - head - 16 * n) atomicAdd(&mine[text[head + 16 * n + me] * LANES], 1u);
    __syncthreads();
    /* A thread a row, each from another column on. */
    unsigned int sum = 0;
    for (int k = 0; k < LANES; k++) sum += table[threadIdx.x * LANES + (threadIdx.x + k) % LANES];
    __shared__ unsigned int total[NUM_BINS];
    for (int k = threadIdx.x; k < NUM_BINS; k += THREADS) total[k] = 0;
    __syncthreads();
    if (bin_of((unsigned char)threadIdx.x) >= 0) atomicAdd(&total[bin_of((unsigned char)threadIdx.x)], sum);
    __syncthreads();
    for (int k = threadIdx.x; k < NUM_BINS; k += THREADS) atomicAdd(&bins[k], total[k]);
}

void histogram(const unsigned char *d_text, size_t length, unsigned int *d_bins)
{
    if (length > UINT32_MAX) { fprintf(stderr, "too long\n"); exit(1); }
    if (length == 0) return;
    int processors;
    CHECK(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0));
    size_t blocks = (length + 16 * THREADS - 1) / (16 * THREADS);
    if (blocks > 4 * (size_t)processors) blocks = 4 * (size_t)processors;
    deep<<<(unsigned int)blocks, THREADS, ROWS * LANES * sizeof(unsigned int)>>>(d_text, length, d_bins);
    CHECK(cudaGetLastError());
}
