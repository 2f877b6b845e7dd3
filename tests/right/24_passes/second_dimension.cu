// Style: the grid's second dimension is the range; ranges are as long as memory allows, so that the
// last is short. Four loads are made before any is used, and out-of-range keys become a mark.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include "cuda_check.h"
#include "reduce_by_index.h"

static_assert(sizeof(bin_t) == sizeof(word_t), "a bin is a word here");

template <class Word> __device__ Word bits(bin_t b) { return *reinterpret_cast<Word *>(&b); }

__device__ void merge(bin_t &bin, const bin_t value)
{
#if OPERATION_HAS_ATOMIC
    atomic_combine(&bin, value);
#else
    auto *word = reinterpret_cast<word_t *>(&bin);
    for (word_t seen = *word;;) {
        const word_t next = bits<word_t>(combine(*reinterpret_cast<bin_t *>(&seen), value));
        const word_t got = atomicCAS(word, seen, next);
        if (got == seen) break;
        seen = got;
    }
#endif
}

__global__ void __launch_bounds__(512) grid_of_ranges(const element_t *x, size_t n, bin_t *bins,
                                                      unsigned num_bins, unsigned size)
{
    extern __shared__ bin_t table[];
    const unsigned first = blockIdx.y * size, here = min(size, num_bins - first);
    for (unsigned k = threadIdx.x; k < here; k += blockDim.x) table[k] = neutral();
    __syncthreads();
    const size_t step = size_t(gridDim.x) * blockDim.x;
    for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += 4 * step) {
        element_t four[4];
#pragma unroll
        for (int k = 0; k < 4; k++)
            if (i + k * step < n) four[k] = x[i + k * step];
#pragma unroll
        for (int k = 0; k < 4; k++) {
            const size_t j = i + k * step < n ? index_of(four[k], num_bins) : SIZE_MAX;
            if (j >= first && j - first < here) merge(table[j - first], value_of(four[k]));
        }
    }
    __syncthreads();
    for (unsigned k = threadIdx.x; k < here; k += blockDim.x) merge(bins[first + k], table[k]);
}

void reduce_by_index(const element_t *d_elements, size_t length, bin_t *d_bins, size_t num_bins)
{
    if (length > UINT32_MAX) {
        std::fprintf(stderr, "%zu\n", length);
        std::exit(1);
    }
    if (!length || !num_bins) return;
    int most = 0;
    CHECK(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
    const size_t fits = most / sizeof(bin_t), size = num_bins < fits ? num_bins : fits;
    const size_t ranges = (num_bins + size - 1) / size;
    size_t wide = length / size + 1;
    if (wide > 132 / ranges) wide = 132 / ranges ? 132 / ranges : 1;
    CHECK(cudaFuncSetAttribute(grid_of_ranges, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               int(size * sizeof(bin_t))));
    grid_of_ranges<<<dim3(unsigned(wide), unsigned(ranges)), 512, size * sizeof(bin_t)>>>(
        d_elements, length, d_bins, unsigned(num_bins), unsigned(size));
    CHECK(cudaGetLastError());
}
