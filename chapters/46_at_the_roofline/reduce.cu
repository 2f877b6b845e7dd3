/* 46. At the roofline: the time of a reduction is the time of reading.
 *
 * Each thread has four loads of 16 bytes on their way at a time, and there are as many blocks as the
 * multiprocessors hold. Everything else that costs time is gone: one launch, no allocation, nothing is
 * cleared. Of a sum of integers a block hands in its part and its ticket in one atomic. */
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

enum { THREADS_PER_BLOCK = 1024, BLOCKS_PER_MULTIPROCESSOR = 2, LOADS = 4, MOST_BLOCKS = 1024 };

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
    // TODO(46.1): Let `head` be the number of values before the first address that is a multiple of
    //             16; a short array may end before it.
    // end of TODO(46.1)
    const wide_t *words = (const wide_t *)(values + head);
    const size_t num_words = (length - head) / VALUES_PER_WORD;

    // TODO(46.2): Take the words in turns of LOADS a thread, neighboring threads neighboring words. All
    //             loads of a turn are on their way before the first is combined. In the last turn a
    //             word may lie behind the end: then take zeros.
    // end of TODO(46.2)

    const size_t tail = head + num_words * VALUES_PER_WORD;
    if (thread < head)
        mine = combine(mine, values[thread]);
    if (thread < length - tail)
        mine = combine(mine, values[tail + thread]);
    return mine;
}

/* What the blocks of a call hand in. It lies on the device from the start of the program on, so a call
 * allocates nothing and clears nothing: the last block of a call leaves it at 0 for the next. There is
 * one on a device, and calls follow each other in one stream. */
#if OPERATION_IS(sum)

/* The sum in the high half, and in the low half how many blocks have added to it: a sum that wraps drops
 * its carry off the top, and the count is never touched by it. */
__device__ static unsigned long long sum_and_tickets;

/* Hands in the block's value, which thread 0 has. All threads call it together. */
__device__ static void finish(value_t mine, value_t *result)
{
    if (threadIdx.x != 0)
        return;
    unsigned long long before = 0; // what the blocks before this one have handed in
    // TODO(46.3): Add this block's sum to the high half and one ticket to the low half, in one atomic.
    // end of TODO(46.3)
    // TODO(46.4): If all other blocks were here before, write the result, and leave 0 for the next call.
    // end of TODO(46.4)
}

#else

#if OPERATION_IS(dot)
typedef float partial_t; // x of a pair whose y is 1
#define PARTIAL(value) ((value).x)
#else
typedef value_t partial_t;
#define PARTIAL(value) (value)
#endif

__device__ static partial_t partials[MOST_BLOCKS];
__device__ static unsigned int tickets;

/* Hands in the block's value, which thread 0 has. All threads call it together. */
__device__ static void finish(value_t mine, value_t *result)
{
    __shared__ bool is_last;
    if (threadIdx.x == 0) {
        partials[blockIdx.x] = PARTIAL(mine);
        __threadfence(); // whoever sees the ticket sees the partial result
        is_last = atomicAdd(&tickets, 1) == gridDim.x - 1;
        __threadfence(); // no partial result may be read before the ticket was drawn
    }
    __syncthreads(); // no thread may ask whether this is the last block before thread 0 knows
    if (!is_last)
        return;
    mine = neutral();
    for (unsigned int block = threadIdx.x; block < gridDim.x; block += blockDim.x) {
        value_t other = neutral();
        PARTIAL(other) = partials[block];
        mine = combine(mine, other);
    }
    mine = combine_block(mine);
    if (threadIdx.x == 0) {
        *result = mine;
        tickets = 0; // for the next call
    }
}

#endif

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
    // TODO(46.5): No more than it takes to give each thread one load.
    // end of TODO(46.5)
    if (blocks > MOST_BLOCKS)
        blocks = MOST_BLOCKS;
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
