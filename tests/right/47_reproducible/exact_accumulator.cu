/* Fixed point: every float is added without any rounding to a number of 288 bits, which is kept as twelve
 * words of 24 bits and what they carry, in shared memory and then in global memory. Whole numbers may be
 * added in any order, by atomics. The last block rounds once. */
#include <math.h>
#include <stdint.h>

#include "cuda_check.h"
#include "reduce.h"

typedef unsigned long long u64;
enum { THREADS = 256, PER_MULTIPROCESSOR = 4, BITS = 24, WORDS = 12 };
enum { FLAG_NAN = 1, FLAG_ABOVE = 2, FLAG_BELOW = 4 };

__device__ u64 words_of_all[WORDS];
__device__ unsigned int flags_of_all, tickets;

/* In units of 2^-149, the smallest float. */
__device__ void add_exactly(u64 *words, unsigned int *flags, float value)
{
    const unsigned int bits = __float_as_uint(value), exponent = bits >> 23 & 0xff;
    if (exponent == 0xff) {
        atomicOr(flags, bits << 9 ? FLAG_NAN : bits >> 31 ? FLAG_BELOW : FLAG_ABOVE);
        return;
    }
    const u64 digits = (bits & 0x7fffff) | (exponent ? 1u << 23 : 0);
    if (digits == 0)
        return;
    const unsigned int place = exponent ? exponent - 1 : 0, word = place / BITS;
    const u64 moved = digits << place % BITS;
    const long long low = (long long)(moved & ((1 << BITS) - 1)), high = (long long)(moved >> BITS);
    atomicAdd(&words[word], (u64)(bits >> 31 ? -low : low));
    if (high != 0)
        atomicAdd(&words[word + 1], (u64)(bits >> 31 ? -high : high));
}

/* The float that is nearest to the number, or next to nearest. */
__device__ float rounded(const u64 *words, unsigned int flags)
{
    if (flags == FLAG_ABOVE || flags == FLAG_BELOW)
        return flags == FLAG_ABOVE ? INFINITY : -INFINITY;
    if (flags)
        return NAN;
    long long digit[WORDS], carry = 0;
    bool negative = false;
    for (int pass = 0; pass < 2; pass++) {
        carry = 0;
        for (int i = 0; i < WORDS; i++) {
            const long long sum = (pass == 0 ? (long long)words[i] : -digit[i]) + carry;
            digit[i] = i < WORDS - 1 ? sum & ((1 << BITS) - 1) : sum;
            carry = sum >> BITS;
        }
        if (digit[WORDS - 1] >= 0)
            break;
        negative = true;
    }
    double number = 0; // all words are positive now, and 24 of their bits stay
    for (int i = 0; i < WORDS; i++)
        number += ldexp((double)digit[i], i * BITS - 149);
    return (float)(negative ? -number : number);
}

__global__ void add_all(const float *values, size_t length, float *result)
{
    __shared__ u64 words[WORDS];
    __shared__ unsigned int flags;
    __shared__ bool last;
    const size_t thread = (size_t)blockIdx.x * THREADS + threadIdx.x;
    const size_t threads = (size_t)gridDim.x * THREADS;
    size_t head = (16 - (size_t)values % 16) % 16 / sizeof(float);
    head = head < length ? head : length;
    const size_t fours = (length - head) / 4, tail = head + fours * 4;
    if (threadIdx.x < WORDS)
        words[threadIdx.x] = 0;
    if (threadIdx.x == 0)
        flags = 0;
    __syncthreads();
    for (size_t i = thread; i < fours; i += threads) {
        const float4 four = ((const float4 *)(values + head))[i];
        add_exactly(words, &flags, four.x);
        add_exactly(words, &flags, four.y);
        add_exactly(words, &flags, four.z);
        add_exactly(words, &flags, four.w);
    }
    if (thread < head)
        add_exactly(words, &flags, values[thread]);
    if (thread < length - tail)
        add_exactly(words, &flags, values[tail + thread]);
    __syncthreads();
    if (threadIdx.x < WORDS)
        atomicAdd(&words_of_all[threadIdx.x], words[threadIdx.x]);
    if (threadIdx.x == 0 && flags)
        atomicOr(&flags_of_all, flags);
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
        last = atomicAdd(&tickets, 1) == gridDim.x - 1;
        __threadfence();
    }
    __syncthreads();
    if (last && threadIdx.x == 0) {
        u64 all[WORDS];
        for (int i = 0; i < WORDS; i++)
            all[i] = atomicExch(&words_of_all[i], 0);
        *result = rounded(all, atomicExch(&flags_of_all, 0));
        tickets = 0;
    }
}

void reduce(const value_t *d_values, size_t length, value_t *d_result)
{
    if (length > UINT32_MAX) {
        fprintf(stderr, "reduce: %zu values are too many\n", length);
        exit(1);
    }
    int multiprocessors;
    CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    size_t blocks = length / (4 * THREADS) + 1;
    if (blocks > (size_t)multiprocessors * PER_MULTIPROCESSOR)
        blocks = (size_t)multiprocessors * PER_MULTIPROCESSOR;
    add_all<<<(unsigned int)blocks, THREADS>>>(d_values, length, d_result);
    CHECK(cudaGetLastError());
}
