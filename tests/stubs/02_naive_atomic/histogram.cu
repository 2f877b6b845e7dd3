/* 2. Naive atomics: one thread a character, one atomic a counted character.
 *
 * Threads of the whole grid add to the same few bins. `bins[bin]++` would be a
 * load, an addition and a store, and another thread's update could fall between
 * them and be lost. atomicAdd does the three as one. */
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "binning.h"
#include "cuda_check.h" // CHECK(call): a call that fails ends the program with one line
#include "histogram.h"

enum { THREADS_PER_BLOCK = 256 };

__global__ void histogram_kernel(const unsigned char *text, size_t length, unsigned int *bins)
{
    // TODO(2.1): Find the one character that this thread reads, if there is one left for it,
    //            and add one to its bin atomically.
    // end of TODO(2.1)
}

void histogram(const unsigned char *d_text, size_t length, unsigned int *d_bins)
{
    if (length > UINT32_MAX) {
        fprintf(stderr, "histogram: %zu characters; at most 4294967295 can be counted\n", length);
        exit(1);
    }
    if (length == 0)
        return;
    const size_t blocks = (length + THREADS_PER_BLOCK - 1) / THREADS_PER_BLOCK;
    histogram_kernel<<<(unsigned int)blocks, THREADS_PER_BLOCK>>>(d_text, length, d_bins);
    CHECK(cudaGetLastError());
}
