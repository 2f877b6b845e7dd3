/* A power of two of copies, folded in place: the upper half into the lower one, until one is left. */
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
    extern __shared__ bin_t copies[];
    for (unsigned i = threadIdx.x; i < m * num_bins; i += blockDim.x)
        copies[i] = neutral();
    __syncthreads();
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < length;
         i += (size_t)gridDim.x * blockDim.x) {
        size_t j = index_of(x[i], num_bins);
        if (j < num_bins)
            into(&copies[j * m + threadIdx.x % m], value_of(x[i]));
    }
    for (unsigned half = m / 2; half > 0; half /= 2) {
        __syncthreads();
        for (unsigned i = threadIdx.x; i < num_bins * half; i += blockDim.x) {
            bin_t *bin = &copies[i / half * m + i % half];
            *bin = combine(*bin, bin[half]);
        }
    }
    __syncthreads();
    for (unsigned j = threadIdx.x; j < num_bins; j += blockDim.x)
        into(&bins[j], copies[j * m]);
}

void reduce_by_index(const element_t *d_elements, size_t length, bin_t *d_bins, size_t num_bins)
{
    if (length > UINT32_MAX) {
        fprintf(stderr, "reduce_by_index: too long\n");
        exit(1);
    }
    if (!length || !num_bins)
        return;
    int most, device;
    CHECK(cudaGetDevice(&device));
    CHECK(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
    size_t m = 64;
    while (m && m * num_bins * sizeof(bin_t) > (size_t)most)
        m /= 2;
    unsigned blocks = (unsigned)((length + 16383) / 16384);
    blocks = blocks > 264 ? 264 : blocks;
    if (!m) {
        straight<<<blocks, 512>>>(d_elements, length, d_bins, num_bins);
    } else {
        CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, most));
        kernel<<<blocks, 512, m * num_bins * sizeof(bin_t)>>>(d_elements, length, d_bins,
                                                             (unsigned)num_bins, (unsigned)m);
    }
    CHECK(cudaGetLastError());
}
