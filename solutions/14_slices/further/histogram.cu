/* 14, further: five atomics on the final bins, however many blocks there are.
 *
 * Each block leaves its sums in global memory and draws a number. The one that draws the last number
 * knows that all others have left theirs, and adds up. */
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "binning.h"
#include "cuda_check.h" // CHECK(call): a call that fails ends the program with one line
#include "histogram.h"

#if BINS != 5
#error "Chapter 14 compares slices with six bounds, those of five bins: build it with BINS=5."
#endif

enum {
    THREADS_PER_BLOCK = 1024,
    BLOCKS_PER_MULTIPROCESSOR = 1,
    LOADS = 4,
    LANES = 32,
    WARPS = THREADS_PER_BLOCK / LANES,
    BOUNDS = NUM_BINS + 1,
    MOST_BLOCKS = 1024
};

#define ALL_LANES 0xffffffffu

/* What a thread has counted: letters that are not before the bounds of the bins. */
struct counters {
    unsigned int not_before[BOUNDS];
};

/* As in chapter 14: turns eight words of four characters into slices. */
__device__ void slice(unsigned int word[8])
{
#pragma unroll
    for (int distance = 4; distance > 0; distance /= 2) {
        const unsigned int lower = distance == 4   ? 0x0f0f0f0f
                                   : distance == 2 ? 0x33333333
                                                   : 0x55555555; // halves of the blocks
#pragma unroll
        for (int k = 0; k < 8; k++)
            if ((k & distance) == 0) {
                const unsigned int low = word[k], high = word[k + distance];
                word[k] = (low & lower) | (high << distance & ~lower);
                word[k + distance] = (low >> distance & lower) | (high & ~lower);
            }
    }
}

/* Counts 32 characters. Letters have 011 in their upper three bits, and 1 to 26 in the lower five. */
__device__ void count_32(uint4 first, uint4 second, struct counters *counters)
{
    unsigned int s[8] = {first.x,  first.y,  first.z,  first.w,
                         second.x, second.y, second.z, second.w};
    slice(s);
    const unsigned int upper_are_011 = ~s[7] & s[6] & s[5];
    unsigned int not_before[BOUNDS] = {0}; // for each bound a bit of each character
    not_before[0] = s[4] | s[3] | s[2] | s[1] | s[0];
    not_before[1] = s[4] | s[3] | (s[2] & s[1] & s[0]);
    not_before[2] = s[4] | (s[3] & s[2] & (s[1] | s[0]));
    not_before[3] = s[4] & (s[3] | s[2] | (s[1] & s[0]));
    not_before[4] = s[4] & s[3] & (s[2] | s[1] | s[0]);
    not_before[5] = s[4] & s[3] & (s[2] | (s[1] & s[0]));
#pragma unroll
    for (int bound = 0; bound < BOUNDS; bound++) {
        const unsigned int letters = upper_are_011 & not_before[bound];
        counters->not_before[bound] += (unsigned int)__popc(letters);
    }
}

/* Word number i of the text, or zeros behind its end: a byte of zero is no letter. */
__device__ uint4 word_at(const uint4 *words, unsigned int num_words, unsigned int i)
{
    return i < num_words ? words[i] : make_uint4(0, 0, 0, 0);
}

/* The pipeline of chapter 13, in pairs: counts all words of a thread whose first is number i. */
__device__ void count_words(const uint4 *words, unsigned int num_words, unsigned int i,
                            unsigned int threads, struct counters *counters)
{
    uint4 ring[LOADS];
#pragma unroll
    for (int k = 0; k < LOADS; k++)
        ring[k] = word_at(words, num_words, i + k * threads);
    for (; i < num_words; i += LOADS * threads)
#pragma unroll
        for (int k = 0; k < LOADS; k += 2) {
            count_32(ring[k], ring[k + 1], counters);
            const unsigned int ahead = i + (k + LOADS) * threads;
            ring[k] = word_at(words, num_words, ahead);
            ring[k + 1] = word_at(words, num_words, ahead + threads);
        }
}

__device__ unsigned int sums_of_blocks[NUM_BINS][MOST_BLOCKS];
__device__ unsigned int blocks_done; // 0 before each launch, and after it

