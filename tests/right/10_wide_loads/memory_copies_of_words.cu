// Style: two uint4 in flight in named variables; a union takes the word apart. Fixed grid 66 x 256.
#include <stdint.h>
#include "binning.h"
#include "cuda_check.h"
#include "histogram.h"

__device__ void one(unsigned char c, unsigned int *s)
{
    int b = bin_of(c);
    if (b >= 0) atomicAdd(&s[b], 1);
}

__device__ void four(unsigned int w, unsigned int *s)
{
    one(w & 255, s); one(w >> 8 & 255, s); one(w >> 16 & 255, s); one(w >> 24, s);
}

__device__ void sixteen(uint4 w, unsigned int *s) { four(w.x, s); four(w.y, s); four(w.z, s); four(w.w, s); }

__global__ void two_in_flight(const unsigned char *text, size_t n, unsigned int *bins)
{
    __shared__ unsigned int s[NUM_BINS];
    for (int b = threadIdx.x; b < NUM_BINS; b += blockDim.x) s[b] = 0;
    __syncthreads();
    const size_t t = (size_t)blockIdx.x * blockDim.x + threadIdx.x, all = (size_t)gridDim.x * blockDim.x;
    size_t head = -(uintptr_t)text & 15;
    if (head > n) head = n;
    const uint4 *w = (const uint4 *)(text + head);
    const size_t words = (n - head) >> 4;
    size_t i = t;
    for (; i + all < words; i += 2 * all) {
        const uint4 a = w[i], b = w[i + all];
        sixteen(a, s);
        sixteen(b, s);
    }
    if (i < words) sixteen(w[i], s);
    if (t < head) one(text[t], s);
    const size_t done = head + 16 * words;
    if (t < n - done) one(text[done + t], s);
    __syncthreads();
    for (int b = threadIdx.x; b < NUM_BINS; b += blockDim.x) atomicAdd(&bins[b], s[b]);
}

void histogram(const unsigned char *d_text, size_t length, unsigned int *d_bins)
{
    if (length > UINT32_MAX) { fprintf(stderr, "too long\n"); exit(1); }
    two_in_flight<<<66, 256>>>(d_text, length, d_bins);
    CHECK(cudaGetLastError());
}
