/* Every block walks the ranges, one after the other, in one launch: it makes its bins neutral, reads its
 * share of the elements, and commits, as often as there are ranges. */
#include <stdint.h>

#include "cuda_check.h"
#include "reduce_by_index.h"

__device__ void put(bin_t *bin, bin_t value)
{
#if OPERATION_IS(count)
    atomicAdd(bin, value);
#else
    word_t *const at = reinterpret_cast<word_t *>(bin);
    union { bin_t bin; word_t word; } before, after;
    word_t found = atomicCAS(at, 0, 0);
    do {
        before.word = found;
        after.bin = combine(before.bin, value);
        found = atomicCAS(at, before.word, after.word);
    } while (found != before.word);
#endif
}

__global__ void walk(const element_t *elements, size_t length, bin_t *bins, size_t num_bins, size_t most)
{
    extern __shared__ bin_t mine[];
    const size_t step = (size_t)gridDim.x * blockDim.x;
    for (size_t from = 0; from < num_bins; from += most) {
        const size_t to = num_bins - from < most ? num_bins : from + most;
        for (size_t j = from + threadIdx.x; j < to; j += blockDim.x) mine[j - from] = neutral();
        __syncthreads();
        for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < length; i += step) {
            const element_t x = elements[i];
            const size_t j = index_of(x, num_bins);
            if (j >= from && j < to) put(mine + (j - from), value_of(x));
        }
        __syncthreads();
        for (size_t j = from + threadIdx.x; j < to; j += blockDim.x) put(bins + j, mine[j - from]);
        __syncthreads();
    }
}

void reduce_by_index(const element_t *d_elements, size_t length, bin_t *d_bins, size_t num_bins)
{
    if (length > UINT32_MAX) { fprintf(stderr, "too many\n"); exit(1); }
    if (length == 0 || num_bins == 0) return;
    cudaDeviceProp p;
    CHECK(cudaGetDeviceProperties(&p, 0));
    const size_t fit = p.sharedMemPerBlockOptin / sizeof(bin_t), most = num_bins < fit ? num_bins : fit;
    CHECK(cudaFuncSetAttribute(walk, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               (int)(most * sizeof(bin_t))));
    const size_t useful = length / most + 1;
    const unsigned int blocks = (unsigned int)(useful < 132 ? useful : 132);
    walk<<<blocks, 256, most * sizeof(bin_t)>>>(d_elements, length, d_bins, num_bins, most);
    CHECK(cudaGetLastError());
}