/* Leaves the sums of the block, and adds up those of all if this block is the last to do so. All
 * threads of the block call it together. */
__device__ void commit(const struct counters *counters, unsigned int *bins)
{
    __shared__ unsigned int sums[NUM_BINS][WARPS], number;
    const unsigned int warp = threadIdx.x / LANES, lane = threadIdx.x % LANES;
#pragma unroll
    for (int bin = 0; bin < NUM_BINS; bin++) {
        const unsigned int count = counters->not_before[bin] - counters->not_before[bin + 1];
        const unsigned int sum = __reduce_add_sync(ALL_LANES, count);
        if (lane == 0)
            sums[bin][warp] = sum;
    }
    __syncthreads(); // no warp may read sums that another has yet to write
    unsigned int sum = warp < NUM_BINS ? sums[warp][lane] : 0;
    sum = __reduce_add_sync(ALL_LANES, sum);
    if (warp < NUM_BINS && lane == 0)
        sums_of_blocks[warp][blockIdx.x] = sum;
    __syncthreads(); // no number may be drawn before all sums of the block are there
    if (threadIdx.x == 0) {
        __threadfence(); // who sees the number that is drawn sees the sums of all, too
        number = atomicInc(&blocks_done, gridDim.x - 1); // the last number makes it 0 again
        __threadfence(); // no sum may be read before the number was drawn
    }
    __syncthreads(); // no thread may read the number before it is drawn
    if (number < gridDim.x - 1 || warp >= NUM_BINS)
        return;
    sum = 0;
    for (unsigned int block = lane; block < gridDim.x; block += LANES)
        sum += sums_of_blocks[warp][block];
    sum = __reduce_add_sync(ALL_LANES, sum);
    if (lane == 0)
        atomicAdd(&bins[warp], sum); // one for each bin, since no other block adds to it
}

__global__ void __launch_bounds__(THREADS_PER_BLOCK, BLOCKS_PER_MULTIPROCESSOR)
    histogram_kernel(const unsigned char *text, size_t length, unsigned int *bins)
{
    const unsigned int threads = gridDim.x * blockDim.x;
    const unsigned int thread = blockIdx.x * blockDim.x + threadIdx.x;
    const size_t to_boundary = (16 - (size_t)text % 16) % 16;
    const size_t head = to_boundary < length ? to_boundary : length;
    const uint4 *words = (const uint4 *)(text + head);
    // At most 2^28 of them, so that their numbers need 32 bits.
    const unsigned int num_words = (unsigned int)((length - head) / sizeof(uint4));
    struct counters counters = {{0}};
    count_words(words, num_words, thread, threads, &counters);

    const size_t tail = head + num_words * sizeof(uint4);
    const uint4 zeros = make_uint4(0, 0, 0, 0); // no letters: a single character is counted with 31
    if (thread < head)
        count_32(make_uint4(text[thread], 0, 0, 0), zeros, &counters);
    if (thread < length - tail)
        count_32(make_uint4(text[tail + thread], 0, 0, 0), zeros, &counters);
    commit(&counters, bins);
}

/* As many blocks as give each thread one load, but no more than the multiprocessors hold at a time. */
static unsigned int blocks_for(size_t length)
{
    const size_t characters_per_block = THREADS_PER_BLOCK * sizeof(uint4);
    const size_t enough = (length + characters_per_block - 1) / characters_per_block;
    int device, multiprocessors;
    CHECK(cudaGetDevice(&device));
    CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    const size_t most = (size_t)(multiprocessors < MOST_BLOCKS ? multiprocessors : MOST_BLOCKS);
    return (unsigned int)(enough < most ? enough : most);
}

void histogram(const unsigned char *d_text, size_t length, unsigned int *d_bins)
{
    if (length > UINT32_MAX) {
        fprintf(stderr, "histogram: %zu characters; at most 4294967295 can be counted\n", length);
        exit(1);
    }
    if (length == 0)
        return;
    histogram_kernel<<<blocks_for(length), THREADS_PER_BLOCK>>>(d_text, length, d_bins);
    CHECK(cudaGetLastError());
}
