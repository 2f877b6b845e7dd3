/* The copies one after the other, each an odd number of words long, so that lanes with one key want
 * different banks. */
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda_check.h"
#include "reduce_by_index.h"

__device__ void into(bin_t *bin, bin_t value)
{
#if OPERATION_HAS_ATOMIC
    atomic_combine(bin, value);
#else
    word_t *word = (word_t *)bin, old = *word, assumed;
    do {
        assumed = old;
        bin_t now;
        memcpy(&now, &assumed, sizeof now);
        now = combine(now, value);
        word_t wanted;
        memcpy(&wanted, &now, sizeof wanted);
        old = atomicCAS(word, assumed, wanted);
    } while (old != assumed);
#endif
}

__global__ void straight(const element_t *x, size_t length, bin_t *bins, size_t num_bins)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < length;
         i += (size_t)gridDim.x * blockDim.x)
        if (index_of(x[i], num_bins) < num_bins)
            into(&bins[index_of(x[i], num_bins)], value_of(x[i]));
}

__global__ void kernel(const element_t *x, size_t length, bin_t *bins, unsigned num_bins,
                       unsigned m)
{
    extern __shared__ bin_t all[];
    const unsigned row = num_bins | 1;
    for (unsigned i = threadIdx.x; i < m * row; i += blockDim.x)
        all[i] = neutral();
    __syncthreads();
    bin_t *mine = all + threadIdx.x % m * row;
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < length;
         i += (size_t)gridDim.x * blockDim.x) {
        size_t j = index_of(x[i], num_bins);
        if (j < num_bins)
            into(mine + j, value_of(x[i]));
    }
    __syncthreads();
    for (unsigned j = threadIdx.x; j < num_bins; j += blockDim.x) {
        bin_t sum = all[j];
        for (unsigned c = 1; c < m; c++)
            sum = combine(sum, all[c * row + j]);
        into(bins + j, sum);
    }
}

void reduce_by_index(const element_t *d_elements, size_t length, bin_t *d_bins, size_t num_bins)
{
    if (length > UINT32_MAX) {
        fprintf(stderr, "reduce_by_index: too long\n");
        exit(1);
    }
    if (!length || !num_bins)
        return;
    const size_t most = 227 * 1024;
    size_t m = most / ((num_bins | 1) * sizeof(bin_t));
    m = m > 8 ? 8 : m;
    unsigned blocks = (unsigned)((length + 8191) / 8192);
    blocks = blocks > 132 ? 132 : blocks;
    if (!m) {
        straight<<<blocks, 512>>>(d_elements, length, d_bins, num_bins);
    } else {
        CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)most));
        kernel<<<blocks, 512, m * (num_bins | 1) * sizeof(bin_t)>>>(d_elements, length, d_bins,
                                                                   (unsigned)num_bins, (unsigned)m);
    }
    CHECK(cudaGetLastError());
}
