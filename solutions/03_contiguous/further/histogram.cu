/* 3, further: each thread counts one section, in words of 16 characters.
 *
 * A word is loaded as one uint4, which has to lie at a multiple of 16. The text need not begin
 * there, so words are counted from the multiple of 16 before it, and the first and the last, which
 * may be cut off, are read character by character. */
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "binning.h"
#include "cuda_check.h" // CHECK(call): a call that fails ends the program with one line
#include "histogram.h"

enum { THREADS_PER_BLOCK = 256, CHARACTERS_PER_THREAD = 16, MAX_BLOCKS = 1024, WORD = 16 };

__device__ void count(unsigned char character, unsigned int *bins)
{
    const int bin = bin_of(character);
    // Atomic, because any thread of any block may add to the same bin now.
    if (bin >= 0)
        atomicAdd(&bins[bin], 1);
}

__device__ void count_four(unsigned int characters, unsigned int *bins)
{
    for (int shift = 0; shift < 32; shift += 8)
        count((unsigned char)(characters >> shift), bins);
}

__global__ void histogram_kernel(const unsigned char *text, size_t length, unsigned int *bins)
{
    const size_t before = (uintptr_t)text % WORD; // bytes of the first word that are not text
    const size_t text_end = before + length;      // counted from the first word, as all below is
    const size_t threads = (size_t)gridDim.x * blockDim.x;
    const size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    const size_t words = (text_end + WORD - 1) / WORD;
    const size_t section = (words + threads - 1) / threads; // in words, rounded up
    const size_t begin = thread * section * WORD;
    const size_t section_end = begin + section * WORD;
    const size_t end = section_end < text_end ? section_end : text_end;

    for (size_t at = begin; at < end; at += WORD) {
        if (at >= before && at + WORD <= text_end) {
            const uint4 word = *(const uint4 *)(text + (at - before));
            count_four(word.x, bins);
            count_four(word.y, bins);
            count_four(word.z, bins);
            count_four(word.w, bins);
        } else {
            for (size_t i = at < before ? before : at; i < at + WORD && i < text_end; i++)
                count(text[i - before], bins);
        }
    }
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
