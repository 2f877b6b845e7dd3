// Style: fold expressions over an index sequence keep the counters in named template members.
#include <cstdio>
#include <cstdlib>
#include <utility>
#include "binning.h"
#include "cuda_check.h"
#include "histogram.h"

template <int... B> __device__ void bump(unsigned (&n)[sizeof...(B)], int bin, std::integer_sequence<int, B...>)
{
    ((n[B] += bin == B), ...);
}
template <int... B> __device__ void fold(const unsigned (&n)[sizeof...(B)], unsigned *s, std::integer_sequence<int, B...>)
{
    (atomicAdd(s + B, n[B]), ...);
}

__global__ void sequence(const unsigned char *text, size_t length, unsigned int *bins)
{
    constexpr auto all = std::make_integer_sequence<int, NUM_BINS>{};
    __shared__ unsigned s[NUM_BINS];
    if (threadIdx.x < NUM_BINS) s[threadIdx.x] = 0;
    __syncthreads();
    unsigned n[NUM_BINS] = {};
    for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < length; i += size_t(gridDim.x) * blockDim.x)
        bump(n, bin_of(text[i]), all);
    fold(n, s, all);
    __syncthreads();
    if (threadIdx.x < NUM_BINS) atomicAdd(bins + threadIdx.x, s[threadIdx.x]);
}

void histogram(const unsigned char *d_text, size_t length, unsigned int *d_bins)
{
    if (length > 0xffffffffull) { std::fprintf(stderr, "too long\n"); std::exit(1); }
    sequence<<<50, 256>>>(d_text, length, d_bins);
    CHECK(cudaGetLastError());
}
