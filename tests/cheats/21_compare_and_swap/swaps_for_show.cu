/* Tries: one thread does all the work, with plain loads and stores, after each element has had a
 * compare-and-swap of a bin with itself.
 * Refused: plain stores to the bins */
#include <stdint.h>

#include "cuda_check.h"
#include "reduce_by_index.h"

__global__ void show(const element_t *elements, size_t length, bin_t *bins, size_t num_bins)
{
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < length;
         i += (size_t)gridDim.x * blockDim.x) {
        const size_t j = index_of(elements[i], num_bins);
        if (j < num_bins)
            atomicCAS((word_t *)&bins[j], 0, 0);
    }
}

__global__ void work(const element_t *elements, size_t length, bin_t *bins, size_t num_bins)
{
    for (size_t i = 0; i < length; i++) {
        const size_t j = index_of(elements[i], num_bins);
        if (j < num_bins)
            bins[j] = combine(bins[j], value_of(elements[i]));
    }
}

void reduce_by_index(const element_t *d_elements, size_t length, bin_t *d_bins, size_t num_bins)
{
    if (length > UINT32_MAX)
        exit(1);
    if (length == 0 || num_bins == 0)
        return;
    show<<<(unsigned int)((length + 255) / 256), 256>>>(d_elements, length, d_bins, num_bins);
    work<<<1, 1>>>(d_elements, length, d_bins, num_bins);
    CHECK(cudaGetLastError());
}
