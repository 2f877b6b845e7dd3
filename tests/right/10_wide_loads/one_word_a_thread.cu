/* Style: one word of 16 a thread and no loop: nothing else is in flight.
 * Refused: load of a thread at a time */
#include <stdint.h>
#include "binning.h"
#include "cuda_check.h"
#include "histogram.h"

__device__ void add(unsigned int *h, unsigned char c)
{
    const int bin = bin_of(c);
    if (bin >= 0) atomicAdd(&h[bin], 1);
}

__global__ void single(const unsigned char *text, size_t length, unsigned int *bins)
{
    __shared__ unsigned int h[NUM_BINS];
    for (unsigned b = threadIdx.x; b < NUM_BINS; b += blockDim.x) h[b] = 0;
    __syncthreads();
    size_t head = (16 - (uintptr_t)text % 16) % 16, me = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (head > length) head = length;
    const size_t words = (length - head) / 16, tail = head + 16 * words;
    if (me < words) {
        const uint4 w = ((const uint4 *)(text + head))[me];
        const unsigned int v[4] = {w.x, w.y, w.z, w.w};
#pragma unroll
        for (int k = 0; k < 16; k++) add(h, v[k / 4] >> (8 * (k % 4)) & 255);
    }
    if (me < head) add(h, text[me]);
    if (me < length - tail) add(h, text[tail + me]);
    __syncthreads();
    for (unsigned b = threadIdx.x; b < NUM_BINS; b += blockDim.x) atomicAdd(&bins[b], h[b]);
}

void histogram(const unsigned char *d_text, size_t length, unsigned int *d_bins)
{
    if (length > UINT32_MAX) { fprintf(stderr, "too long\n"); exit(1); }
    if (length == 0) return;
    single<<<(unsigned)(length / 4096 + 1), 256>>>(d_text, length, d_bins);
    CHECK(cudaGetLastError());
}
