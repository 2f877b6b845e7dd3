/* sample.h - looks at a few elements on the device, and leaves there what the kernels behind it go by: nobody waits
 * for the host.
 *
 * One block reads single keys, evenly spread, and counts them in a table in shared memory: that tells which keys are
 * hot, and how many different ones there are. And each warp reads 32 neighbors in a few places: that tells how many
 * sectors of the bins a warp touches when it goes straight to them. */
#ifndef LADDER_SAMPLE_H
#define LADDER_SAMPLE_H

#include "elements.h"

enum {
    SAMPLE = 2048, // single keys, at most
    LEAST_SAMPLE = 256,
    SLOTS = 2 * SAMPLE,
    SAMPLE_THREADS = 1024,
    GROUPS = 64, // of 32 neighbors
    SECTOR_BYTES = 32,
    HOT_KEYS = LADDER_HOT_KEYS,
    LEAST_HOT = 4, // times that a hot key is in the sample
};

struct findings {
    unsigned int hot_key;   // the most frequent key, if it is frequent enough; or NO_KEY
    unsigned int is_direct; // elements go straight to their bins
    unsigned int num_hot;   // other hot keys
    unsigned int hot[HOT_KEYS];
};
static_assert(sizeof(struct findings) <= LADDER_FINDINGS_BYTES, "there is room for findings");

/* Counts a key in the table of the sample, where other threads enter theirs now. */
__device__ static void enter_key(unsigned int key, unsigned int *keys, unsigned int *times,
                                 unsigned int *different)
{
    unsigned int slot = key * 2654435761u % SLOTS;
    for (;; slot = (slot + 1) % SLOTS) {
        unsigned int holds = *(volatile unsigned int *)&keys[slot];
        if (holds == NO_KEY)
            holds = atomicCAS(&keys[slot], NO_KEY, key);
        if (holds == NO_KEY)
            atomicAdd(different, 1);
        if (holds == NO_KEY || holds == key)
            break;
    }
    atomicAdd(&times[slot], 1);
}

/* The most frequent key of the table, and above it how often it is there: in each thread of warp 0. */
__device__ static unsigned long long hottest(const unsigned int *keys, const unsigned int *times)
{
    __shared__ unsigned long long of_warps[SAMPLE_THREADS / WARP];
    unsigned long long mine = 0;
    for (unsigned int slot = threadIdx.x; slot < SLOTS; slot += blockDim.x) {
        const unsigned long long here = (unsigned long long)times[slot] << 32 | keys[slot];
        mine = here > mine ? here : mine;
    }
    for (int turn = 0; turn < 2; turn++) {
        for (unsigned int distance = WARP / 2; distance > 0; distance /= 2) {
            const unsigned long long other = __shfl_xor_sync(ALL_LANES, mine, (int)distance);
            mine = mine > other ? mine : other;
        }
        if (turn == 0) {
            if (threadIdx.x % WARP == 0)
                of_warps[threadIdx.x / WARP] = mine;
            __syncthreads(); // no thread may read of_warps before it is complete
            mine = of_warps[threadIdx.x % WARP];
        }
    }
    return mine;
}

/* Adds to *sectors what the atomics of a warp whose lanes have these keys cost in the cache. */
__device__ static void look_at_neighbors(unsigned int key, unsigned int num_bins,
                                         unsigned int *sectors)
{
    const unsigned int lane = threadIdx.x % WARP;
    const unsigned int of_sector = SECTOR_BYTES / sizeof(bin_t);
    const unsigned int sector = key < num_bins ? key / of_sector : NO_KEY;
    const unsigned int same_sector = __match_any_sync(ALL_LANES, sector);
    const unsigned int same_key = __match_any_sync(ALL_LANES, key);
    const unsigned int firsts =
        __ballot_sync(ALL_LANES, sector != NO_KEY && (same_sector & ((1u << lane) - 1)) == 0);
    // A maximum is tried only if it can win, so that equal keys hardly meet. Powers are joined anyway.
    const bool is_alone =
        sector == NO_KEY || OPERATION_IS(argmax) || OPERATION_IS(minmax) || OPERATION_IS(powers);
    const unsigned int meet = is_alone ? 1 : (unsigned int)__popc(same_key);
    const unsigned int most_meet = __reduce_max_sync(ALL_LANES, meet);
    if (lane == 0) // lanes that meet take twice as long
        atomicAdd(sectors, (unsigned int)__popc(firsts) + 2 * (most_meet - 1)); // others add theirs
}

