/* Style: each load asks for itself whether its word lies in the text; what does not is not counted. No
 * loop after the loop. The threads of a block read neighboring blocks of 4 x 1,024 words. */
#include <stdint.h>
#include "binning.h"
#include "cuda_check.h"
#include "histogram.h"

#define THREADS 1024
#define WORDS 4

struct load { uint4 w[WORDS]; int words; };

__device__ struct load load_some(const uint4 *in, size_t at, size_t n)
{
    struct load l;
    l.words = 0;
#pragma unroll
    for (int k = 0; k < WORDS; k++)
        if (at + k * THREADS < n) {
            l.w[k] = in[at + k * THREADS];
            l.words = k + 1;
        }
    return l;
}

__device__ void add(unsigned int (*rows)[32], unsigned int v)
{
    const int lane = threadIdx.x % 32;
    atomicAdd(&rows[v & 255][lane], 1);
    atomicAdd(&rows[v >> 8 & 255][lane], 1);
    atomicAdd(&rows[v >> 16 & 255][lane], 1);
    atomicAdd(&rows[v >> 24 & 255][lane], 1);
}

__global__ void __launch_bounds__(THREADS, 1) tiles(const unsigned char *text, size_t length, unsigned int *bins)
{
    __shared__ unsigned int rows[256][32];
    __shared__ unsigned int out[NUM_BINS];
    for (int k = threadIdx.x; k < 256 * 32; k += THREADS) rows[k / 32][k % 32] = 0;
    for (int k = threadIdx.x; k < NUM_BINS; k += THREADS) out[k] = 0;
    __syncthreads();
    const size_t to = (16 - (uintptr_t)text % 16) % 16, head = to < length ? to : length;
    const uint4 *in = (const uint4 *)(text + head);
    const size_t n = (length - head) / 16, tile = (size_t)THREADS * WORDS;
    const size_t me = (size_t)blockIdx.x * THREADS + threadIdx.x;
    size_t at = blockIdx.x * tile + threadIdx.x;
    struct load next = load_some(in, at, n);
    while (next.words > 0) {
        const struct load now = next;
        at += gridDim.x * tile;
        next = load_some(in, at, n);
#pragma unroll
        for (int k = 0; k < WORDS; k++)
            if (k < now.words) {
                add(rows, now.w[k].x); add(rows, now.w[k].y);
                add(rows, now.w[k].z); add(rows, now.w[k].w);
            }
    }
    if (me < head && bin_of(text[me]) >= 0) atomicAdd(&out[bin_of(text[me])], 1);
    const size_t tail = head + 16 * n + me;
    if (tail < length && bin_of(text[tail]) >= 0) atomicAdd(&out[bin_of(text[tail])], 1);
    __syncthreads();
    if (threadIdx.x < 256 && bin_of((unsigned char)threadIdx.x) >= 0) {
        unsigned int sum = 0;
        for (int k = 0; k < 32; k++) sum += rows[threadIdx.x][(k + threadIdx.x) % 32];
        atomicAdd(&out[bin_of((unsigned char)threadIdx.x)], sum);
    }
    __syncthreads();
    for (int k = threadIdx.x; k < NUM_BINS; k += THREADS) atomicAdd(&bins[k], out[k]);
}

void histogram(const unsigned char *d_text, size_t length, unsigned int *d_bins)
{
    if (length > UINT32_MAX) { fprintf(stderr, "too long\n"); exit(1); }
    if (length == 0) return;
    int processors;
    CHECK(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0));
    size_t blocks = (length + 16 * THREADS - 1) / (16 * THREADS);
    if (blocks > (size_t)processors) blocks = (size_t)processors;
    tiles<<<(unsigned int)blocks, THREADS>>>(d_text, length, d_bins);
    CHECK(cudaGetLastError());
}
