/* 23. Subhistograms: several copies of the bins in the shared memory of each block.
 *
 * Lanes that want the same bin wait for each other, or try again. With M copies of each bin, and
 * neighboring threads in different ones, at most 32 / M lanes of a warp want the same word. In the
 * end a block folds its M copies into one, and combines that into the bins. */
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda_check.h" // CHECK(call): a call that fails ends the program with one line
#include "reduce_by_index.h"

#if !(OPERATION_IS(count) || OPERATION_IS(saturate) || OPERATION_IS(float_sum) ||                  \
      OPERATION_IS(argmax))
#error "Chapter 23 takes count, saturate, float_sum and argmax."
#endif

enum { THREADS_PER_BLOCK = 1024, LOADS = 8, ELEMENTS_PER_THREAD = 16, MOST_COPIES = 32 };

/* How many copies of so many bins a block gets, when it may have `capacity` bytes: 0 when not even
 * one fits. */
static unsigned int copies_for(size_t num_bins, size_t capacity)
{
    size_t copies = 0;
    // TODO(23.1): As many as fit, but at most MOST_COPIES.
    // end of TODO(23.1)
    return (unsigned int)copies;
}

/* Combines a value into a bin that others may be changing: chapter 21. */
__device__ static void update(bin_t *bin, bin_t value)
{
#if OPERATION_HAS_ATOMIC
    atomic_combine(bin, value);
#else
    word_t *const word = (word_t *)bin;
    word_t held = *(volatile word_t *)word;
    for (;;) {
        bin_t old;
        memcpy(&old, &held, sizeof old);
        const bin_t combined = combine(old, value);
        word_t wanted;
        memcpy(&wanted, &combined, sizeof wanted);
        if (wanted == held)
            return; // the value changes nothing
        const word_t found = atomicCAS(word, held, wanted);
        if (found == held)
            return;
        held = found;
    }
#endif
}

__global__ void __launch_bounds__(THREADS_PER_BLOCK)
    subhistogram_kernel(const element_t *elements, size_t length, bin_t *bins,
                        unsigned int num_bins, unsigned int num_copies)
{
    // Of bin j the copies are copies[j * num_copies] and those that follow.
    extern __shared__ bin_t copies[];
    const size_t threads = (size_t)gridDim.x * blockDim.x;
    const size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    // TODO(23.2): Make every word of the copies neutral, before any of them is updated.
    // end of TODO(23.2)

    for (size_t i = thread; i < length; i += LOADS * threads) {
        element_t loaded[LOADS];
#pragma unroll
        for (int k = 0; k < LOADS; k++)
            if (i + k * threads < length)
                loaded[k] = elements[i + k * threads];
#pragma unroll
        for (int k = 0; k < LOADS; k++) {
            if (i + k * threads >= length)
                break;
            // TODO(23.3): Combine the element loaded[k] into this thread's copy of its bin.
            // end of TODO(23.3)
        }
    }

    // TODO(23.4): When all of the block are done, fold the copies of each bin, and combine what
    //             comes of it into the bin.
    // end of TODO(23.4)
}

/* Where not even one copy fits, the bins themselves are updated. */
__global__ void no_copies_kernel(const element_t *elements, size_t length, bin_t *bins,
                                 size_t num_bins)
{
    const size_t threads = (size_t)gridDim.x * blockDim.x;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < length; i += threads) {
        const size_t bin = index_of(elements[i], num_bins);
        if (bin < num_bins)
            update(&bins[bin], value_of(elements[i]));
    }
}

/* As many blocks as give each thread ELEMENTS_PER_THREAD, but at most one a multiprocessor. */
static unsigned int blocks_for(size_t length, int multiprocessors)
{
    const size_t elements_per_block = THREADS_PER_BLOCK * ELEMENTS_PER_THREAD;
    const size_t blocks = (length + elements_per_block - 1) / elements_per_block;
    return (unsigned int)(blocks < (size_t)multiprocessors ? blocks : (size_t)multiprocessors);
}

void reduce_by_index(const element_t *d_elements, size_t length, bin_t *d_bins, size_t num_bins)
{
    if (length > UINT32_MAX) {
        fprintf(stderr, "reduce_by_index: %zu elements; at most 4294967295 can be taken\n", length);
        exit(1);
    }
    if (length == 0 || num_bins == 0)
        return;
    int device, multiprocessors, capacity;
    CHECK(cudaGetDevice(&device));
    CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    CHECK(cudaDeviceGetAttribute(&capacity, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
    const unsigned int blocks = blocks_for(length, multiprocessors);
    const unsigned int copies = copies_for(num_bins, (size_t)capacity);
    if (copies == 0) {
        no_copies_kernel<<<2 * blocks, THREADS_PER_BLOCK>>>(d_elements, length, d_bins, num_bins);
    } else {
        const size_t bytes = num_bins * copies * sizeof(bin_t);
        // More than 48 KiB has to be asked for.
        CHECK(cudaFuncSetAttribute(subhistogram_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                   (int)bytes));
        subhistogram_kernel<<<blocks, THREADS_PER_BLOCK, bytes>>>(d_elements, length, d_bins,
                                                                  (unsigned int)num_bins, copies);
    }
    CHECK(cudaGetLastError());
}
