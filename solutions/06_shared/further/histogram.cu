/* 6, further. As many blocks as the multiprocessors hold at a time, and no more.
 *
 * A block zeroes its bins, commits them, and is gone; the next one in its place does the same
 * again. Blocks that stay for the whole text do it once. How many that are, the device knows. */
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
    const size_t threads = (size_t)gridDim.x * blockDim.x;
    const size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    __shared__ unsigned int shared_bins[NUM_BINS];
    for (unsigned int bin = threadIdx.x; bin < NUM_BINS; bin += blockDim.x)
        shared_bins[bin] = 0;
    __syncthreads(); // no thread may count into a bin that another has yet to zero

    for (size_t i = thread; i < length; i += threads) {
        const int bin = bin_of(text[i]);
        // Atomic, because any thread of this block may add to the same bin now.
        if (bin >= 0)
            atomicAdd(&shared_bins[bin], 1);
    }

    __syncthreads(); // no thread may read shared_bins while another still counts into them
    for (unsigned int bin = threadIdx.x; bin < NUM_BINS; bin += blockDim.x)
        // Atomic, because other blocks may commit to the same bin now.
        atomicAdd(&bins[bin], shared_bins[bin]);
}

/* As many blocks as this device holds at a time, but none without a character to count. */
static unsigned int blocks_for(size_t length)
{
    int device, multiprocessors, on_each;
    CHECK(cudaGetDevice(&device));
    CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&on_each, histogram_kernel,
                                                        THREADS_PER_BLOCK, 0));
    const size_t resident = (size_t)multiprocessors * (size_t)on_each;
    const size_t blocks = (length + THREADS_PER_BLOCK - 1) / THREADS_PER_BLOCK;
    return (unsigned int)(blocks < resident ? blocks : resident);
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
