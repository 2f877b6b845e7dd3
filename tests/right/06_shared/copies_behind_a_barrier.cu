// Style: cuda::memcpy_async and cuda::barrier bring tiles, which cuda::atomic_ref counts.
#include <stdint.h>
#include <cuda/barrier>
#include <cuda/atomic>
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
#include "binning.h"
#include "cuda_check.h"
#include "histogram.h"

using block_barrier = cuda::barrier<cuda::thread_scope_block>;
enum { TILE = 4096 };
__global__ void with_barrier(const unsigned char *text, size_t length, unsigned int *bins)
{
    extern __shared__ unsigned char raw[];
    unsigned int *local = (unsigned int *)raw;
    __shared__ unsigned char tile[TILE];
    __shared__ block_barrier bar;
    auto block = cg::this_thread_block();
    if (block.thread_rank() == 0)
        init(&bar, block.size());
    for (unsigned b = block.thread_rank(); b < NUM_BINS; b += block.size())
        local[b] = 0;
    block.sync();
    for (size_t at = (size_t)blockIdx.x * TILE; at < length; at += (size_t)gridDim.x * TILE) {
        const size_t n = length - at < TILE ? length - at : (size_t)TILE;
        cuda::memcpy_async(block, tile, text + at, n, bar);
        bar.arrive_and_wait();
        for (size_t k = block.thread_rank(); k < n; k += block.size()) {
            const int b = bin_of(tile[k]);
            if (b >= 0)
                cuda::atomic_ref<unsigned int, cuda::thread_scope_block>(local[b]).fetch_add(1u, cuda::std::memory_order_relaxed);
        }
        bar.arrive_and_wait();
    }
    block.sync();
    for (unsigned b = block.thread_rank(); b < NUM_BINS; b += block.size())
        atomicAdd(bins + b, local[b]);
}
void histogram(const unsigned char *d_text, size_t length, unsigned int *d_bins)
{
    if (length > UINT32_MAX) {
        fprintf(stderr, "histogram: %zu characters are too many\n", length);
        exit(1);
    }
    if (length == 0)
        return;

    size_t blocks = (length + TILE - 1) / TILE;
    with_barrier<<<(unsigned int)(blocks < 132 ? blocks : 132), 256, NUM_BINS * sizeof(unsigned int)>>>(d_text, length, d_bins);
    CHECK(cudaGetLastError());
}
