/* 3. Contiguous partitioning: each thread counts one section of the text.
 *
 * A grid of bounded size reads a text of any length: the text is cut into as
 * many sections as there are threads, and a thread reads its own from the first
 * character to the last. That is how one would split the text among CPU cores;
 * on a GPU it spreads each load of a warp over 32 distant places. */
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "binning.h"
#include "cuda_check.h" // CHECK(call): a call that fails ends the program with one line
#include "histogram.h"

enum { THREADS_PER_BLOCK = 256, CHARACTERS_PER_THREAD = 16, MAX_BLOCKS = 1024 };

__global__ void histogram_kernel(const unsigned char *text, size_t length, unsigned int *bins)
{
    // TODO(3.1): Find the section of this thread, in size_t: how long the sections are when all
    //            threads of the grid together cover the text, and where this one begins and ends.
    // end of TODO(3.1)

    // TODO(3.2): Count the characters of the section, from its first to its last.
    // end of TODO(3.2)
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
