/* 13. Roofline: nothing takes time but reading the text.
 *
 * With 5 bins no memory is needed to count. The words are turned into slices: one holds bit 0 of
 * 32 characters, the next bit 1. A few logic operations on slices answer a question about
 * 32 characters at once, and one instruction counts the answers. With 26 and 256 bins
 * it is the table of chapter 11. Either way the next words are on their way while the last ones
 * are counted. */
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "binning.h"
#include "cuda_check.h" // CHECK(call): a call that fails ends the program with one line
#include "histogram.h"

enum { THREADS_PER_BLOCK = 1024, LANES = 32 };

#define ALL_LANES 0xffffffffu

#if BINS == 5

enum { LOADS = 4, BLOCKS_PER_MULTIPROCESSOR = 1, BOUNDS = NUM_BINS + 1 };

/* What a thread has counted: letters that are not before a bound. The bounds are the first letter
 * of each bin, and what follows z. */
struct counters {
    unsigned int not_before[BOUNDS];
};

/* All threads of a block call it together. */
__device__ struct counters new_counters(void)
{
    const struct counters counters = {{0}};
    return counters;
}

/* Turns eight words of four characters into slices: word k becomes bit k of all 32. */
__device__ void slice(unsigned int word[8])
{
    // TODO(13.1): The first bytes of the eight words are a table of 8 x 8 bits, and so are the
    //             second, third and fourth. Turn all four tables about their diagonal at once:
    //             exchange blocks of 4 x 4 bits between words that are 4 apart, then 2 x 2 bits
    //             between words that are 2 apart, then single bits between neighbors.
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
    // end of TODO(13.1)
}

/* Counts 32 characters. The letters are those bytes whose upper three bits are 011 and whose
 * lower five are 1 to 26. */
__device__ void count_32(uint4 first, uint4 second, struct counters *counters)
{
    unsigned int s[8] = {first.x,  first.y,  first.z,  first.w,
                         second.x, second.y, second.z, second.w};
    slice(s);
    const unsigned int upper_are_011 = ~s[7] & s[6] & s[5];
    // TODO(13.2): With logic on s[4] to s[0] find which of the 32 characters have lower bits of at
    //             least 1, 7, 13, 19, 25 and 27. Of each of these six sets add the number of
    //             characters that are letters by their upper bits, too, to its counter.
    const unsigned int not_before[BOUNDS] = {
        s[4] | s[3] | s[2] | s[1] | s[0],     // 1: a
        s[4] | s[3] | (s[2] & s[1] & s[0]),   // 7: g
        s[4] | (s[3] & s[2] & (s[1] | s[0])), // 13: m
        s[4] & (s[3] | s[2] | (s[1] & s[0])), // 19: s
        s[4] & s[3] & (s[2] | s[1] | s[0]),   // 25: y
        s[4] & s[3] & (s[2] | (s[1] & s[0])), // 27: after z
    };
#pragma unroll
    for (int bound = 0; bound < BOUNDS; bound++)
        counters->not_before[bound] += (unsigned int)__popc(upper_are_011 & not_before[bound]);
    // end of TODO(13.2)
}

__device__ void count_words(const uint4 word[LOADS], struct counters *counters)
{
#pragma unroll
    for (int k = 0; k < LOADS; k += 2)
        count_32(word[k], word[k + 1], counters);
}

__device__ void count_word(uint4 word, struct counters *counters)
{
    count_32(word, make_uint4(0, 0, 0, 0), counters); // a byte of zero is no letter
}

/* Adds what the threads have counted to the block's bins. All threads of the block call it
 * together. */
__device__ void fold(const struct counters *counters, unsigned int *shared_bins)
{
    // TODO(13.3): The letters of a bin are those that are not before its first letter, without
    //             those that are not before the first letter of the next. Add them up over the
    //             lanes of the warp, and let one lane add the sum to the block's bin.
#pragma unroll
    for (int bin = 0; bin < NUM_BINS; bin++) {
        const unsigned int count = counters->not_before[bin] - counters->not_before[bin + 1];
        const unsigned int sum = __reduce_add_sync(ALL_LANES, count);
        // Atomic, because other warps may add to the same bin now.
        if (threadIdx.x % LANES == 0)
            atomicAdd(&shared_bins[bin], sum);
    }
    // end of TODO(13.3)
}

#else

enum { LOADS = 4, BLOCKS_PER_MULTIPROCESSOR = 1, BYTE_VALUES = 256 };

/* The block's table, a row for each value of a byte and a column for each lane. */
struct counters {
    unsigned int (*table)[LANES];
};

/* All threads of a block call it together, and wait for each other before they count. */
__device__ struct counters new_counters(void)
{
    __shared__ uint4 table[BYTE_VALUES][LANES / 4];
    for (unsigned int i = threadIdx.x; i < BYTE_VALUES * LANES / 4; i += blockDim.x)
        table[i / (LANES / 4)][i % (LANES / 4)] = make_uint4(0, 0, 0, 0);
    const struct counters counters = {(unsigned int(*)[LANES])table};
    return counters;
}

