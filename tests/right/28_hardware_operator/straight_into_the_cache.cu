/* No shared memory: every element is combined in global memory, one load and one atomic after the other.
 * The words of argmax have an array of their own, and the bins are combined with them in the end.
 * Operations: saturate float_sum argmax */
#include <stdint.h>

#include "cuda_check.h"
#include "reduce_by_index.h"

enum { THREADS = 128, BLOCKS = 4 };
typedef unsigned long long u64;

#define FOR_EACH(i, n)                                                                             \
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < (n);                        \
         i += (size_t)gridDim.x * blockDim.x)

#if OPERATION_IS(float_sum)

/* 24 bits of a float and 15 below are enough room for 2^24 elements. */
__device__ static unsigned int exponent_of(float x)
{
    const unsigned int e = __float_as_uint(x) >> 23 & 0xff;
    return e > 1 ? e : 1;
}

__device__ static u64 fixed_of(float x, unsigned int exponent)
{
    return (u64)(long long)ldexp((double)x, 150 + 15 - (int)exponent);
}

__global__ void first(const element_t *elements, size_t length, const bin_t *bins, u64 *words,
                      size_t num_bins)
{
    FOR_EACH(j, num_bins)
    atomicMax(&words[2 * j], exponent_of(bins[j]));
    FOR_EACH(i, length)
    if (elements[i].key < num_bins)
        atomicMax(&words[2 * (size_t)elements[i].key], exponent_of(elements[i].value));
}

/* Numbers as multiples; what is no number is told by flags above the exponent. */
__global__ void second(const element_t *elements, size_t length, const bin_t *bins, u64 *words,
                       size_t num_bins, bool of_elements)
{
    FOR_EACH(i, of_elements ? length : num_bins)
    {
        const size_t j = of_elements ? elements[i].key : i;
        if (j >= num_bins)
            continue;
        const float x = of_elements ? elements[i].value : bins[i];
        const unsigned int exponent = (unsigned int)words[2 * j] & 0xff;
        if (exponent < 0xff)
            atomicAdd(&words[2 * j + 1], fixed_of(x, exponent));
        else if (!(fabsf(x) < INFINITY))
            atomicOr(&words[2 * j + 1], x != x ? 4ull : x > 0 ? 1ull : 2ull);
    }
}

__global__ void third(bin_t *bins, const u64 *words, size_t num_bins)
{
    FOR_EACH(j, num_bins)
    {
        const int exponent = (int)words[2 * j];
        const long long sum = (long long)words[2 * j + 1];
        if (exponent == 0xff)
            bins[j] = sum == 1 ? INFINITY : sum == 2 ? -INFINITY : NAN;
        else if (sum != 0)
            bins[j] = (float)ldexp((double)sum, exponent - 150 - 15);
        else
            bins[j] = 0;
    }
}

static void reduce(const element_t *elements, size_t length, bin_t *bins, size_t num_bins)
{
    u64 *words;
    CHECK(cudaMalloc(&words, 2 * num_bins * sizeof *words));
    CHECK(cudaMemset(words, 0, 2 * num_bins * sizeof *words));
    first<<<BLOCKS, THREADS>>>(elements, length, bins, words, num_bins);
    second<<<BLOCKS, THREADS>>>(elements, length, bins, words, num_bins, true);
    second<<<BLOCKS, THREADS>>>(elements, length, bins, words, num_bins, false);
    third<<<BLOCKS, THREADS>>>(bins, words, num_bins);
    CHECK(cudaGetLastError());
    CHECK(cudaFree(words));
}

#else

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
#elif OPERATION_IS(saturate)
        atomicAdd(&words[j], 1ull);
#else
#error "saturate, argmax and float_sum"
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

#endif

void reduce_by_index(const element_t *d_elements, size_t length, bin_t *d_bins, size_t num_bins)
{
    if (length > UINT32_MAX) {
        fprintf(stderr, "reduce_by_index: %zu elements are too many\n", length);
        exit(1);
    }
    if (length > 0 && num_bins > 0)
        reduce(d_elements, length, d_bins, num_bins);
}
