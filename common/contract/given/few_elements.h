/* few_elements.h - combines elements that are few, or much fewer than the bins, in one launch: given code of
 * chapter 27, where lanes of a warp join what they have for one bin.
 *
 * Nothing is allocated, cleared or looked at before: that would take longer than the elements do. */
#ifndef FEW_ELEMENTS_H
#define FEW_ELEMENTS_H

#include <stddef.h>

#include "cuda_check.h"
#include "tiles.h"

enum {
    FEW_THREADS = 256,
    VERY_FEW = 2048 // to look for those with one bin would take longer than they do
};
// Where an update is tried again and again if others come before, even a few have to be joined.
static const bool TRIES_AGAIN = OPERATION_IS(argmax) || OPERATION_IS(minmax);
// A sum of floats is the less exact the more of them are added to it one by one.
static const bool ROUNDS = OPERATION_IS(float_sum) || OPERATION_IS(vector_sum);

/* Combines an element of each lane into its bin. All lanes of the warp call it. Many elements of one bin would wait
 * for each other in the cache, so that the warp joins them first. To look for equal places takes long, so that it is
 * done only since some lanes had that of lane 0: then *is_crowded. Of a vector_sum eight lanes add the eight floats of
 * one lane after the other, which lie side by side. */
__device__ static void combine_lanes(unsigned int place, hardware_t mine, bin_t *bins,
                                     bool *is_crowded)
{
    const unsigned int common = __shfl_sync(0xffffffffu, place, 0);
    const unsigned int have_it = __ballot_sync(0xffffffffu, place == common);
    *is_crowded |= common != NO_PLACE && __popc(have_it) >= SOME_LANES;
    if (*is_crowded) // all lanes, or none
        place = join_equals(&mine, place);
#if OPERATION_IS(vector_sum)
    const unsigned int lane = threadIdx.x % SEGMENT_LANES, power = lane % BIN_FLOATS;
    for (unsigned int k = 0; k < BIN_FLOATS; k++) {
        const unsigned int from = lane - power + k;
        const unsigned int at = __shfl_sync(0xffffffffu, place, (int)from);
        const hardware_t sums = of_lane(mine, from);
        float brings = sums.sum[0];
#pragma unroll
        for (unsigned int f = 1; f < BIN_FLOATS; f++)
            brings = f == power ? sums.sum[f] : brings;
        if (at != NO_PLACE)
            atomicAdd(&bins[at].sum[power], brings); // other warps may add to it now
    }
#else
    if (place != NO_PLACE)
        commit(&bins[place], mine);
#endif
}

/* A word of elements for each thread. */
__global__ void __launch_bounds__(FEW_THREADS)
    combine_few(const element_t *elements, size_t length, bin_t *bins, unsigned int num_bins,
                bool are_joined)
{
    const size_t number = (size_t)blockIdx.x * FEW_THREADS + threadIdx.x;
    const struct word word = load_elements(elements, length, number);
    bool is_crowded = ROUNDS;
#pragma unroll
    for (unsigned int k = 0; k < WORD_ELEMENTS; k++) {
        const unsigned int key = key_in_word(elements, length, number, &word, k);
        const bool has_bin = key < num_bins;
        const hardware_t brings = encode(has_bin ? value_of(word.x[k]) : neutral());
        if (are_joined) // all lanes, or none
            combine_lanes(has_bin ? key : NO_PLACE, brings, bins, &is_crowded);
        else if (has_bin)
            commit(&bins[key], brings);
    }
}

/* Launches it. A CUDA call that fails ends the program with one line. */
static inline void combine_few_elements(const element_t *d_elements, size_t length, bin_t *d_bins,
                                        size_t num_bins)
{
    const size_t words = length / WORD_ELEMENTS + 2; // the first one may begin before the elements
    combine_few<<<(unsigned int)((words + FEW_THREADS - 1) / FEW_THREADS), FEW_THREADS>>>(
        d_elements, length, d_bins, (unsigned int)num_bins, TRIES_AGAIN || length > VERY_FEW);
    CHECK(cudaGetLastError());
}

#endif
