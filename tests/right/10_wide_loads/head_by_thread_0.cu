/* Style: the first thread of the grid counts head and tail; blocks of 64 in a grid by length. */
#include <stdint.h>
#include "binning.h"
#include "cuda_check.h"
#include "histogram.h"

#define LOADS 2

static __device__ __inline__ void tally(unsigned int *h, unsigned int four)
{
    for (int k = 0; k < 4; k++, four >>= 8) {
        int b = bin_of((unsigned char)four);
        if (b >= 0) atomicAdd(h + b, 1);
    }
}

__global__ void wide(const unsigned char *text, size_t length, unsigned int *bins)
{
    __shared__ unsigned int h[NUM_BINS];
    for (int b = threadIdx.x; b < NUM_BINS; b += 64) h[b] = 0;
    __syncthreads();
    size_t head = (16 - ((uintptr_t)text & 15)) & 15;
    if (head > length) head = length;
    size_t n = (length - head) / 16, me = blockIdx.x * (size_t)64 + threadIdx.x, all = gridDim.x * (size_t)64;
    const int4 *in = (const int4 *)(text + head);
    for (size_t i = me; i < n; i += LOADS * all) {
        int4 first = in[i], second = make_int4(0, 0, 0, 0);
        bool two = i + all < n;
        if (two) second = in[i + all];
        tally(h, first.x); tally(h, first.y); tally(h, first.z); tally(h, first.w);
        if (two) { tally(h, second.x); tally(h, second.y); tally(h, second.z); tally(h, second.w); }
    }
    if (me == 0) {
        for (size_t i = 0; i < head; i++) { int b = bin_of(text[i]); if (b >= 0) atomicAdd(h + b, 1); }
        for (size_t i = head + 16 * n; i < length; i++) { int b = bin_of(text[i]); if (b >= 0) atomicAdd(h + b, 1); }
    }
    __syncthreads();
    for (int b = threadIdx.x; b < NUM_BINS; b += 64) atomicAdd(bins + b, h[b]);
}

void histogram(const unsigned char *d_text, size_t length, unsigned int *d_bins)
{
    if (length > UINT32_MAX) { fprintf(stderr, "too long\n"); exit(1); }
    if (length == 0) return;
    size_t blocks = (length + 2047) / 2048;
    wide<<<(unsigned)(blocks < 528 ? blocks : 528), 64>>>(d_text, length, d_bins);
    CHECK(cudaGetLastError());
}
