/* Passes one after the other: the host launches a kernel for each range. It reads one element at a
 * time, in 64 bits, and asks for both ends of the range. 256 threads. */
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

__global__ void pass(const element_t *elements, size_t length, bin_t *bins, size_t num_bins,
                     size_t from, size_t to)
{
    extern __shared__ bin_t mine[];
    for (size_t j = from + threadIdx.x; j < to; j += blockDim.x) mine[j - from] = neutral();
    __syncthreads();
    const size_t step = (size_t)gridDim.x * blockDim.x;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < length; i += step) {
        const element_t x = elements[i];
        const size_t j = index_of(x, num_bins);
        if (j >= from && j < to) put(mine + (j - from), value_of(x));
    }
    __syncthreads();
    for (size_t j = from + threadIdx.x; j < to; j += blockDim.x) put(bins + j, mine[j - from]);
}

void reduce_by_index(const element_t *d_elements, size_t length, bin_t *d_bins, size_t num_bins)
{
    if (length > UINT32_MAX) { fprintf(stderr, "too many\n"); exit(1); }
    if (length == 0) return;
    cudaDeviceProp p;
    CHECK(cudaGetDeviceProperties(&p, 0));
    const size_t most = p.sharedMemPerBlockOptin / sizeof(bin_t);
    CHECK(cudaFuncSetAttribute(pass, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               (int)(most * sizeof(bin_t))));
    for (size_t from = 0; from < num_bins; from += most) {
        const size_t to = num_bins - from < most ? num_bins : from + most;
        const size_t useful = length / (to - from) + 1;
        const unsigned int blocks = (unsigned int)(useful < 132 ? useful : 132);
        pass<<<blocks, 256, (to - from) * sizeof(bin_t)>>>(d_elements, length, d_bins, num_bins, from, to);
        CHECK(cudaGetLastError());
    }
}
