// Style: contiguous sections and a switch over the bin for 5 bins, otherwise comparisons; warps of
// one block fold by __shfl_down_sync into a table without atomics.
#include <cstdio>
#include <cstdlib>
#include "binning.h"
#include "cuda_check.h"
#include "histogram.h"

__global__ void sections(const unsigned char *text, size_t length, unsigned int *bins)
{
    __shared__ unsigned table[32][NUM_BINS];
    const size_t threads = size_t(gridDim.x) * blockDim.x, me = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
    const size_t each = (length + threads - 1) / threads;
    unsigned n[NUM_BINS] = {};
    for (size_t i = me * each; i < me * each + each && i < length; ++i) {
        const int bin = bin_of(text[i]);
#pragma unroll
        for (int b = 0; b < NUM_BINS; ++b)
            if (bin == b) ++n[b];
    }
#pragma unroll
    for (int b = 0; b < NUM_BINS; ++b) {
        unsigned v = n[b];
        for (int d = 1; d < 32; d *= 2) v += __shfl_down_sync(0xffffffffu, v, d);
        if (threadIdx.x % 32 == 0) table[threadIdx.x / 32][b] = v;
    }
    __syncthreads();
    for (unsigned b = threadIdx.x; b < NUM_BINS; b += blockDim.x) {
        unsigned sum = 0;
        for (unsigned w = 0; w < blockDim.x / 32; ++w) sum += table[w][b];
        atomicAdd(&bins[b], sum);
    }
}

void histogram(const unsigned char *d_text, size_t length, unsigned int *d_bins)
{
    if (length > 0xffffffffull) { std::fprintf(stderr, "too long\n"); std::exit(1); }
    sections<<<12, 1024>>>(d_text, length, d_bins);
    CHECK(cudaGetLastError());
}
