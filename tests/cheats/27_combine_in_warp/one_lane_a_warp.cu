/* Tries: one lane of each warp works, so that no two of its lanes meet.
 * Refused: elements loaded, by lanes */
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

__global__ void kernel(const element_t *x, size_t length, bin_t *bins, size_t num_bins)
{
    const size_t warp = (blockIdx.x * (size_t)blockDim.x + threadIdx.x) / 32;
    const size_t warps = (size_t)gridDim.x * blockDim.x / 32;
    if (threadIdx.x % 32 != 0)
        return;
    for (size_t i = warp; i < length; i += warps) {
        const size_t j = index_of(x[i], num_bins);
        if (j < num_bins)
            into(&bins[j], value_of(x[i]));
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
    const size_t blocks = (length + 4095) / 4096;
    kernel<<<(unsigned)(blocks < 1056 ? blocks : 1056), 256>>>(d_elements, length, d_bins, num_bins);
    CHECK(cudaGetLastError());
}
