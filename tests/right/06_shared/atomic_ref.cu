// Style: cuda::atomic_ref of block scope in shared memory, device scope for the commit. 日本語のコメント。
#include <cuda/atomic>
#include <cstdio>
#include <cstdlib>
#include "binning.h"
#include "cuda_check.h"
#include "histogram.h"

__global__ void scoped(const unsigned char *text, size_t length, unsigned int *bins)
{
    __shared__ unsigned int local[NUM_BINS];
    for (int b = threadIdx.x; b < NUM_BINS; b += blockDim.x) local[b] = 0;
    __syncthreads(); // 全スレッドを待つ
    for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < length;
         i += size_t(gridDim.x) * blockDim.x) {
        const int b = bin_of(text[i]);
        if (b >= 0) {
            cuda::atomic_ref<unsigned int, cuda::thread_scope_block> counter(local[b]);
            counter.fetch_add(1, cuda::memory_order_relaxed);
        }
    }
    __syncthreads();
    for (int b = threadIdx.x; b < NUM_BINS; b += blockDim.x) {
        cuda::atomic_ref<unsigned int, cuda::thread_scope_device> total(bins[b]);
        total.fetch_add(local[b], cuda::memory_order_relaxed);
    }
}

void histogram(const unsigned char *d_text, size_t length, unsigned int *d_bins)
{
    if (length > 0xffffffffull) { std::fprintf(stderr, "長すぎる\n"); std::exit(1); }
    scoped<<<80, 128>>>(d_text, length, d_bins);
    CHECK(cudaGetLastError());
}
