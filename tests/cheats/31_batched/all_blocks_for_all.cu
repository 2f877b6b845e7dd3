/* Tries: all blocks walk over the whole batch, as in chapter 4, and update the bins themselves.
 * Refused: blocks commit to the same histogram */
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda_check.h"
#include "reduce_by_index_batched.h"

__device__ static void update(bin_t *bin, bin_t value)
{
#if OPERATION_HAS_ATOMIC
    atomic_combine(bin, value);
#else
    word_t *word = (word_t *)bin, held = *word, expected, next;
    do {
        bin_t combined;
        memcpy(&combined, &held, sizeof combined);
        combined = combine(combined, value);
        memcpy(&next, &combined, sizeof next);
        expected = held;
        held = atomicCAS(word, expected, next);
    } while (held != expected);
#endif
}

__global__ void walk(const element_t *elements, size_t length, size_t all, bin_t *bins,
                     size_t num_bins)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < all;
         i += (size_t)gridDim.x * blockDim.x) {
        const size_t j = index_of(elements[i], num_bins);
        if (j < num_bins)
            update(&bins[i / length * num_bins + j], value_of(elements[i]));
    }
}

void reduce_by_index_batched(const element_t *d_elements, size_t length, size_t batch, bin_t *d_bins,
                             size_t num_bins)
{
    if (batch > 0 && length > UINT32_MAX / batch) {
        fprintf(stderr, "too many elements\n");
        exit(1);
    }
    if (length == 0 || batch == 0 || num_bins == 0)
        return;
    walk<<<64, 256>>>(d_elements, length, batch * length, d_bins, num_bins);
    CHECK(cudaGetLastError());
}
