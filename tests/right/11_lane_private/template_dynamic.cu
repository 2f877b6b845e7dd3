// Style: C++: the table in dynamic shared memory behind a class; cooperative groups' reduce folds.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include "binning.h"
#include "cuda_check.h"
#include "histogram.h"

namespace cg = cooperative_groups;

template <int Lanes> struct Column {
    unsigned *top;
    __device__ void add(unsigned char c) const { atomicAdd(top + c * Lanes, 1u); }
    __device__ void add(uint4 w) const
    {
        for (unsigned v : {w.x, w.y, w.z, w.w})
            for (int k = 0; k < 32; k += 8) add(static_cast<unsigned char>(v >> k));
    }
};

__global__ void columns(const unsigned char *text, size_t length, unsigned int *bins)
{
    extern __shared__ unsigned table[];
    auto block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    unsigned *totals = table + 256 * 32;
    for (unsigned i = block.thread_rank(); i < 256 * 32 + NUM_BINS; i += block.size()) table[i] = 0;
    block.sync();
    const Column<32> mine{table + warp.thread_rank()};
    const size_t me = size_t(blockIdx.x) * blockDim.x + threadIdx.x, step = size_t(gridDim.x) * blockDim.x;
    size_t head = (16 - reinterpret_cast<uintptr_t>(text) % 16) % 16;
    head = head < length ? head : length;
    const auto *words = reinterpret_cast<const uint4 *>(text + head);
    const size_t n = (length - head) / 16;
    for (size_t i = me; i < n; i += step) mine.add(words[i]);
    if (me < head) mine.add(text[me]);
    if (head + 16 * n + me < length) mine.add(text[head + 16 * n + me]);
    block.sync();
    for (unsigned row = warp.meta_group_rank(); row < 256; row += warp.meta_group_size()) {
        const unsigned sum = cg::reduce(warp, table[row * 32 + warp.thread_rank()], cg::plus<unsigned>());
        if (const int bin = bin_of(static_cast<unsigned char>(row)); bin >= 0 && warp.thread_rank() == 0)
            atomicAdd(totals + bin, sum);
    }
    block.sync();
    for (unsigned b = block.thread_rank(); b < NUM_BINS; b += block.size()) atomicAdd(bins + b, totals[b]);
}

void histogram(const unsigned char *d_text, size_t length, unsigned int *d_bins)
{
    if (length > 0xffffffffull) { std::fprintf(stderr, "too long\n"); std::exit(1); }
    columns<<<20, 512, (256 * 32 + NUM_BINS) * sizeof(unsigned)>>>(d_text, length, d_bins);
    CHECK(cudaGetLastError());
}
