/* A maximum of pairs in two passes of 32 bits: the largest value of each bin, then the smallest index
 * among those that have it. saturate counts in 64 bits, so that no part of the elements is too long.
 * Floats are multiples of one unit that is small enough for all of them: 2^-149, in nine words of which
 * each holds 32 of its 288 bits, and what they carry.
 * Operations: saturate float_sum argmax */
#include <stdint.h>

#include "cuda_check.h"
#include "reduce_by_index.h"

enum { THREADS = 96, BLOCKS = 3, WORDS = 9 };
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
        unsigned int *word = (unsigned int *)&words[WORDS * j];
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
        const unsigned int *word = (const unsigned int *)&words[WORDS * j];
        if (word[0] > 0) {
            bin_t pair;
            pair.value = word[0] - 1;
            pair.index = ~word[1];
            bins[j] = combine(bins[j], pair);
        }
    }
}

#elif OPERATION_IS(saturate)

__global__ void raise(const element_t *elements, size_t length, u64 *words, size_t num_bins,
                      int pass)
{
    for (size_t i = first_of(); pass == 0 && i < length; i += step_of())
        if (elements[i] < num_bins)
            atomicAdd(&words[WORDS * (size_t)elements[i]], 1ull);
}

__global__ void finish(bin_t *bins, const u64 *words, size_t num_bins)
{
    for (size_t j = first_of(); j < num_bins; j += step_of()) {
        const u64 sum = bins[j] + words[WORDS * j], most = (1u << 24) - 1;
        bins[j] = (bin_t)(sum < most ? sum : most);
    }
}

#else

/* A float has 24 bits, which lie in two neighboring words. */
__device__ static void add(u64 *words, float x)
{
    const unsigned int bits = __float_as_uint(x), exponent = bits >> 23 & 0xff;
    if (exponent == 0xff)
        return;
    const unsigned int at = exponent > 1 ? exponent - 1 : 0;
    const u64 size = (u64)((bits & 0x7fffff) | (exponent > 0 ? 1u << 23 : 0)) << at % 32;
    const u64 low = size & 0xffffffff, high = size >> 32;
    if (low != 0)
        atomicAdd(&words[at / 32], bits >> 31 ? 0 - low : low);
    if (high != 0)
        atomicAdd(&words[at / 32 + 1], bits >> 31 ? 0 - high : high);
}

__global__ void raise(const element_t *elements, size_t length, u64 *words, size_t num_bins,
                      int pass)
{
    unsigned int *flags = (unsigned int *)(words + WORDS * num_bins);
    for (size_t i = first_of(); pass == 0 && i < length; i += step_of()) {
        const element_t x = elements[i];
        if (x.key >= num_bins)
            continue;
        add(&words[WORDS * (size_t)x.key], x.value);
        if (!(fabsf(x.value) < INFINITY))
            atomicOr(&flags[x.key], x.value > 0 ? 1u : x.value < 0 ? 2u : 3u);
    }
}

/* Below 0 it is made positive; then each word is carried into the next, and all are added up. */
__device__ static double value_of_words(const u64 *words)
{
    long long digit[WORDS], carry = 0;
    for (int sign = 1;; sign = -1) {
        carry = 0;
        for (int k = 0; k < WORDS; k++) {
            const long long word = sign * (long long)words[k] + carry;
            digit[k] = k + 1 < WORDS ? word & 0xffffffff : word;
            carry = word >> 32;
        }
        if (digit[WORDS - 1] >= 0 || sign < 0) {
            double sum = 0;
            for (int k = 0; k < WORDS; k++)
                sum += ldexp((double)digit[k], 32 * k - 149);
            return sign * sum;
        }
    }
}

__global__ void finish(bin_t *bins, u64 *words, size_t num_bins)
{
    const unsigned int *flags = (const unsigned int *)(words + WORDS * num_bins);
    for (size_t j = first_of(); j < num_bins; j += step_of()) {
        add(&words[WORDS * j], bins[j]);
        const float infinite = flags[j] == 1 ? INFINITY : flags[j] == 2 ? -INFINITY : NAN;
        if (flags[j] != 0)
            bins[j] += infinite;
        else if (fabsf(bins[j]) < INFINITY)
            bins[j] = (float)value_of_words(&words[WORDS * j]);
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
    const size_t bytes = (WORDS + 1) * num_bins * sizeof *words;
    CHECK(cudaMalloc(&words, bytes));
    CHECK(cudaMemset(words, 0, bytes));
    for (int pass = 0; pass < 2; pass++)
        raise<<<BLOCKS, THREADS>>>(d_elements, length, words, num_bins, pass);
    finish<<<BLOCKS, THREADS>>>(d_bins, words, num_bins);
    CHECK(cudaGetLastError());
    CHECK(cudaFree(words));
}
