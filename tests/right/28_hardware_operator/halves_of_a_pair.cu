/* A maximum of pairs in two passes of 32 bits: the largest value of each bin, then the smallest index
 * among those that have it. saturate counts in 64 bits, so that no part of the elements is too long.
 * Operations: saturate argmax */
#include <stdint.h>

#include "cuda_check.h"
#include "reduce_by_index.h"

enum { THREADS = 96, BLOCKS = 3 };
typedef unsigned long long u64;

__device__ static size_t first_of(void)
{
    return (size_t)blockIdx.x * blockDim.x + threadIdx.x;
}

__device__ static size_t step_of(void)
{
    return (size_t)gridDim.x * blockDim.x;
}

#if OPERATION_IS(argmax)

/* Words of a bin: its largest value + 1, and the complement of the smallest index that has it. */
__global__ void raise(const element_t *elements, size_t length, u64 *words, size_t num_bins,
                      int pass)
{
    for (size_t i = first_of(); i < length; i += step_of()) {
        const size_t j = index_of(elements[i], num_bins);
        if (j >= num_bins)
            continue;
        const bin_t pair = value_of(elements[i]);
        unsigned int *word = (unsigned int *)&words[j];
        const unsigned int largest = *(volatile unsigned int *)&word[0];
        if (pass == 0 && largest <= pair.value)
            atomicMax(&word[0], pair.value + 1);
        if (pass == 1 && largest == pair.value + 1 &&
            *(volatile unsigned int *)&word[1] < ~pair.index)
            atomicMax(&word[1], ~pair.index);
    }
}

__global__ void finish(bin_t *bins, const u64 *words, size_t num_bins)
{
    for (size_t j = first_of(); j < num_bins; j += step_of()) {
        const unsigned int *word = (const unsigned int *)&words[j];
        if (word[0] > 0) {
            bin_t pair;
            pair.value = word[0] - 1;
            pair.index = ~word[1];
            bins[j] = combine(bins[j], pair);
        }
    }
}

#else // saturate

__global__ void raise(const element_t *elements, size_t length, u64 *words, size_t num_bins,
                      int pass)
{
    for (size_t i = first_of(); pass == 0 && i < length; i += step_of())
        if (elements[i] < num_bins)
            atomicAdd(&words[elements[i]], 1ull);
}

__global__ void finish(bin_t *bins, const u64 *words, size_t num_bins)
{
    for (size_t j = first_of(); j < num_bins; j += step_of()) {
        const u64 sum = bins[j] + words[j], most = (1u << 24) - 1;
        bins[j] = (bin_t)(sum < most ? sum : most);
    }
}

#endif

void reduce_by_index(const element_t *d_elements, size_t length, bin_t *d_bins, size_t num_bins)
{
    if (length > UINT32_MAX) {
        fprintf(stderr, "reduce_by_index: %zu elements are too many\n", length);
        exit(1);
    }
    if (length == 0 || num_bins == 0)
        return;
    u64 *words;
    const size_t bytes = num_bins * sizeof *words;
    CHECK(cudaMalloc(&words, bytes));
    CHECK(cudaMemset(words, 0, bytes));
    for (int pass = 0; pass < 2; pass++)
        raise<<<BLOCKS, THREADS>>>(d_elements, length, words, num_bins, pass);
    finish<<<BLOCKS, THREADS>>>(d_bins, words, num_bins);
    CHECK(cudaGetLastError());
    CHECK(cudaFree(words));
}
