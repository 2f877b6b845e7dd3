// Style: cooperative groups' thread_block in the place of threadIdx and __syncthreads.
#include <cooperative_groups.h>
#include <cstdio>
#include <cstdlib>
#include "binning.h"
#include "cuda_check.h"
#include "histogram.h"

namespace cg = cooperative_groups;

__global__ void with_groups(const unsigned char *text, size_t length, unsigned int *bins)
{
    __shared__ unsigned int local[NUM_BINS];
    auto block = cg::this_thread_block();
    for (unsigned b = block.thread_rank(); b < NUM_BINS; b += block.size()) local[b] = 0;
    block.sync();
    const size_t stride = size_t(block.size()) * gridDim.x;
    for (size_t i = size_t(block.group_index().x) * block.size() + block.thread_rank(); i < length; i += stride)
        if (const int bin = bin_of(text[i]); bin >= 0) atomicAdd(&local[bin], 1u);
    block.sync();
    for (unsigned b = block.thread_rank(); b < NUM_BINS; b += block.size()) atomicAdd(&bins[b], local[b]);
}

void histogram(const unsigned char *d_text, size_t length, unsigned int *d_bins)
{
    if (length > 0xffffffffull) { std::fprintf(stderr, "too long\n"); std::exit(1); }
    with_groups<<<64, 512>>>(d_text, length, d_bins);
    CHECK(cudaGetLastError());
}
