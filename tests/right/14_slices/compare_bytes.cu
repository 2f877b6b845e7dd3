/* Style: SIMD in a word: __vcmpgeu4 compares four bytes with a bound, __popc counts; for 5 bins. */
#include <stdint.h>
#include "binning.h"
#include "cuda_check.h"
#include "histogram.h"
#if BINS != 5
#error "six bounds: build it with BINS=5"
#endif

__device__ void four(unsigned int w, unsigned int *n)
{
    const unsigned char bounds[6] = {'a', 'g', 'm', 's', 'y', '{'};
#pragma unroll
    for (int k = 0; k < 6; k++) n[k] += __popc(__vcmpgeu4(w, bounds[k] * 0x01010101u)) / 8;
}

__global__ void __launch_bounds__(512) bounds_kernel(const unsigned char *text, size_t length, unsigned int *bins)
{
    __shared__ unsigned int s[5];
    if (threadIdx.x < 5) s[threadIdx.x] = 0;
    __syncthreads();
    unsigned int n[6] = {0};
    size_t head = (16 - (uintptr_t)text % 16) % 16, me = (size_t)blockIdx.x * 512 + threadIdx.x;
    if (head > length) head = length;
    const size_t words = (length - head) / 16, tail = head + 16 * words, all = (size_t)gridDim.x * 512;
    const uint4 *in = (const uint4 *)(text + head);
    for (size_t i = me; i < words; i += all) {
        const uint4 w = in[i];
        four(w.x, n); four(w.y, n); four(w.z, n); four(w.w, n);
    }
    if (me < head) four(text[me], n);
    if (me < length - tail) four(text[tail + me], n);
#pragma unroll
    for (int b = 0; b < 5; b++) {
        const unsigned int sum = __reduce_add_sync(~0u, n[b] - n[b + 1]);
        if (threadIdx.x % 32 == 0) atomicAdd(&s[b], sum);
    }
    __syncthreads();
    if (threadIdx.x < 5) atomicAdd(&bins[threadIdx.x], s[threadIdx.x]);
}

void histogram(const unsigned char *d_text, size_t length, unsigned int *d_bins)
{
    if (length > UINT32_MAX) { fprintf(stderr, "too long\n"); exit(1); }
    if (length == 0) return;
    size_t blocks = length / 8192 + 1;
    int processors;
    CHECK(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0));
    if (blocks > 2 * (size_t)processors) blocks = 2 * (size_t)processors;
    bounds_kernel<<<(unsigned)blocks, 512>>>(d_text, length, d_bins);
    CHECK(cudaGetLastError());
}
