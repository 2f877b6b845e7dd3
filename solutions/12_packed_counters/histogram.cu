/* 12. Packed counters: one update for two characters, and two counters in a word.
 *
 * Two neighboring letters make a joint key, one of 28 x 28, and one atomic counts both. To keep the
 * lanes apart, each key has a counter for each lane, as in chapter 11. That would take 98 KB, so a
 * word holds the 16-bit counters of two keys. Such a counter overflows into its neighbor after
 * 65,535 updates, so the block must empty the table before that. */
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "binning.h"
#include "cuda_check.h" // CHECK(call): a call that fails ends the program with one line
#include "histogram.h"

#if BINS != 5 && BINS != 26
#error "two bytes have 65,536 joint keys, too many for a counter a lane: use BINS=5 or BINS=26"
#endif

enum {
    THREADS_PER_BLOCK = 1024,
    BLOCKS_PER_MULTIPROCESSOR = 1,
    LOADS = 4,
    LANES = 32,
    LETTERS = 26,
    CODES = 28,               /* 0: no letter; 1 to 26: a to z; 27: no letter either */
    ROWS = CODES * CODES / 2, /* two keys a row */
    ROUND = THREADS_PER_BLOCK / LANES * LOADS * 8, /* most updates of a counter in a round */
    MOST_ROUNDS = 0xffff / ROUND
};

#define ALL_LANES 0xffffffffu

/* The codes of two characters, one in each half of the word. An exclusive or with 0x60 turns a to z
 * into 1 to 26, and no other byte into any of these; what is more than 27 becomes 27. */
__device__ unsigned int codes_of(unsigned int two_characters)
{
    return __vminu2(two_characters ^ 0x00600060, (CODES - 1) * 0x10001); // of each half
}

/* Counts a key in this lane's column. Two keys share a word: that of row key / 2, whose lower half
 * is the counter of the even key, and whose upper half is that of the odd one. */
__device__ void count_key(unsigned int key, unsigned int *column)
{
    // TODO(12.1): Count it with one update. The rows are LANES words apart.
    // Atomic, because the same lane of another warp may add to this word now.
    atomicAdd(&column[key / 2 * LANES], 1 + key % 2 * 0xffff); // 1, or 0x10000 for an odd key
    // end of TODO(12.1)
}

/* Counts the four characters that a 32-bit word holds: two keys, two updates. */
__device__ void count_four(unsigned int four, unsigned int *column)
{
    const unsigned int firsts = codes_of(four & 0x00ff00ff);       // of characters 0 and 2
    const unsigned int seconds = codes_of(four >> 8 & 0x00ff00ff); // of characters 1 and 3
    // TODO(12.2): Make a key of the codes of characters 0 and 1, and one of those of characters 2 and
    //             3: for each pair of codes another number below CODES * CODES. Count both.
    const unsigned int keys = firsts + seconds * CODES; // at most 783 in each half
    count_key(keys & 0xffff, column);
    count_key(keys >> 16, column);
    // end of TODO(12.2)
}

/* Counts the 16 characters of a word. */
__device__ void count_word(uint4 word, unsigned int *column)
{
    count_four(word.x, column);
    count_four(word.y, column);
    count_four(word.z, column);
    count_four(word.w, column);
}

/* Adds all counters to the block's letters, both letters of each key, and zeroes them. All
 * threads of the block call it together. */
__device__ void flush(unsigned int counters[][LANES], unsigned int *letters)
{
    __syncthreads(); // no thread may read a counter while another still counts into it
    const unsigned int lane = threadIdx.x % LANES;
    for (unsigned int row = threadIdx.x / LANES; row < ROWS; row += blockDim.x / LANES) {
        unsigned int even = 0, odd = 0; // how often the row's two keys were counted
        // TODO(12.3): Take this lane's word of the row and leave a zero there. Let `even` and `odd` be
        //             the sums of its halves over the lanes of the warp.
        const unsigned int packed = counters[row][lane];
        counters[row][lane] = 0;
        even = __reduce_add_sync(ALL_LANES, packed & 0xffff);
        odd = __reduce_add_sync(ALL_LANES, packed >> 16);
        // end of TODO(12.3)
        const unsigned int key = row * 2 + lane, sum = lane == 0 ? even : odd;
        // Atomic, because other warps may add to the same letter now.
        if (lane < 2 && sum > 0) {
            atomicAdd(&letters[key % CODES], sum);
            atomicAdd(&letters[key / CODES], sum);
        }
    }
    __syncthreads(); // no thread may count into a row that another has yet to zero
}

__global__ void __launch_bounds__(THREADS_PER_BLOCK, BLOCKS_PER_MULTIPROCESSOR)
    histogram_kernel(const unsigned char *text, size_t length, unsigned int *bins)
{
    const size_t threads = (size_t)gridDim.x * blockDim.x;
    const size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    extern __shared__ unsigned int counters[][LANES];
    __shared__ unsigned int letters[CODES];
    unsigned int *column = &counters[0][threadIdx.x % LANES];
    for (unsigned int i = threadIdx.x; i < ROWS * LANES; i += blockDim.x)
        counters[i / LANES][i % LANES] = 0;
    if (threadIdx.x < CODES)
        letters[threadIdx.x] = 0;
    __syncthreads(); // no thread may count into a counter that another has yet to zero

    const size_t to_boundary = (16 - (size_t)text % 16) % 16;
    const size_t head = to_boundary < length ? to_boundary : length;
    const uint4 *words = (const uint4 *)(text + head);
    const size_t num_words = (length - head) / sizeof(uint4);

    // All threads of the block make the same rounds, so that all of them reach each flush.
    unsigned int rounds = 0;
    size_t first = (size_t)blockIdx.x * blockDim.x; // of the block's words
    for (; first + blockDim.x + (LOADS - 1) * threads <= num_words; first += LOADS * threads) {
        const size_t i = first + threadIdx.x;
        uint4 word[LOADS];
#pragma unroll
        for (int k = 0; k < LOADS; k++)
            word[k] = words[i + k * threads];
#pragma unroll
        for (int k = 0; k < LOADS; k++)
            count_word(word[k], column);
        // TODO(12.4): Count the rounds, and flush before a counter can overflow. A counter holds
        //             MOST_ROUNDS of them, and after this loop comes up to one round more.
        if (++rounds == MOST_ROUNDS - 1) {
            flush(counters, letters);
            rounds = 0;
        }
        // end of TODO(12.4)
    }
    for (size_t i = first + threadIdx.x; i < num_words; i += threads)
        count_word(words[i], column);

    const size_t tail = head + num_words * sizeof(uint4);
    // Atomic, because other threads may flush or count the same letter now.
    if (thread < head)
        atomicAdd(&letters[codes_of(text[thread]) & 0xffff], 1);
    if (thread < length - tail)
        atomicAdd(&letters[codes_of(text[tail + thread]) & 0xffff], 1);

    flush(counters, letters);
    if (threadIdx.x < LETTERS)
        // Atomic, because other blocks, and letters of the same bin, may add to it now.
        atomicAdd(&bins[bin_of((unsigned char)('a' + threadIdx.x))], letters[1 + threadIdx.x]);
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
    const size_t table = ROWS * LANES * sizeof(unsigned int);
    // A block gets more than 48 KB of shared memory only when it is asked for.
    CHECK(cudaFuncSetAttribute(histogram_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               (int)table));
    histogram_kernel<<<blocks_for(length), THREADS_PER_BLOCK, table>>>(d_text, length, d_bins);
    CHECK(cudaGetLastError());
}
