// Style: each block has a contiguous part of the words, in which its threads stride by the block.
#include <stdint.h>
#include "binning.h"
#include "cuda_check.h"
#include "histogram.h"

__device__ void add(unsigned int *h, unsigned char c)
{
    const int bin = bin_of(c);
    if (bin >= 0) atomicAdd(&h[bin], 1);
}

__global__ void parts(const unsigned char *text, size_t length, unsigned int *bins)
{
    __shared__ unsigned int h[NUM_BINS];
    for (unsigned b = threadIdx.x; b < NUM_BINS; b += blockDim.x) h[b] = 0;
    __syncthreads();
    size_t head = (16 - (uintptr_t)text % 16) % 16;
    if (head > length) head = length;
    const size_t words = (length - head) / 16, part = (words + gridDim.x - 1) / gridDim.x;
    const size_t begin = part * blockIdx.x, end = begin + part < words ? begin + part : words;
    const uint4 *in = (const uint4 *)(text + head);
    for (size_t i = begin + threadIdx.x; i < end; i += 4 * blockDim.x) {
        uint4 w[4];
        int n = 0;
        for (size_t j = i; j < end && n < 4; j += blockDim.x) w[n++] = in[j];
        for (int k = 0; k < n; k++) {
            const unsigned int v[4] = {w[k].x, w[k].y, w[k].z, w[k].w};
            for (int byte = 0; byte < 16; byte++) add(h, v[byte / 4] >> (8 * (byte % 4)) & 255);
        }
    }
    if (blockIdx.x == gridDim.x - 1) {
        if (threadIdx.x < head) add(h, text[threadIdx.x]);
        const size_t tail = head + 16 * words;
        if (threadIdx.x < length - tail) add(h, text[tail + threadIdx.x]);
    }
    __syncthreads();
    for (unsigned b = threadIdx.x; b < NUM_BINS; b += blockDim.x) atomicAdd(&bins[b], h[b]);
}

void histogram(const unsigned char *d_text, size_t length, unsigned int *d_bins)
{
    if (length > UINT32_MAX) { fprintf(stderr, "too long\n"); exit(1); }
    parts<<<24, 128>>>(d_text, length, d_bins);
    CHECK(cudaGetLastError());
}
