/* 47. Reproducible, further: wide loads wherever the values begin.
 *
 * Which thread adds which value is fixed, so an array that begins between two words of 16 bytes is loaded in
 * the words that are there, and each lane takes what it lacks from the lane above it. */
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

enum { THREADS_PER_BLOCK = 1024, LOADS = 4, BLOCKS_PER_MULTIPROCESSOR = 1 }; // twice the registers

#include "given/combine_block.h" // combine_block(): chapter 41, here a fixed tree of sums

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
    const size_t steps = (length + VALUES_PER_STEP - 1) / VALUES_PER_STEP;
    if (steps > 1)
        segments = steps < MOST_SEGMENTS ? steps : MOST_SEGMENTS;
    return (unsigned int)segments;
}

/* Four values, from an address that need not be a multiple of 16 if they are not loaded `wide`. */
__device__ __forceinline__ static float4 load_word(const float *values, bool wide)
{
    if (wide)
        return __ldcs((const float4 *)values);
    return make_float4(values[0], values[1], values[2], values[3]);
}

/* Whether a warp, whose lane here is at word `here`, may load its words shifted, from `by` values before each
 * of them, 1 to 3. All of it must lie in the array: also the word behind those of the last lane. */
__device__ __forceinline__ static bool may_shift(unsigned int here, unsigned int words,
                                                 unsigned int length, unsigned int by)
{
    const unsigned int lowest = here - threadIdx.x % WARP, end = lowest + WARP;
    return by != 0 && lowest > 0 && end <= words &&
           length - end * VALUES_PER_WORD >= VALUES_PER_WORD - by;
}

/* Four values that begin `by` values after `word` does: the first of them are in it, and the others the lane
 * above has. Nobody is above the last lane, which has them in `seam`. A warp calls it together. */
__device__ __forceinline__ static float4 shifted(float4 word, float4 seam, unsigned int by)
{
    const bool is_last = threadIdx.x % WARP == WARP - 1;
    const float x_above = __shfl_down_sync(0xffffffffu, word.x, 1);
    const float y_above = __shfl_down_sync(0xffffffffu, word.y, 1);
    const float z_above = __shfl_down_sync(0xffffffffu, word.z, 1);
    const float x = is_last ? seam.x : x_above, y = is_last ? seam.y : y_above;
    const float z = is_last ? seam.z : z_above;
    if (by == 1)
        return make_float4(word.y, word.z, word.w, x);
    if (by == 2)
        return make_float4(word.z, word.w, x, y);
    return make_float4(word.w, x, y, z);
}

/* This thread's part of the sum of a segment: words `first`, `first` + `stride` and so on, of all whole ones.
 * Which thread adds which value depends on its index in the array, and never on its address. */
__device__ __forceinline__ static float sum_words(const float *values, unsigned int length,
                                                  unsigned int first, unsigned int stride)
{
    const unsigned int words = length / VALUES_PER_WORD;
    const unsigned int by = (unsigned int)((size_t)values % sizeof(float4) / sizeof(float));
    const float4 *const there = (const float4 *)(values - by); // the words that are there
    const float4 nothing = make_float4(0, 0, 0, 0);
    float sum = 0;
#pragma unroll 1
    for (unsigned int i = first; i < words; i += LOADS * stride) {
        float4 word[LOADS], seam[LOADS];
#pragma unroll
        for (unsigned int k = 0; k < LOADS; k++) {
            const unsigned int here = i + k * stride;
            const bool shift = may_shift(here, words, length, by);
            word[k] = shift          ? __ldcs(&there[here])
                      : here < words ? load_word(values + (size_t)here * VALUES_PER_WORD, by == 0)
                                     : nothing;
            seam[k] = shift && threadIdx.x % WARP == WARP - 1 ? there[here + 1] : nothing;
        }
#pragma unroll
        for (unsigned int k = 0; k < LOADS; k++) {
            if (may_shift(i + k * stride, words, length, by))
                word[k] = shifted(word[k], seam[k], by);
            sum += (word[k].x + word[k].y) + (word[k].z + word[k].w);
        }
    }
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
    for (unsigned int s = blockIdx.x; s < segments; s += gridDim.x) {
        const unsigned int first = s * THREADS_PER_BLOCK + threadIdx.x;
        float sum = sum_words(values, length, first, stride);
        if (rest > 0 && words % stride == first) // the next word would be this thread's
            sum += sum_rest(values + (size_t)words * VALUES_PER_WORD, rest);
        sum = combine_block(sum);
        if (threadIdx.x == 0)
            segment_sums[s] = sum;
        __syncthreads(); // no warp may leave its next sum while the first still reads those of this segment
    }

    if (!is_last_block())
        return;
    float sum = 0;
    if (threadIdx.x < segments)
        sum = segment_sums[threadIdx.x];
    sum = combine_block(sum);
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
