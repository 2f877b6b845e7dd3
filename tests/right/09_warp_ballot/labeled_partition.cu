// Style: cooperative groups: a tile of 32, labeled_partition by bin, and rank 0 of each group adds.
#include <cooperative_groups.h>
#include <cstdio>
#include <cstdlib>
#include "binning.h"
#include "cuda_check.h"
#include "histogram.h"

namespace cg = cooperative_groups;

__global__ void labels(const unsigned char *text, size_t length, unsigned int *bins)
{
    __shared__ unsigned int s[NUM_BINS];
    auto block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    for (unsigned b = block.thread_rank(); b < NUM_BINS; b += block.size()) s[b] = 0;
    block.sync();
    const size_t step = size_t(gridDim.x) * blockDim.x;
    for (size_t base = size_t(blockIdx.x) * blockDim.x + 32 * warp.meta_group_rank(); base < length; base += step) {
        const size_t i = base + warp.thread_rank();
        const int bin = i < length ? bin_of(text[i]) : -1;
        auto peers = cg::labeled_partition(warp, bin);
        if (bin >= 0 && peers.thread_rank() == 0) atomicAdd(&s[bin], unsigned(peers.size()));
    }
    block.sync();
    for (unsigned b = block.thread_rank(); b < NUM_BINS; b += block.size()) atomicAdd(&bins[b], s[b]);
}

void histogram(const unsigned char *d_text, size_t length, unsigned int *d_bins)
{
    if (length > 0xffffffffull) { std::fprintf(stderr, "too long\n"); std::exit(1); }
    labels<<<32, 96>>>(d_text, length, d_bins);
    CHECK(cudaGetLastError());
}
