/* No shared memory: every element is combined in global memory, one load and one atomic after the other.
 * The words of argmax have an array of their own, and the bins are combined with them in the end.
 * Operations: saturate argmax */
#include <stdint.h>

#include "cuda_check.h"
#include "reduce_by_index.h"

enum { THREADS = 128, BLOCKS = 4 };
typedef unsigned long long u64;

#define FOR_EACH(i, n)                                                                             \
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < (n);                        \
         i += (size_t)gridDim.x * blockDim.x)

__global__ void take(const element_t *elements, size_t length, u64 *words, size_t num_bins)
{
    FOR_EACH(i, length)
    {
        const size_t j = index_of(elements[i], num_bins);
        if (j >= num_bins)
            continue;
#if OPERATION_IS(argmax)
        const bin_t pair = value_of(elements[i]);
        const u64 word = ((u64)pair.value << 32) + (0xffffffffu - pair.index);
        if (*(volatile u64 *)&words[j] < word)
            atomicMax(&words[j], word);
#else // saturate
        atomicAdd(&words[j], 1ull);
#endif
    }
}

__global__ void merge(bin_t *bins, const u64 *words, size_t num_bins)
{
    FOR_EACH(j, num_bins)
    {
#if OPERATION_IS(argmax)
        bin_t pair;
        pair.value = (unsigned int)(words[j] >> 32);
        pair.index = 0xffffffffu - (unsigned int)words[j];
        bins[j] = combine(bins[j], pair);
#else
        const u64 most = (1u << 24) - 1, sum = bins[j] + words[j];
        bins[j] = (bin_t)(sum < most ? sum : most);
#endif
    }
}

static void reduce(const element_t *elements, size_t length, bin_t *bins, size_t num_bins)
{
    u64 *words;
    CHECK(cudaMalloc(&words, num_bins * sizeof *words));
    CHECK(cudaMemset(words, 0, num_bins * sizeof *words));
    take<<<BLOCKS, THREADS>>>(elements, length, words, num_bins);
    merge<<<BLOCKS, THREADS>>>(bins, words, num_bins);
    CHECK(cudaGetLastError());
    CHECK(cudaFree(words));
}

void reduce_by_index(const element_t *d_elements, size_t length, bin_t *d_bins, size_t num_bins)
{
    if (length > UINT32_MAX) {
        fprintf(stderr, "reduce_by_index: %zu elements are too many\n", length);
        exit(1);
    }
    if (length > 0 && num_bins > 0)
        reduce(d_elements, length, d_bins, num_bins);
}
