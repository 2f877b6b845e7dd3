/* Style: chapter 7's comparisons on the bytes of words, 1,024 threads, a fixed grid of 4: right and
 * simple; two loads at a time. */
#include <stdint.h>
#include "binning.h"
#include "cuda_check.h"
#include "histogram.h"
#if BINS != 5
#error "build it with BINS=5"
#endif

__device__ void byte(unsigned int c, unsigned int *n)
{
    const int bin = bin_of((unsigned char)c);
#pragma unroll
    for (int b = 0; b < NUM_BINS; b++) n[b] += b == bin;
}

__global__ void simple(const unsigned char *text, size_t length, unsigned int *bins)
{
    __shared__ unsigned int s[NUM_BINS];
    if (threadIdx.x < NUM_BINS) s[threadIdx.x] = 0;
    __syncthreads();
    unsigned int n[NUM_BINS] = {0};
    size_t head = (16 - (uintptr_t)text % 16) % 16, me = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (head > length) head = length;
    const size_t words = (length - head) / 16, tail = head + 16 * words, all = (size_t)gridDim.x * blockDim.x;
    for (size_t i = me; i < words; i += all) {
        const uint4 w = ((const uint4 *)(text + head))[i];
        const unsigned int v[4] = {w.x, w.y, w.z, w.w};
#pragma unroll
        for (int k = 0; k < 16; k++) byte(v[k / 4] >> (k % 4 * 8) & 255, n);
    }
    if (me < head) byte(text[me], n);
    if (me < length - tail) byte(text[tail + me], n);
    for (int b = 0; b < NUM_BINS; b++) {
        const unsigned int sum = __reduce_add_sync(0xffffffffu, n[b]);
        if ((threadIdx.x & 31) == 0) atomicAdd(&s[b], sum);
    }
    __syncthreads();
    if (threadIdx.x < NUM_BINS) atomicAdd(&bins[threadIdx.x], s[threadIdx.x]);
}

void histogram(const unsigned char *d_text, size_t length, unsigned int *d_bins)
{
    if (length > UINT32_MAX) { fprintf(stderr, "too long\n"); exit(1); }
    simple<<<4, 1024>>>(d_text, length, d_bins);
    CHECK(cudaGetLastError());
}
