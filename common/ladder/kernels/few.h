/* few.h - combines elements straight into their bins in global memory: those that are few, in one launch; those whose
 * neighbors have neighboring bins, which a sample tells; and those of more bins than buckets hold. */
#ifndef LADDER_FEW_H
#define LADDER_FEW_H

#include "in_shared.h"

enum {
    SOME_LANES = 3,    // of a warp, with one bin: even elements hardly meet so
    VERY_FEW = 2048,   // to look for those with one bin would take longer than they do
    DIRECT_BLOCKS = 8, // of a multiprocessor
};
// Where an update is tried again and again if others come before, even a few have to be joined.
static const bool TRIES_AGAIN = OPERATION_IS(argmax) || OPERATION_IS(minmax);

/* Combines an element of each lane into its bin. All lanes of the warp call it. Many elements of one bin would wait for
 * each other in the cache, so that the warp joins them first. To look for equal places takes long, so that it is done
 * only since some lanes had that of lane 0: then *is_crowded. Of powers eight lanes add the eight floats of one lane
 * after the other, which lie side by side. */
__device__ static void combine_lanes(unsigned int place, hardware_t mine, bin_t *bins,
                                     bool *is_crowded)
{
    const unsigned int common = __shfl_sync(ALL_LANES, place, 0);
    const unsigned int have_it = __ballot_sync(ALL_LANES, place == common);
    *is_crowded |= common != NO_KEY && __popc(have_it) >= SOME_LANES;
    if (*is_crowded) // all lanes, or none
        place = join_equals(&mine, place);
#if OPERATION_IS(powers)
    const unsigned int lane = threadIdx.x % WARP, power = lane % POWERS;
    for (unsigned int k = 0; k < POWERS; k++) {
        const unsigned int from = lane - power + k;
        const unsigned int at = __shfl_sync(ALL_LANES, place, (int)from);
        const hardware_t sums = of_lane(mine, from);
        float brings = sums.sum[0];
#pragma unroll
        for (unsigned int f = 1; f < POWERS; f++)
            brings = f == power ? sums.sum[f] : brings;
        if (at != NO_KEY)
            atomicAdd(&bins[at].sum[power], brings); // other warps may add to it now
    }
#else
    if (place != NO_KEY)
        commit(&bins[place], mine);
#endif
}

/* Combines a word of each lane. All lanes of the warp call it. */
__device__ __forceinline__ static void combine_words(const struct word *word, unsigned int index,
                                                     bin_t *bins, unsigned int num_bins,
                                                     bool are_joined, bool *is_crowded)
{
#pragma unroll
    for (unsigned int k = 0; k < WORD_ELEMENTS; k++) {
        const unsigned int key = key_of(word->x[k]);
        const bool has_bin = key < num_bins;
        const hardware_t brings = has_bin ? bring(word->x[k], index + k) : nothing();
        if (are_joined) // all lanes, or none
            combine_lanes(has_bin ? key : NO_KEY, brings, bins, is_crowded);
        else if (has_bin)
            commit(&bins[key], brings);
    }
}

/* A word of elements for each thread. */
__global__ static void __launch_bounds__(LADDER_FEW_THREADS)
    combine_few(struct ladder_elements elements, bin_t *bins, unsigned int num_bins,
                bool are_joined)
{
    const unsigned int number = blockIdx.x * LADDER_FEW_THREADS + threadIdx.x;
    const struct word word = load_word(&elements, number, true);
    bool is_crowded = IS_OF_FLOATS; // a sum is the less exact the more is added to it one by one
    combine_words(&word, elements.base + first_of_word(&elements, number), bins, num_bins,
                  are_joined, &is_crowded);
}

/* If the sample says so, or there is no other way: neighbors to the lanes of a warp, so that their atomics go to a few
 * sectors. Then a hot key, whose elements would wait for each other, is kept in registers. */
__global__ static void __launch_bounds__(LADDER_FEW_THREADS)
    combine_direct(struct ladder_elements elements, bin_t *bins, unsigned int num_bins,
                   const struct findings *found, bool is_only_way)
{
    if (!is_only_way && !found->is_direct)
        return;
    const unsigned int hot_key = KEEPS_HOT_KEY && is_only_way ? found->hot_key : NO_KEY;
    struct kept kept = {nothing(), nothing()};
    const unsigned int threads = gridDim.x * LADDER_FEW_THREADS, words = words_of(&elements);
    bool is_crowded = OPERATION_IS(powers);
    for (unsigned int from = blockIdx.x * LADDER_FEW_THREADS; from < words; from += threads) {
        const unsigned int number = from + threadIdx.x;
        struct word word = load_word(&elements, number, true);
#if !IS_COUNTED
#pragma unroll
        for (unsigned int k = 0; k < WORD_ELEMENTS; k++)
            if (KEEPS_HOT_KEY && word.x[k].key == hot_key && hot_key != NO_KEY) {
                keep(&kept, bring(word.x[k], 0));
                word.x[k].key = NO_KEY;
            }
#endif
        combine_words(&word, elements.base + first_of_word(&elements, number), bins, num_bins, true,
                      &is_crowded);
    }
    if (hot_key == NO_KEY) // all threads, or none
        return;
    const hardware_t of_warp = join_warp(kept.sum);
    if (threadIdx.x % WARP == 0 && !is_nothing(of_warp))
        commit(&bins[hot_key], of_warp);
}

#endif
