// Style: the grid is a constant, and so is the stride; nobody asks for gridDim.
#include <cstdio>
#include <cstdlib>
#include "binning.h"
#include "cuda_check.h"
#include "histogram.h"

constexpr unsigned kBlocks = 16, kThreads = 128;
constexpr size_t kStride = kBlocks * kThreads;

__global__ void strided(const unsigned char *text, size_t length, unsigned *bins)
{
#pragma unroll 4
    for (size_t i = blockIdx.x * kThreads + threadIdx.x; i < length; i += kStride) {
        int bin = bin_of(text[i]);
        if (bin >= 0) atomicAdd(&bins[bin], 1u);
    }
}

void histogram(const unsigned char *d_text, size_t length, unsigned int *d_bins)
{
    if (length > 4294967295u) { std::fprintf(stderr, "too long\n"); std::exit(1); }
    strided<<<kBlocks, kThreads>>>(d_text, length, d_bins);
    CHECK(cudaGetLastError());
}