/* Counts the four characters that a 32-bit word holds. */
__device__ void count_four(unsigned int four, const struct counters *counters)
{
    for (int shift = 0; shift < 32; shift += 8)
        // Atomic, because the same lane of another warp may add to this counter now.
        atomicAdd(&counters->table[four >> shift & 0xff][threadIdx.x % LANES], 1);
}

__device__ void count_word(uint4 word, const struct counters *counters)
{
    count_four(word.x, counters);
    count_four(word.y, counters);
    count_four(word.z, counters);
    count_four(word.w, counters);
}

__device__ void count_words(const uint4 word[LOADS], const struct counters *counters)
{
#pragma unroll
    for (int k = 0; k < LOADS; k++)
        count_word(word[k], counters);
}

/* Adds the rows of the table to the block's bins. All threads of the block call it together. */
__device__ void fold(const struct counters *counters, unsigned int *shared_bins)
{
    __syncthreads(); // no thread may read a counter while another still counts into it
    // TODO(13.4): Add up each row with four threads, 8 counters each, and let one of them add the
    //             sum to the bin of that byte, if it has one.
    const unsigned int row = threadIdx.x / 4, part = threadIdx.x % 4;
    const uint4 *quarter = (const uint4 *)counters->table[row] + part * 2;
    // Every other row begins with its second four, so that no two lanes meet in a bank.
    const uint4 a = quarter[row % 2], b = quarter[1 - row % 2];
    unsigned int sum = a.x + a.y + a.z + a.w + b.x + b.y + b.z + b.w;
    sum += __shfl_xor_sync(ALL_LANES, sum, 1);
    sum += __shfl_xor_sync(ALL_LANES, sum, 2);
    const int bin = bin_of((unsigned char)row);
    // Atomic, because other rows may add to the same bin now.
    if (part == 0 && bin >= 0)
        atomicAdd(&shared_bins[bin], sum);
    // end of TODO(13.4)
}

#endif

/* Counts a single character, for head and tail. */
__device__ void count_character(unsigned char character, unsigned int *shared_bins)
{
    const int bin = bin_of(character);
    // Atomic, because any thread of this block may add to the same bin now.
    if (bin >= 0)
        atomicAdd(&shared_bins[bin], 1);
}

__global__ void __launch_bounds__(THREADS_PER_BLOCK, BLOCKS_PER_MULTIPROCESSOR)
    histogram_kernel(const unsigned char *text, size_t length, unsigned int *bins)
{
    const size_t threads = (size_t)gridDim.x * blockDim.x;
    const size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    __shared__ unsigned int shared_bins[NUM_BINS];
    for (unsigned int bin = threadIdx.x; bin < NUM_BINS; bin += blockDim.x)
        shared_bins[bin] = 0;
    struct counters counters = new_counters();
    __syncthreads(); // no thread may count into what another has yet to zero

    const size_t to_boundary = (16 - (size_t)text % 16) % 16;
    const size_t head = to_boundary < length ? to_boundary : length;
    const uint4 *words = (const uint4 *)(text + head);
    const size_t num_words = (length - head) / sizeof(uint4);

    // TODO(13.5): In rounds of LOADS words, a whole grid apart: load those of this thread's next
    //             round, and only then count those of the last one, with count_words. Load a
    //             round only where all its words lie in the text. Then count what words are
    //             left, one by one with count_word.
    uint4 next[LOADS];
    size_t i = thread;
    bool more = i + (LOADS - 1) * threads < num_words;
    if (more)
#pragma unroll
        for (int k = 0; k < LOADS; k++)
            next[k] = words[i + k * threads];
    while (more) {
        uint4 word[LOADS];
#pragma unroll
        for (int k = 0; k < LOADS; k++)
            word[k] = next[k];
        i += LOADS * threads;
        more = i + (LOADS - 1) * threads < num_words;
        if (more)
#pragma unroll
            for (int k = 0; k < LOADS; k++)
                next[k] = words[i + k * threads];
        count_words(word, &counters);
    }
    for (; i < num_words; i += threads)
        count_word(words[i], &counters);
    // end of TODO(13.5)

    const size_t tail = head + num_words * sizeof(uint4);
    if (thread < head)
        count_character(text[thread], shared_bins);
    if (thread < length - tail)
        count_character(text[tail + thread], shared_bins);

    fold(&counters, shared_bins);
    __syncthreads(); // no thread may read shared_bins while another still adds to them
    for (unsigned int bin = threadIdx.x; bin < NUM_BINS; bin += blockDim.x)
        // Atomic, because other blocks may commit to the same bin now.
        atomicAdd(&bins[bin], shared_bins[bin]);
}

/* As many blocks as give each thread one load, but no more than the multiprocessors hold at a
 * time: they stay for the whole text, and only once are bins zeroed and committed. */
static unsigned int blocks_for(size_t length)
{
    const size_t characters_per_block = THREADS_PER_BLOCK * sizeof(uint4);
    size_t blocks = (length + characters_per_block - 1) / characters_per_block;
    int device, multiprocessors;
    CHECK(cudaGetDevice(&device));
    CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    const size_t most = (size_t)multiprocessors * BLOCKS_PER_MULTIPROCESSOR;
    if (blocks > most)
        blocks = most;
    return (unsigned int)blocks;
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
