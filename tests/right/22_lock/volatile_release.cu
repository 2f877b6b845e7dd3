/* The lock is given back by a volatile store between fences; straight into the bins, 128 threads a
 * block, a for loop that ends when the work is done. */
#include <stdint.h>

#include "cuda_check.h"
#include "reduce_by_index.h"

__global__ void locked(const element_t *elements, size_t length, bin_t *bins, int *locks,
                       size_t num_bins)
{
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < length;
         i += (size_t)gridDim.x * blockDim.x) {
        const element_t element = elements[i];
        const size_t j = index_of(element, num_bins);
        if (j >= num_bins)
            continue;
        for (bool waits = true; waits;)
            if (atomicExch(&locks[j], 1) == 0) {
                __threadfence();
                bins[j] = combine(bins[j], value_of(element));
                __threadfence();
                *(volatile int *)&locks[j] = 0;
                waits = false;
            }
    }
}

void reduce_by_index(const element_t *d_elements, size_t length, bin_t *d_bins, size_t num_bins)
{
    if (length > UINT32_MAX) {
        fprintf(stderr, "reduce_by_index: too long\n");
        exit(1);
    }
    if (length == 0 || num_bins == 0)
        return;
    int *locks;
    const size_t blocks = (length + 127) / 128;
    CHECK(cudaMalloc(&locks, num_bins * sizeof *locks));
    CHECK(cudaMemset(locks, 0, num_bins * sizeof *locks));
    locked<<<(unsigned int)(blocks < 264 ? blocks : 264), 128>>>(d_elements, length, d_bins, locks,
                                                                 num_bins);
    CHECK(cudaGetLastError());
    CHECK(cudaFree(locks));
}
