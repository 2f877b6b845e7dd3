/* 13, further: eight words on their way, and no register waits for them.
 *
 * An asynchronous copy takes a word from global memory straight to shared memory, and the thread
 * goes on. The ring lies there, eight places for each thread. A thread takes a word out of its
 * place, sends for the one that comes eight later, and counts what it has taken out. */
#include <cuda_pipeline.h>
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "binning.h"
#include "cuda_check.h" // CHECK(call): a call that fails ends the program with one line
#include "histogram.h"

enum {
    THREADS_PER_BLOCK = 1024,
    BLOCKS_PER_MULTIPROCESSOR = 1,
    PLACES = 8, /* of a thread in the ring */
    LANES = 32,
    BYTE_VALUES = 256
};

#define ALL_LANES 0xffffffffu

/* Counts a character in this lane's column of the table. */
__device__ void count(unsigned int character, unsigned int (*counters)[LANES])
{
    // Atomic, because the same lane of another warp may add to this counter now.
    atomicAdd(&counters[character][threadIdx.x % LANES], 1);
}

/* Counts the four characters that a 32-bit word holds. */
__device__ void count_four(unsigned int four, unsigned int (*counters)[LANES])
{
    for (int shift = 0; shift < 32; shift += 8)
        count(four >> shift & 0xff, counters);
}

/* Counts the 16 characters of a word. */
__device__ void count_word(uint4 word, unsigned int (*counters)[LANES])
{
    count_four(word.x, counters);
    count_four(word.y, counters);
    count_four(word.z, counters);
    count_four(word.w, counters);
}

/* A place for a word of each thread of the block. */
typedef uint4 place[THREADS_PER_BLOCK];

/* Sends for word number i, if there is one. All are committed, those that do not exist, too, so that
 * waiting can count them. */
__device__ void send_for(const uint4 *words, unsigned int num_words, unsigned int i, place to)
{
    if (i < num_words)
        __pipeline_memcpy_async(&to[threadIdx.x], &words[i], sizeof(uint4));
    __pipeline_commit();
}

/* Counts all words of a thread, whose first PLACES are on their way to the ring. A thread uses its
 * own places alone, so that no barrier is needed. */
__device__ void count_words(const uint4 *words, unsigned int num_words, unsigned int i,
                            unsigned int threads, place ring[PLACES],
                            unsigned int (*counters)[LANES])
{
    for (unsigned int k = 0; i < num_words; i += threads, k = (k + 1) % PLACES) {
        __pipeline_wait_prior(PLACES - 1); // for all but so many: for the oldest
        const uint4 word = ring[k][threadIdx.x];
        send_for(words, num_words, i + PLACES * threads, ring[k]);
        count_word(word, counters);
    }
}

/* Adds the rows of the table to the block's bins, four threads to a row. All threads of the block
 * call it together. */
__device__ void fold(const uint4 (*table)[LANES / 4], unsigned int *shared_bins)
{
    __syncthreads(); // no thread may read a counter while another still counts into it
    const unsigned int row = threadIdx.x / 4, part = threadIdx.x % 4;
    const uint4 *quarter = table[row] + part * 2;
    // Every other row begins with its second four, so that no two lanes meet in a bank.
    const uint4 a = quarter[row % 2], b = quarter[1 - row % 2];
    unsigned int sum = a.x + a.y + a.z + a.w + b.x + b.y + b.z + b.w;
    sum += __shfl_xor_sync(ALL_LANES, sum, 1);
    sum += __shfl_xor_sync(ALL_LANES, sum, 2);
    const int bin = bin_of((unsigned char)row);
    // Atomic, because other rows may add to the same bin now.
    if (part == 0 && bin >= 0)
        atomicAdd(&shared_bins[bin], sum);
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
    extern __shared__ place ring[];
    for (unsigned int k = 0; k < PLACES; k++)
        send_for(words, num_words, thread + k * threads, ring[k]);

    __shared__ unsigned int shared_bins[NUM_BINS];
    for (unsigned int bin = threadIdx.x; bin < NUM_BINS; bin += blockDim.x)
        shared_bins[bin] = 0;
    __shared__ uint4 table[BYTE_VALUES][LANES / 4]; // zeroed and folded by fours, counted by ones
    for (unsigned int k = threadIdx.x; k < BYTE_VALUES * LANES / 4; k += blockDim.x)
        table[k / (LANES / 4)][k % (LANES / 4)] = make_uint4(0, 0, 0, 0);
    unsigned int(*counters)[LANES] = (unsigned int(*)[LANES])table;
    __syncthreads(); // no thread may count into what another has yet to zero

    count_words(words, num_words, thread, threads, ring, counters);

    const size_t tail = head + num_words * sizeof(uint4);
    if (thread < head)
        count(text[thread], counters);
    if (thread < length - tail)
        count(text[tail + thread], counters);

    fold(table, shared_bins);
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
    const size_t bytes = PLACES * sizeof(place);
    // A block gets more than 48 KB of shared memory only when it is asked for.
    CHECK(cudaFuncSetAttribute(histogram_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               (int)bytes));
    histogram_kernel<<<blocks_for(length), THREADS_PER_BLOCK, bytes>>>(d_text, length, d_bins);
    CHECK(cudaGetLastError());
}
