/* 14. Slices: 32 characters in one operation, and no memory to count in.
 *
 * Eight words of four characters are turned into eight slices: one holds bit 0 of 32 characters, the
 * next one bit 1, and so on. A few logic operations on slices answer a question about 32 characters
 * at once, and one instruction counts the answers. The next words are on their way meanwhile, as in
 * chapter 13. Shared memory holds nothing but the sums of the warps. */
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
    BOUNDS = NUM_BINS + 1
};

#define ALL_LANES 0xffffffffu

/* What a thread has counted: letters that are not before a bound. The bounds are the first letter
 * of each bin, and what follows z. */
struct counters {
    unsigned int not_before[BOUNDS];
};

/* Turns eight words of four characters into slices: word k becomes bit k of all 32. Each byte of the
 * words belongs to a table of 8 x 8 bits. All four tables are turned about their diagonal at once, in
 * three steps: blocks of 4 x 4 bits are exchanged between words that are 4 apart, then 2 x 2 bits
 * between words that are 2 apart, then single bits between neighbors. */
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

/* Counts 32 characters. The letters are those bytes whose upper three bits are 011 and whose
 * lower five are 1 to 26. */
__device__ void count_32(uint4 first, uint4 second, struct counters *counters)
{
    unsigned int s[8] = {first.x,  first.y,  first.z,  first.w,
                         second.x, second.y, second.z, second.w};
    slice(s);
    const unsigned int upper_are_011 = ~s[7] & s[6] & s[5];
    unsigned int not_before[BOUNDS] = {0}; // for each bound a bit of each character
    // TODO(14.1): By logic on s[4] to s[0] find which of the 32 characters have lower bits of at
    //             least 1 (a), 7 (g), 13 (m), 19 (s), 25 (y) and 27 (after z).
    // end of TODO(14.1)
#pragma unroll
    for (int bound = 0; bound < BOUNDS; bound++) {
        // TODO(14.2): Add to the counter of this bound how many of the 32 characters are not
        //             before it, and are letters by their upper bits.
        // end of TODO(14.2)
    }
}

/* Word number i of the text, or zeros behind its end: a byte of zero is no letter. */
__device__ uint4 word_at(const uint4 *words, unsigned int num_words, unsigned int i)
{
    return i < num_words ? words[i] : make_uint4(0, 0, 0, 0);
}

/* The pipeline of chapter 13, in pairs: counts all words of a thread whose first is number i. Two
 * words are counted while two others are on their way. */
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

/* Adds what the block's threads have counted to the final bins. All of them call it together. */
__device__ void commit(const struct counters *counters, unsigned int *bins)
{
    __shared__ unsigned int sums[NUM_BINS][WARPS];
    const unsigned int warp = threadIdx.x / LANES, lane = threadIdx.x % LANES;
#pragma unroll
    for (int bin = 0; bin < NUM_BINS; bin++) {
        unsigned int count = 0;
        // TODO(14.3): Count the letters of this bin that the thread has met.
        // end of TODO(14.3)
        const unsigned int sum = __reduce_add_sync(ALL_LANES, count);
        if (lane == 0)
            sums[bin][warp] = sum;
    }
    __syncthreads(); // no warp may read sums that another has yet to write
    if (warp < NUM_BINS) {
        const unsigned int sum = __reduce_add_sync(ALL_LANES, sums[warp][lane]);
        // Atomic, because other blocks may commit to the same bin now.
        if (lane == 0)
            atomicAdd(&bins[warp], sum);
    }
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

/* As many blocks as give each thread one load, but no more than the multiprocessors hold at a
 * time: they stay for the whole text, and only once are bins zeroed and committed. */
static unsigned int blocks_for(size_t length)
{
    const size_t characters_per_block = THREADS_PER_BLOCK * sizeof(uint4);
    const size_t enough = (length + characters_per_block - 1) / characters_per_block;
    int device, multiprocessors;
    CHECK(cudaGetDevice(&device));
    CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    const size_t most = (size_t)multiprocessors * BLOCKS_PER_MULTIPROCESSOR;
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