/* One block. */
__global__ static void __launch_bounds__(SAMPLE_THREADS)
    inspect(struct ladder_elements elements, unsigned int num_bins, float most_sectors,
            float most_hot, struct findings *found)
{
    __shared__ unsigned int keys[SLOTS], times[SLOTS], sampled, different, sectors, num_hot;
    const unsigned int length = elements.length;
    unsigned int sample = num_bins < SAMPLE ? num_bins : SAMPLE;
    sample = sample > LEAST_SAMPLE ? sample : LEAST_SAMPLE;
    sample = sample < length ? sample : length;
    // All loads are on their way before the table is cleared.
    unsigned int single[SAMPLE / SAMPLE_THREADS], neighbor[GROUPS * WARP / SAMPLE_THREADS];
    const bool has_groups = length >= 2 * GROUPS * WARP;
#pragma unroll
    for (unsigned int k = 0; k < SAMPLE / SAMPLE_THREADS; k++) {
        const unsigned int i = threadIdx.x + k * SAMPLE_THREADS;
        single[k] = i < sample ? elements.keys[(size_t)i * (length / sample)] : NO_KEY;
    }
#pragma unroll
    for (unsigned int k = 0; k < GROUPS * WARP / SAMPLE_THREADS; k++) {
        const unsigned int group = threadIdx.x / WARP + k * (SAMPLE_THREADS / WARP);
        neighbor[k] = has_groups
                          ? elements.keys[(size_t)group * (length / GROUPS) + threadIdx.x % WARP]
                          : NO_KEY;
    }
    for (unsigned int slot = threadIdx.x; slot < SLOTS; slot += blockDim.x) {
        keys[slot] = NO_KEY;
        times[slot] = 0;
    }
    if (threadIdx.x == 0)
        sampled = different = sectors = num_hot = 0;
    __syncthreads(); // no thread may enter a key in a table that another has yet to clear
#pragma unroll
    for (unsigned int k = 0; k < SAMPLE / SAMPLE_THREADS; k++)
        if (single[k] < num_bins) {
            enter_key(single[k], keys, times, &different);
            atomicAdd(&sampled, 1); // all threads count there
        }
    if (has_groups)
#pragma unroll
        for (unsigned int k = 0; k < GROUPS * WARP / SAMPLE_THREADS; k++)
            look_at_neighbors(neighbor[k], num_bins, &sectors);
    __syncthreads(); // no thread may look at a table that another still enters keys in
    const unsigned long long top = hottest(keys, times);
    const unsigned int top_times = (unsigned int)(top >> 32), top_key = (unsigned int)top;
    const bool is_hot = top_times >= 4 && top_times >= sampled / 32; // the same in each thread
#if OPERATION_IS(sum_f32)
    // The other hot keys: so frequent that lanes of a block often meet there.
    for (unsigned int slot = threadIdx.x; slot < SLOTS; slot += blockDim.x)
        if (times[slot] >= LEAST_HOT && !(is_hot && keys[slot] == top_key)) {
            const unsigned int n = atomicAdd(&num_hot, 1); // others note theirs now
            if (n < HOT_KEYS)
                found->hot[n] = keys[slot];
        }
    __syncthreads(); // no thread may read num_hot to which another still adds
#endif
    if (threadIdx.x != 0)
        return;
    const bool meets = top_times >= LEAST_HOT && (float)top_times > most_hot * (float)sampled;
    // Keys that are few lie in few lines of the cache, where the atomics of all blocks would wait for each other.
    const bool are_few = 4 * different < 3 * sampled;
    found->hot_key = is_hot ? top_key : NO_KEY;
    found->is_direct = has_groups && !meets && !are_few && (float)sectors < most_sectors * GROUPS;
    found->num_hot = num_hot < HOT_KEYS ? num_hot : HOT_KEYS;
}

#endif
