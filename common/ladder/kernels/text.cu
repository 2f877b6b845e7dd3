/* text.cu - counts the bytes of a text.
 *
 * Each lane of a warp has counters of its own in shared memory, one for each value of a byte, in a bank of its own:
 * whatever the text is, no two lanes wait for each other. Which bin a byte belongs to is asked once for each value, in
 * the end. While a word is counted the next ones are on their way. */
#include <cuda_runtime.h>

#include "../text.h"

enum {
    LANES = 32,
    LOADS = 4,
    ROW_BITS = 7, // a row has 2^7 bytes, a counter of 4 for each lane
    ROWS = 256,
};

/* Counts a character in this lane's column, in the row that begins `row` bytes behind its begin. The lane's part is
 * or-ed in, by the instruction that masks the row: three instructions for each character. */
__device__ __forceinline__ static void count_in_row(unsigned int row, unsigned char *counters)
{
    // Atomic, because the same lane of another warp may add to this counter now.
    atomicAdd((unsigned int *)(counters + (row | threadIdx.x % LANES * sizeof(unsigned int))), 1);
}

/* Counts the four characters of 32 bits, each moved to where it is a number of bytes. */
__device__ __forceinline__ static void count_four(unsigned int four, unsigned char *counters)
{
    const unsigned int row = 0xffu << ROW_BITS;
    count_in_row(four << ROW_BITS & row, counters);
    count_in_row(four >> (8 - ROW_BITS) & row, counters);
    count_in_row(four >> (16 - ROW_BITS) & row, counters);
    count_in_row(four >> (24 - ROW_BITS) & row, counters);
}

__device__ __forceinline__ static void count_word(uint4 word, unsigned char *counters)
{
    count_four(word.x, counters);
    count_four(word.y, counters);
    count_four(word.z, counters);
    count_four(word.w, counters);
}

/* Counts all words of a thread, whose first LOADS are in the ring. */
__device__ __forceinline__ static void count_words(const uint4 *words, unsigned int num_words,
                                                   unsigned int i, unsigned int threads,
                                                   uint4 ring[LOADS], unsigned char *counters)
{
    for (; i < num_words; i += LOADS * threads)
#pragma unroll
        for (int k = 0; k < LOADS; k++) {
            const unsigned int here = i + k * threads; // the word in ring[k], if there is one
            const unsigned int ahead = here + LOADS * threads;
            const uint4 word = ring[k];
            if (ahead < num_words)
                ring[k] = words[ahead];
            if (here < num_words)
                count_word(word, counters);
        }
}

/* Adds up the rows of the table, one thread to a row, joins those of one bin, and adds them to the counts. All threads
 * of the block call it together. */
__device__ static void fold(const uint4 (*table)[LANES / 4], const struct ladder_byte_bins *bin_of,
                            const struct ladder_counts *counts)
{
    __shared__ unsigned int of_block[ROWS]; // a block counts less than 2^32 characters
    const unsigned int row = threadIdx.x;
    if (row < ROWS)
        of_block[row] = 0;
    __syncthreads(); // no thread may read a counter while another still counts into it, or clears a sum
    const int bin = row < ROWS ? bin_of->bin[row] : -1;
    if (bin >= 0) {
        unsigned int sum = 0;
#pragma unroll
        for (unsigned int k = 0; k < LANES / 4; k++) { // eight lanes at a time, in eight banks
            const uint4 four = table[row][(row + k) % (LANES / 4)];
            sum += four.x + four.y + four.z + four.w;
        }
        if (sum != 0)
            atomicAdd(&of_block[bin], sum); // rows of the same bin are added there, too
    }
    __syncthreads(); // no thread may read a sum to which another still adds
    // Atomic, because other blocks add to the same counts.
    if (row < counts->num_bins && of_block[row] != 0) {
        if (counts->bits == 64)
            atomicAdd((unsigned long long *)counts->counts + row,
                      (unsigned long long)of_block[row]);
        else
            atomicAdd((unsigned int *)counts->counts + row, of_block[row]);
    }
}

__global__ static void __launch_bounds__(LADDER_TEXT_THREADS, 1)
    count_text(const unsigned char *text, unsigned int length, struct ladder_byte_bins bin_of,
               struct ladder_counts counts)
{
    __shared__ uint4 table[ROWS][LANES / 4]; // zeroed and folded by fours, counted by ones
    const unsigned int threads = gridDim.x * blockDim.x;
    const unsigned int thread = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned int to_boundary = (unsigned int)((16 - (size_t)text % 16) % 16);
    const unsigned int head = to_boundary < length ? to_boundary : length;
    const uint4 *const words = (const uint4 *)(text + head);
    const unsigned int num_words = (length - head) / (unsigned int)sizeof(uint4);
    uint4 ring[LOADS]; // on its way while the table is zeroed
#pragma unroll
    for (int k = 0; k < LOADS; k++)
        if (thread + k * threads < num_words)
            ring[k] = words[thread + k * threads];
    for (unsigned int k = threadIdx.x; k < ROWS * LANES / 4; k += blockDim.x)
        table[k / (LANES / 4)][k % (LANES / 4)] = make_uint4(0, 0, 0, 0);
    unsigned char *const counters = (unsigned char *)table;
    __syncthreads(); // no thread may count into what another has yet to zero
    count_words(words, num_words, thread, threads, ring, counters);
    const unsigned int tail = head + num_words * (unsigned int)sizeof(uint4);
    if (thread < head)
        count_in_row((unsigned int)text[thread] << ROW_BITS, counters);
    if (thread < length - tail)
        count_in_row((unsigned int)text[tail + thread] << ROW_BITS, counters);
    fold(table, &bin_of, &counts);
}

cudaError_t ladder_count_text(const unsigned char *text, size_t length,
                              const struct ladder_byte_bins *bin_of,
                              const struct ladder_counts *counts, unsigned int multiprocessors,
                              cudaStream_t stream)
{
    const size_t of_block = LADDER_TEXT_THREADS * sizeof(uint4);
    for (size_t done = 0; done < length; done += LADDER_TEXT_PART) {
        const size_t part =
            length - done < LADDER_TEXT_PART ? length - done : (size_t)LADDER_TEXT_PART;
        size_t blocks = (part + of_block - 1) / of_block; // a load for each thread
        if (blocks > multiprocessors)
            blocks = multiprocessors; // they stay for the whole text
        count_text<<<(unsigned int)blocks, LADDER_TEXT_THREADS, 0, stream>>>(
            text + done, (unsigned int)part, *bin_of, *counts);
    }
    return cudaPeekAtLastError();
}
