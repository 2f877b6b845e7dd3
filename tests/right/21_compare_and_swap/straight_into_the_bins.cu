/* No shared memory: a thread for each element, and the loop as the CUDA C++ Programming Guide writes
 * it, with `old` and `assumed`. */
#include <stdint.h>
#include <string.h>

#include "cuda_check.h"
#include "reduce_by_index.h"

union bits {
    word_t word;
    bin_t bin;
    __device__ bits() {}
};

__global__ void straight(const element_t *elements, size_t length, bin_t *bins, size_t num_bins)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= length)
        return;
    const size_t j = index_of(elements[i], num_bins);
    if (j >= num_bins)
        return;
    word_t *address = (word_t *)&bins[j];
    union bits assumed, wanted;
    word_t old = *address;
    do {
        assumed.word = old;
        wanted.bin = combine(assumed.bin, value_of(elements[i]));
        old = atomicCAS(address, assumed.word, wanted.word);
    } while (assumed.word != old);
}

void reduce_by_index(const element_t *d_elements, size_t length, bin_t *d_bins, size_t num_bins)
{
    if (length > UINT32_MAX) {
        fprintf(stderr, "reduce_by_index: too long\n");
        exit(1);
    }
    if (length == 0 || num_bins == 0)
        return;
    straight<<<(unsigned int)((length + 255) / 256), 256>>>(d_elements, length, d_bins, num_bins);
    CHECK(cudaGetLastError());
}
