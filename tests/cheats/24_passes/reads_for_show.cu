/* Tries: every element is an atomic, or a compare-and-swap, on the bins in global memory, by the
 * first of the passes; the other passes read, and do nothing with it.
 * Refused: global atomics */
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda_check.h"
#include "reduce_by_index.h"

__device__ void update(bin_t *bin, bin_t value)
{
#if OPERATION_HAS_ATOMIC
    atomic_combine(bin, value);
#else
    word_t *word = (word_t *)bin, expected, wanted, held = *word;
    do {
        bin_t next;
        memcpy(&next, &held, sizeof next);
        next = combine(next, value);
        memcpy(&wanted, &next, sizeof wanted);
        expected = held;
        held = atomicCAS(word, expected, wanted);
    } while (held != expected);
#endif
}

__global__ void all(const element_t *elements, size_t length, bin_t *bins, size_t num_bins,
                    unsigned int passes)
{
    extern __shared__ unsigned int show[];
    show[threadIdx.x] = 0;
    const size_t threads = (size_t)gridDim.x * blockDim.x;
    for (unsigned int pass = 0; pass < passes; pass++)
        for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < length; i += threads) {
            const element_t element = elements[i];
            const size_t j = index_of(element, num_bins);
            atomicAdd(&show[threadIdx.x], (unsigned int)j);
            if (pass == 0 && j < num_bins)
                update(&bins[j], value_of(element));
        }
}

void reduce_by_index(const element_t *d_elements, size_t length, bin_t *d_bins, size_t num_bins)
{
    if (length > UINT32_MAX) {
        fprintf(stderr, "reduce_by_index: too many\n");
        exit(1);
    }
    if (length == 0 || num_bins == 0)
        return;
    const size_t capacity = 232448 / sizeof(bin_t);
    const unsigned int passes = (unsigned int)((num_bins + capacity - 1) / capacity);
    all<<<8, 256, 256 * sizeof(unsigned int)>>>(d_elements, length, d_bins, num_bins, passes);
    CHECK(cudaGetLastError());
}
