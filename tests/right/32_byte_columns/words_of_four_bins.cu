/* Four bins in a word of 32 bits, a word for each thread: the lane's bank is its own as well. */
#include <stdint.h>

#include "binning.h"
#include "cuda_check.h"
#include "histogram.h"

enum { THREADS = 64, WORDS = (NUM_BINS + 3) / 4, ROUND = 255 * THREADS, MAX_BLOCKS = 1056 };

__global__ void histogram_kernel(const unsigned char *text, size_t length, unsigned int *bins)
{
    __shared__ unsigned int words[WORDS][THREADS];
    for (unsigned int w = 0; w < WORDS; w++)
        words[w][threadIdx.x] = 0;
    __syncthreads(); // other threads add up these words
    for (size_t begin = (size_t)blockIdx.x * ROUND; begin < length;
         begin += (size_t)gridDim.x * ROUND) {
        const size_t end = begin + ROUND < length ? begin + ROUND : length;
        for (size_t i = begin + threadIdx.x; i < end; i += THREADS) {
            const int bin = bin_of(text[i]);
            if (bin >= 0)
                words[bin / 4][threadIdx.x] += 1u << bin % 4 * 8;
        }
        __syncthreads(); // no thread may add up a word in which another still counts
        for (unsigned int bin = threadIdx.x; bin < NUM_BINS; bin += THREADS) {
            unsigned int sum = 0;
            for (unsigned int i = 0; i < THREADS; i++)
                sum += words[bin / 4][(i + threadIdx.x) % THREADS] >> bin % 4 * 8 & 0xff;
            // Atomic, because other blocks may commit to the same bin now.
            atomicAdd(&bins[bin], sum);
        }
        __syncthreads(); // no word may be emptied before all have added it up
        for (unsigned int w = 0; w < WORDS; w++)
            words[w][threadIdx.x] = 0;
        __syncthreads(); // nobody reads a word before it is empty
    }
}

void histogram(const unsigned char *d_text, size_t length, unsigned int *d_bins)
{
    if (length > UINT32_MAX) {
        fprintf(stderr, "histogram: %zu characters; at most 4294967295 can be counted\n", length);
        exit(1);
    }
    if (length == 0)
        return;
    const size_t blocks = (length + ROUND - 1) / ROUND;
    histogram_kernel<<<(unsigned int)(blocks < MAX_BLOCKS ? blocks : MAX_BLOCKS), THREADS>>>(
        d_text, length, d_bins);
    CHECK(cudaGetLastError());
}
