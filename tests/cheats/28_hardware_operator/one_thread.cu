/* Tries: no atomic at all, and the same order on all schedules: one thread combines all elements.
 * Refused: most of 505 bins get an element */
#include <stdint.h>

#include "cuda_check.h"
#include "reduce_by_index.h"

__global__ void reduce_all(const element_t *elements, size_t length, bin_t *bins, size_t num_bins)
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
    reduce_all<<<1, 1>>>(d_elements, length, d_bins, num_bins);
    CHECK(cudaGetLastError());
}
