/* 46. At the roofline, further: one word for every operation.
 *
 * The value so far, 32 bits of it, and the tickets so far share a word of 64 bits. Where hardware has no
 * atomic for both, a compare-and-swap exchanges them together. No partial results, and no fence: there is
 * nothing but the word. */
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "cuda_check.h" // CHECK(call): a call that fails ends the program with one line
#include "given/resident.h"
#include "reduce.h"

#if !OPERATION_IS(sum) && !OPERATION_IS(max) && !OPERATION_IS(float_sum) && !OPERATION_IS(dot)
#error "chapter 46 takes sum, max, float_sum and dot"
#endif

enum { THREADS_PER_BLOCK = 1024, BLOCKS_PER_MULTIPROCESSOR = 2, LOADS = 4 };

#include "given/combine_block.h" // combine_block(): chapter 41

/* What one load brings: 16 bytes, VALUES_PER_WORD values. */
#if OPERATION_IS(sum) || OPERATION_IS(max)
typedef uint4 wide_t;
#else
typedef float4 wide_t;
#endif
enum { VALUES_PER_WORD = sizeof(wide_t) / sizeof(value_t) };

__device__ static value_t combine_word(wide_t word)
{
#if OPERATION_IS(dot)
    const value_t one = {word.x, word.y}, other = {word.z, word.w};
    return combine(one, other);
#else
    return combine(combine(word.x, word.y), combine(word.z, word.w));
#endif
}

/* This thread's share of the values, read 16 bytes at a time. */
__device__ static value_t combine_share(const value_t *values, size_t length)
{
    const size_t threads = (size_t)gridDim.x * blockDim.x;
    const size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    value_t mine = neutral();

    size_t head = 0; // values before the first word
    const size_t to_boundary = (16 - (size_t)values % 16) % 16 / sizeof(value_t);
    head = to_boundary < length ? to_boundary : length;
    const wide_t *words = (const wide_t *)(values + head);
    const size_t num_words = (length - head) / VALUES_PER_WORD;

    const wide_t nothing = {0, 0, 0, 0}; // for all of these operations
    for (size_t i = thread; i < num_words; i += LOADS * threads) {
        wide_t word[LOADS];
#pragma unroll
        for (int k = 0; k < LOADS; k++)
            word[k] = i + k * threads < num_words ? __ldcs(&words[i + k * threads]) : nothing;
#pragma unroll
        for (int k = 0; k < LOADS; k++)
            mine = combine(mine, combine_word(word[k]));
    }

    const size_t tail = head + num_words * VALUES_PER_WORD;
    if (thread < head)
        mine = combine(mine, values[thread]);
    if (thread < length - tail)
        mine = combine(mine, values[tail + thread]);
    return mine;
}

/* The bits of a value that is neutral() or what combine() returned, and back. Of dot those of x. */
__device__ static unsigned int bits_of(value_t value)
{
#if OPERATION_IS(dot)
    return __float_as_uint(value.x);
#elif OPERATION_IS(float_sum)
    return __float_as_uint(value);
#else
    return value;
#endif
}

__device__ static value_t value_of_bits(unsigned int bits)
{
#if OPERATION_IS(dot)
    const value_t value = {__uint_as_float(bits), 1};
    return value;
#elif OPERATION_IS(float_sum)
    return __uint_as_float(bits);
#else
    return bits;
#endif
}

/* The value so far in the high half, and in the low half how many blocks are in it. The bits of all four
 * neutral elements are 0, so that 0 is where a call begins. There is one on a device, and calls follow each
 * other in one stream. */
__device__ static unsigned long long value_and_tickets;

/* Hands in the block's value, which thread 0 has. All threads call it together. */
__device__ static void finish(value_t mine, value_t *result)
{
    if (threadIdx.x != 0)
        return;
    unsigned long long expected, held = 0; // a guess, which atomicCAS proves or corrects
    value_t all;
    do {
        expected = held;
        all = combine(value_of_bits((unsigned int)(expected >> 32)), mine);
        const unsigned long long next =
            (unsigned long long)bits_of(all) << 32 | ((unsigned int)expected + 1);
        held = atomicCAS(&value_and_tickets, expected, next);
    } while (held != expected);
    if ((unsigned int)expected == gridDim.x - 1) {
        *result = all;
        value_and_tickets = 0; // for the next call
    }
}

__global__ void __launch_bounds__(THREADS_PER_BLOCK,
                                  BLOCKS_THAT_FIT(THREADS_PER_BLOCK, BLOCKS_PER_MULTIPROCESSOR))
    reduce_kernel(const value_t *values, size_t length, value_t *result)
{
    finish(combine_block(combine_share(values, length)), result);
}

/* As many blocks as the multiprocessors hold at a time: they stay for the whole array, and only once is
 * there something to hand in. A short array pays for few of them; one of 64 KiB for four. */
static unsigned int blocks_for(size_t length)
{
    size_t blocks = resident_blocks(THREADS_PER_BLOCK, BLOCKS_PER_MULTIPROCESSOR);
    const size_t values_per_block = (size_t)THREADS_PER_BLOCK * VALUES_PER_WORD;
    const size_t enough = (length + values_per_block - 1) / values_per_block;
    if (blocks > enough)
        blocks = enough;
    return blocks > 0 ? (unsigned int)blocks : 1;
}

void reduce(const value_t *d_values, size_t length, value_t *d_result)
{
    if (length > UINT32_MAX) {
        fprintf(stderr, "reduce: %zu values; at most 4294967295 can be reduced\n", length);
        exit(1);
    }
    reduce_kernel<<<blocks_for(length), THREADS_PER_BLOCK>>>(d_values, length, d_result);
    CHECK(cudaGetLastError());
}
