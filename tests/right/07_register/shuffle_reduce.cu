// Style: the warp adds up by shuffles, its first lane adds to the block's bins; blocks of 256.
#include <cstdio>
#include <cstdlib>
#include "binning.h"
#include "cuda_check.h"
#include "histogram.h"

__device__ unsigned warp_sum(unsigned v)
{
    for (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(0xffffffffu, v, d);
    return v;
}

template <int N> struct Counters {
    unsigned n[N] = {};
    __device__ void add(int bin)
    {
#pragma unroll
        for (int b = 0; b < N; ++b) n[b] += (b == bin);
    }
};

__global__ void kernel(const unsigned char *text, size_t length, unsigned int *bins)
{
    __shared__ unsigned int s[NUM_BINS];
    for (int b = threadIdx.x; b < NUM_BINS; b += blockDim.x) s[b] = 0;
    __syncthreads();
    Counters<NUM_BINS> mine;
    for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < length; i += gridDim.x * size_t(blockDim.x))
        mine.add(bin_of(text[i]));
#pragma unroll
    for (int b = 0; b < NUM_BINS; ++b) {
        unsigned sum = warp_sum(mine.n[b]);
        if (threadIdx.x % 32 == 0) atomicAdd(&s[b], sum);
    }
    __syncthreads();
    for (int b = threadIdx.x; b < NUM_BINS; b += blockDim.x) atomicAdd(&bins[b], s[b]);
}

void histogram(const unsigned char *d_text, size_t length, unsigned int *d_bins)
{
    if (length > 0xffffffffu) { std::fprintf(stderr, "too long\n"); std::exit(1); }
    if (length == 0) return;
    kernel<<<unsigned(length / 16384 + 1), 256>>>(d_text, length, d_bins);
    CHECK(cudaGetLastError());
}
