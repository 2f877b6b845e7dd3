/* 4, further. Interleaved partitioning with loads of four characters.
 *
 * Neighboring threads read neighboring words of four characters, each with one load. A
 * warp's request is four sectors then, and there are a quarter of the requests. */
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "binning.h"
#include "cuda_check.h" // CHECK(call): a call that fails ends the program with one line
#include "histogram.h"

enum { THREADS_PER_BLOCK = 256, CHARACTERS_PER_THREAD = 16, MAX_BLOCKS = 1024 };

static __device__ void count(unsigned char character, unsigned int *bins)
{
    const int bin = bin_of(character);
    // Atomic, because any thread of any block may add to the same bin now.
    if (bin >= 0)
        atomicAdd(&bins[bin], 1);
}

__global__ void histogram_kernel(const unsigned char *text, size_t length, unsigned int *bins)
{
    const size_t threads = (size_t)gridDim.x * blockDim.x;
    const size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    // Up to 3 characters before the first multiple of 4, then words, then up to 3 characters.
    const size_t before = (4 - (uintptr_t)text % 4) % 4;
    const size_t head = before < length ? before : length;
    const size_t words = (length - head) / 4;
    const uchar4 *word = (const uchar4 *)(text + head);
    for (size_t i = thread; i < words; i += threads) {
        const uchar4 four = word[i];
        count(four.x, bins);
        count(four.y, bins);
        count(four.z, bins);
        count(four.w, bins);
    }

    // A block has more threads than there are characters before or after the words.
    const size_t tail = head + 4 * words;
    if (thread < head)
        count(text[thread], bins);
    if (thread < length - tail)
        count(text[tail + thread], bins);
}

/* As many blocks as give each thread CHARACTERS_PER_THREAD, but no more than fill a large GPU. */
static unsigned int blocks_for(size_t length)
{
    const size_t characters_per_block = THREADS_PER_BLOCK * CHARACTERS_PER_THREAD;
    size_t blocks = (length + characters_per_block - 1) / characters_per_block;
    if (blocks > MAX_BLOCKS)
        blocks = MAX_BLOCKS;
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
