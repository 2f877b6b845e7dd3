/* A flag says who is done, so that all lanes of a warp take the same turns of one loop; a volatile
 * load in each turn, where others use what atomicCAS returned. 128 threads a block. */
#include <stdint.h>
#include <string.h>

#include "cuda_check.h"
#include "reduce_by_index.h"

__device__ bool try_once(bin_t *bin, bin_t value)
{
    word_t before = *(volatile word_t *)bin, after;
    bin_t now;
    memcpy(&now, &before, sizeof now);
    now = combine(now, value);
    memcpy(&after, &now, sizeof after);
    return atomicCAS((word_t *)bin, before, after) == before;
}

__global__ void turns(const element_t *elements, size_t length, bin_t *bins, size_t num_bins)
{
    const size_t threads = (size_t)gridDim.x * blockDim.x;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < length; i += threads) {
        const element_t element = elements[i];
        const size_t j = index_of(element, num_bins);
        bool done = j >= num_bins;
        while (!done)
            done = try_once(bins + j, value_of(element));
    }
}

void reduce_by_index(const element_t *d_elements, size_t length, bin_t *d_bins, size_t num_bins)
{
    if (length > UINT32_MAX) {
        fprintf(stderr, "reduce_by_index: too long\n");
        exit(1);
    }
    if (length == 0)
        return;
    const size_t blocks = (length + 127) / 128;
    turns<<<(unsigned int)(blocks < 264 ? blocks : 264), 128>>>(d_elements, length, d_bins, num_bins);
    CHECK(cudaGetLastError());
}
