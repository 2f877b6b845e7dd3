/* 27. Combine in the warp: elements of one request that share a key become one update.
 *
 * Lanes that want the same bin find each other by a match, and hand their values on by shuffles until
 * one lane holds what all of them bring. Only that lane competes for the bin. */
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda_check.h" // CHECK(call): a call that fails ends the program with one line
#include "reduce_by_index.h"

#if !(OPERATION_IS(count) || OPERATION_IS(float_sum) || OPERATION_IS(wide_sum) ||                  \
      OPERATION_IS(argmax))
#error "Chapter 27 takes count, float_sum, wide_sum and argmax."
#endif

enum {
    THREADS_PER_BLOCK = 256,
    LOADS = 8,
    ELEMENTS_PER_THREAD = 16,
    BLOCKS_PER_MULTIPROCESSOR = 8
};

#define ALL_LANES 0xffffffffu
#define NO_BIN 0xffffffffu // the key of an element without a bin
#define NO_LANE 32u

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

/* The value of another lane. All lanes of the warp have to call it. */
__device__ static bin_t value_in_lane(bin_t value, unsigned int lane)
{
    word_t word;
    memcpy(&word, &value, sizeof word);
    word = __shfl_sync(ALL_LANES, word, (int)lane);
    memcpy(&value, &word, sizeof value);
    return value;
}

/* Combines the values of all lanes of the warp that have this key, into the bin of that key. All lanes
 * have to call it, those without an element with NO_BIN. */
__device__ static void update_together(bin_t *bins, unsigned int key, bin_t value)
{
    const unsigned int lane = threadIdx.x % 32;

    // TODO(27.1): Find the lanes with this lane's key. Let first say whether there is none of them
    //             before this lane, and next be the next of them behind it, or NO_LANE.
    const unsigned int equal = __match_any_sync(ALL_LANES, key);
    const unsigned int behind = equal & ~((2u << lane) - 1);
    const bool first = (equal & ((1u << lane) - 1)) == 0;
    unsigned int next = behind ? (unsigned int)__ffs((int)behind) - 1 : NO_LANE;
    // end of TODO(27.1)

    // TODO(27.2): Combine the values of each group of equal keys into that of its first lane.
    while (__any_sync(ALL_LANES, next != NO_LANE)) {
        // A lane takes what the next one has gathered, and goes on where that one would.
        const unsigned int from = next != NO_LANE ? next : lane;
        const bin_t gathered = value_in_lane(value, from);
        if (next != NO_LANE)
            value = combine(value, gathered);
        next = __shfl_sync(ALL_LANES, next, (int)from);
    }
    // end of TODO(27.2)

    // TODO(27.3): One lane of each group updates the bin, when the key has one.
    if (first && key != NO_BIN)
        update(&bins[key], value);
    // end of TODO(27.3)
}

__global__ void __launch_bounds__(THREADS_PER_BLOCK)
    combine_in_warp_kernel(const element_t *elements, size_t length, bin_t *bins, size_t num_bins)
{
    const size_t threads = (size_t)gridDim.x * blockDim.x;
    const size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    // A warp stays together: its lanes leave the loop when its first lane has no element left.
    for (size_t i = thread; i - threadIdx.x % 32 < length; i += LOADS * threads) {
        element_t loaded[LOADS];
#pragma unroll
        for (int k = 0; k < LOADS; k++)
            if (i + k * threads < length)
                loaded[k] = elements[i + k * threads];
#pragma unroll
        for (int k = 0; k < LOADS; k++) {
            unsigned int key = NO_BIN;
            bin_t value = neutral();
            if (i + k * threads < length) {
                const size_t bin = index_of(loaded[k], num_bins);
                if (bin < num_bins)
                    key = (unsigned int)bin;
                value = value_of(loaded[k]);
            }
            update_together(bins, key, value);
        }
    }
}

/* As many blocks as give each thread ELEMENTS_PER_THREAD, but no more than fill the GPU. */
static unsigned int blocks_for(size_t length)
{
    int device, multiprocessors;
    CHECK(cudaGetDevice(&device));
    CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    const size_t elements_per_block = THREADS_PER_BLOCK * ELEMENTS_PER_THREAD;
    const size_t blocks = (length + elements_per_block - 1) / elements_per_block;
    const size_t most = (size_t)multiprocessors * BLOCKS_PER_MULTIPROCESSOR;
    return (unsigned int)(blocks < most ? blocks : most);
}

void reduce_by_index(const element_t *d_elements, size_t length, bin_t *d_bins, size_t num_bins)
{
    if (length > UINT32_MAX) {
        fprintf(stderr, "reduce_by_index: %zu elements; at most 4294967295 can be taken\n", length);
        exit(1);
    }
    if (length == 0 || num_bins == 0)
        return;
    combine_in_warp_kernel<<<blocks_for(length), THREADS_PER_BLOCK>>>(d_elements, length, d_bins,
                                                                      num_bins);
    CHECK(cudaGetLastError());
}
