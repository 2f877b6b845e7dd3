/* few.h - combines elements straight into their bins in global memory: those that are few, in one launch; those whose
 * neighbors have neighboring bins, which a sample tells; and those of more bins than buckets hold. */
#ifndef LADDER_FEW_H
#define LADDER_FEW_H

#include "in_shared.h"

enum {
    SOME_LANES = 3,  // of a warp, with one bin: even elements hardly meet so
    VERY_FEW = 2048, // to look for those with one bin would take longer than they do
};
// Where an update is tried again and again if others come before, even a few have to be joined.
static const bool TRIES_AGAIN = OPERATION_IS(argmax) || OPERATION_IS(minmax);

/* Where an atomic is for sure, a block remembers keys that come again, and what they brought: their bins wait for a block,
 * and not for each element. One large block of a multiprocessor remembers most. */
static const bool REMEMBERS = IS_COUNTED || OPERATION_IS(sum_u32) || OPERATION_IS(sum_f32);
enum {
    DIRECT_THREADS = REMEMBERS ? 1024 : LADDER_FEW_THREADS,
    DIRECT_BLOCKS = 8,     // of a multiprocessor, if they are small
    SLOTS_OF_BLOCK = 2048, // that remembers
    // Keys of a block's first that come again, to remember any: floats are not to be added one by one.
    LEAST_MET = IS_OF_FLOATS ? 8 : 32,
    LEAST_REMEMBERED = 2048, // elements of a block
    MEMORY_BYTES = SLOTS_OF_BLOCK * (sizeof(unsigned int) + sizeof(hardware_t)),
};
struct memory {
    unsigned int *keys; // of slots, NO_KEY if one is free. NULL: nothing is remembered
    hardware_t *words;
};

/* The slot of a key, which is given one that is free; NO_KEY if another key has it. Rows of 32 neighbors stay together.
 * *is_met: the key had it before. */
__device__ __forceinline__ static unsigned int slot_for(const struct memory *memory,
                                                        unsigned int key, bool *is_met)
{
    const unsigned int row = (key / WARP * 2654435769u >> 16) % (SLOTS_OF_BLOCK / WARP);
    const unsigned int slot = (row * WARP + key % WARP) % SLOTS_OF_BLOCK;
    unsigned int holds = *(volatile unsigned int *)&memory->keys[slot];
    if (holds == NO_KEY)
        holds = atomicCAS(&memory->keys[slot], NO_KEY, key); // other threads may want it now
    *is_met = holds == key;
    return holds == NO_KEY || holds == key ? slot : NO_KEY;
}

/* A block's memory, if a key of each thread tells that it pays. All threads of the block call it. */
__device__ static struct memory begin_memory(unsigned int key, unsigned int num_bins)
{
    extern __shared__ uint4 slots_memory[]; // MEMORY_BYTES
    struct memory memory = {(unsigned int *)slots_memory,
                            (hardware_t *)((unsigned int *)slots_memory + SLOTS_OF_BLOCK)};
    bool is_met = false;
    for (unsigned int slot = threadIdx.x; slot < SLOTS_OF_BLOCK; slot += blockDim.x) {
        memory.keys[slot] = NO_KEY;
        memory.words[slot] = nothing();
    }
    __syncthreads(); // no key may enter a slot that another thread has yet to clear
    if (key < num_bins)
        (void)slot_for(&memory, key, &is_met);
    if (__syncthreads_count(is_met) < LEAST_MET)
        memory.keys = NULL;
    return memory;
}

/* Combines what lanes bring into a bin, or remembers it. */
__device__ __forceinline__ static void commit_or_remember(const struct memory *memory, bin_t *bins,
                                                          unsigned int place, hardware_t word)
{
    bool unused;
    const unsigned int slot = REMEMBERS && memory->keys ? slot_for(memory, place, &unused) : NO_KEY;
    if (slot != NO_KEY)
        update(&memory->words[slot], word);
    else
        commit(&bins[place], word);
}

/* Combines an element of each lane into its bin. All lanes of the warp call it. Many elements of one bin would wait for
 * each other in the cache, so that the warp joins them first. To look for equal places takes long, so that it is done
 * only since some lanes had that of lane 0: then *is_crowded. Of powers eight lanes add the eight floats of one lane
 * after the other, which lie side by side. */
__device__ __forceinline__ static void combine_lanes(unsigned int place, hardware_t mine,
                                                     bin_t *bins, bool *is_crowded,
                                                     const struct memory *memory)
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
        commit_or_remember(memory, bins, place, mine);
#endif
}

/* Combines a word of each lane. All lanes of the warp call it. */
__device__ __forceinline__ static void combine_words(const struct word *word, unsigned int index,
                                                     bin_t *bins, unsigned int num_bins,
                                                     bool are_joined, bool *is_crowded,
                                                     const struct memory *memory)
{
#pragma unroll
    for (unsigned int k = 0; k < WORD_ELEMENTS; k++) {
        const unsigned int key = key_of(word->x[k]);
        const bool has_bin = key < num_bins;
        const hardware_t brings = has_bin ? bring(word->x[k], index + k) : nothing();
        if (are_joined) // all lanes, or none
            combine_lanes(has_bin ? key : NO_KEY, brings, bins, is_crowded, memory);
        else if (has_bin)
            commit(&bins[key], brings);
    }
}

/* If the sample says so, or without one: neighbors to the lanes of a warp, so that their atomics go to a few sectors. All
 * blocks remember keys, and join lanes, or none. */
__global__ static void __launch_bounds__(DIRECT_THREADS)
    combine_direct(struct ladder_elements elements, bin_t *bins, unsigned int num_bins,
                   const struct findings *found, bool remembers, bool are_joined)
{
    if (found && !found->is_direct)
        return;
    const unsigned int threads = gridDim.x * blockDim.x, words = words_of(&elements);
    unsigned int number = blockIdx.x * blockDim.x + threadIdx.x;
    struct word word = load_word(&elements, number, true);
    // A sum is the less exact the more is added to it one by one.
    bool is_crowded = OPERATION_IS(powers) || (IS_OF_FLOATS && !found);
    struct memory memory = {NULL, NULL};
    if (REMEMBERS && remembers)
        memory = begin_memory(key_of(word.x[0]), num_bins);
    for (unsigned int from = blockIdx.x * blockDim.x; from < words; from += threads) {
        const struct word here = word;
        word =
            load_word(&elements, number + threads, true); // on its way while this one is combined
        combine_words(&here, elements.base + first_of_word(&elements, number), bins, num_bins,
                      are_joined, &is_crowded, &memory);
        number += threads;
    }
    __syncthreads(); // no thread may read a sum to which another still adds
    for (unsigned int slot = threadIdx.x; memory.keys && slot < SLOTS_OF_BLOCK; slot += blockDim.x)
        if (memory.keys[slot] != NO_KEY)
            commit(&bins[memory.keys[slot]], memory.words[slot]);
}

#endif
