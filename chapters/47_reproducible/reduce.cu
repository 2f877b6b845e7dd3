/* 47. Reproducible: a sum of floats with the same bits on every grid, every schedule, every address.
 *
 * Floats round after each addition, so another order is another sum. Here the order is fixed by the
 * length alone: the array is dealt out to segments, a block adds the values of a segment in a fixed
 * order, and the last block adds the sums of the segments in another one. Which block takes which
 * segment, and when, changes nothing. */
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "cuda_check.h" // CHECK(call): a call that fails ends the program with one line
#include "given/resident.h"
#include "reduce.h"

#if !OPERATION_IS(float_sum)
#error "chapter 47 takes float_sum"
#endif

enum { THREADS_PER_BLOCK = 1024, BLOCKS_PER_MULTIPROCESSOR = 2, WARP = 32, LOADS = 4 };

/* A word is what a thread loads at a time, a step what a block does. Steps are dealt out in turns: of 256
 * segments, number 5 has steps 5, 261, 517 and so on. So blocks that work at the same time read side by
 * side. 256 segments keep an H200 busy, which holds 264 blocks. */
enum { VALUES_PER_WORD = 4, VALUES_PER_STEP = THREADS_PER_BLOCK * VALUES_PER_WORD };
enum { MOST_SEGMENTS = 256 };

/* The sums of the segments, and how many blocks have written all of theirs, which the last block of a call sets back to
 * 0. There is one of each on a device, and calls follow each other in one stream. */
__device__ static float segment_sums[MOST_SEGMENTS];
__device__ static unsigned int tickets;

/* How many segments there are: a number that depends on nothing but the length. */
static unsigned int segments_for(size_t length)
{
    size_t segments = 1;
    // TODO(47.1): As many as there are steps, the last of which need not be whole, but at most
    //             MOST_SEGMENTS, and one at least. Neither the grid nor the device may have a say.
    // end of TODO(47.1)
    return (unsigned int)segments;
}

/* Four values, from an address that need not be a multiple of 16 if they are not loaded `wide`. */
__device__ __forceinline__ static float4 load_word(const float *values, bool wide)
{
    if (wide)
        return __ldcs((const float4 *)values);
    return make_float4(values[0], values[1], values[2], values[3]);
}

/* This thread's part of the sum of a segment: words `first`, `first` + `stride` and so on, of `words` that
 * are whole. Which thread adds which value depends on its index in the array, and never on its address:
 * `wide` makes it faster when values begin at a multiple of 16. */
__device__ __forceinline__ static float sum_words(const float *values, unsigned int words,
                                                  unsigned int first, unsigned int stride,
                                                  bool wide)
{
    float sum = 0;
    // TODO(47.2): Add these words, one after the other, in turns of LOADS, whose loads are all on their
    //             way before the first is added. In the last turn some words do not exist.
    // end of TODO(47.2)
    return sum;
}

/* The sum of one, two or three values: what is left behind the last whole word. */
__device__ __forceinline__ static float sum_rest(const float *values, unsigned int count)
{
    float sum = values[0];
    for (unsigned int i = 1; i < count; i++)
        sum += values[i];
    return sum;
}

/* The sum of the values of all lanes of a warp, in lane 0, by a fixed tree. */
__device__ __forceinline__ static float sum_warp(float value)
{
    // TODO(47.3): Add the upper half of the lanes to the lower half, then the upper quarter to the lower
    //             quarter, and so on: no sum depends on who comes first.
    // end of TODO(47.3)
    return value;
}

/* The sum of the values of all threads of a block, in thread 0, by a fixed tree. All call it together. */
__device__ static float sum_block(float value)
{
    __shared__ float of_warp[THREADS_PER_BLOCK / WARP];
    value = sum_warp(value);
    __syncthreads(); // no warp may write its sum while the first still reads those of the last call
    if (threadIdx.x % WARP == 0)
        of_warp[threadIdx.x / WARP] = value;
    __syncthreads(); // no lane may read the sum of a warp that has yet to write it
    return threadIdx.x < WARP ? sum_warp(of_warp[threadIdx.x]) : 0;
}

/* Whether this block is the last that has written its sums, which thread 0 has done. All threads call it
 * together. */
__device__ static bool is_last_block(void)
{
    __shared__ bool is_last;
    if (threadIdx.x == 0) {
        __threadfence(); // whoever sees the ticket sees the sums
        is_last = atomicAdd(&tickets, 1) == gridDim.x - 1;
        __threadfence(); // no sum may be read before the ticket was drawn
    }
    __syncthreads(); // no thread may ask before thread 0 knows
    return is_last;
}

__global__ void __launch_bounds__(THREADS_PER_BLOCK,
                                  BLOCKS_THAT_FIT(THREADS_PER_BLOCK, BLOCKS_PER_MULTIPROCESSOR))
    sum_kernel(const float *values, unsigned int length, unsigned int segments, float *result)
{
    const unsigned int words = length / VALUES_PER_WORD, rest = length % VALUES_PER_WORD;
    const unsigned int stride = segments * THREADS_PER_BLOCK;
    const bool wide = (size_t)values % sizeof(float4) == 0;
    for (unsigned int s = blockIdx.x; s < segments; s += gridDim.x) {
        const unsigned int first = s * THREADS_PER_BLOCK + threadIdx.x;
        // Said twice, so that no load waits for a branch.
        float sum = wide ? sum_words(values, words, first, stride, true)
                         : sum_words(values, words, first, stride, false);
        if (rest > 0 && words % stride == first) // the next word would be this thread's
            sum += sum_rest(values + (size_t)words * VALUES_PER_WORD, rest);
        sum = sum_block(sum);
        if (threadIdx.x == 0)
            segment_sums[s] = sum;
    }

    if (!is_last_block())
        return;
    float sum = 0;
    // TODO(47.4): This thread takes the sum of segment number threadIdx.x, if there is one, whoever wrote
    //             it.
    // end of TODO(47.4)
    sum = sum_block(sum);
    if (threadIdx.x == 0) {
        *result = sum;
        tickets = 0;
    }
}

/* One for each segment, but no more than there is room for. Their number changes the time and not the sum. */
static unsigned int blocks_for(unsigned int segments)
{
    const unsigned int most =
        (unsigned int)resident_blocks(THREADS_PER_BLOCK, BLOCKS_PER_MULTIPROCESSOR);
    return segments < most ? segments : most;
}

void reduce(const value_t *d_values, size_t length, value_t *d_result)
{
    if (length > UINT32_MAX) {
        fprintf(stderr, "reduce: %zu values; at most 4294967295 can be reduced\n", length);
        exit(1);
    }
    const unsigned int segments = segments_for(length);
    sum_kernel<<<blocks_for(segments), THREADS_PER_BLOCK>>>(d_values, (unsigned int)length,
                                                            segments, d_result);
    CHECK(cudaGetLastError());
}
