/* many_buckets.h - counts keys in millions of bins: given code, the partition of chapter 25 for as many
 * buckets as the bins need.
 *
 * The keys are dealt to buckets of 32,768 neighboring bins, a tile at a time: a tile is read twice, first to
 * count what each bucket gets, then to put it in order. Then each bucket is counted in shared memory. */
#ifndef MANY_BUCKETS_H
#define MANY_BUCKETS_H

#include <stddef.h>
#include <stdint.h>

#include "buckets.h"

enum {
    BUCKET_BITS = 15,
    BUCKET_BINS = 1 << BUCKET_BITS,
    MOST_BUCKETS = 4096,
    MOST_BINS_IN_BUCKETS = MOST_BUCKETS * BUCKET_BINS,
    DEAL_THREADS = 1024,
    DEAL_LANES = 32,
    DEAL_WARPS = DEAL_THREADS / DEAL_LANES,
    MANY_LANES = 8,  // of a warp, with one bucket: they ask for places together
    GROUP_LANES = 8, // that read one segment
    GROUPS = DEAL_THREADS / GROUP_LANES,
    SOME_TILES = GROUPS * COUNT_LOADS,
    LONG_VECTORS = 64, // a longer segment is read in pieces, each by a warp
    PIECES = 8,
};

/* load_word(), of keys that are read once more soon. */
__device__ static uint4 load_word_kept(const element_t *keys, size_t length, unsigned int skipped,
                                       size_t word)
{
    const size_t i = word * 4 - skipped;
    if (i < length && length - i >= 4)
        return *(const uint4 *)(keys + i);
    return load_word(keys, length, skipped, word);
}

/* The sum of `value` over the threads of the block before this one; *all is that over all threads. */
__device__ static unsigned int sum_before(unsigned int value, unsigned int *sums_of_warps,
                                          unsigned int *all)
{
    const unsigned int lane = threadIdx.x % DEAL_LANES, warp = threadIdx.x / DEAL_LANES;
    const unsigned int in_warp = sum_up_to_here(value, DEAL_LANES);
    if (lane == DEAL_LANES - 1)
        sums_of_warps[warp] = in_warp;
    __syncthreads(); // no thread may read sums_of_warps before it is complete
    const unsigned int of_warp = sums_of_warps[lane];
    const unsigned int up_to_warp = sum_up_to_here(of_warp, DEAL_LANES);
    *all = __shfl_sync(0xffffffffu, up_to_warp, DEAL_LANES - 1);
    const unsigned int before = __shfl_sync(0xffffffffu, up_to_warp - of_warp, (int)warp);
    __syncthreads(); // no thread may write the next sums while another still reads these
    return before + in_warp - value;
}

__device__ static unsigned int fine_bucket_of(unsigned int key, unsigned int num_bins)
{
    return key < num_bins ? key >> BUCKET_BITS : (unsigned int)MOST_BUCKETS;
}

/* Puts the places of four keys of each lane into the tile. All lanes of the warp call it: where many of them
 * have the bucket of lane 0, these ask for their places together, since lanes at one counter wait for each
 * other. */
__device__ static void put_in_order(const unsigned int *key, unsigned int num_bins,
                                    unsigned int *cursor, uint16_t *ordered)
{
    const unsigned int lane = threadIdx.x % DEAL_LANES, before = (1u << lane) - 1;
    const unsigned int common = __shfl_sync(0xffffffffu, fine_bucket_of(key[0], num_bins), 0);
    const unsigned int have_it =
        __ballot_sync(0xffffffffu, fine_bucket_of(key[0], num_bins) == common);
    const bool together = common < MOST_BUCKETS && __popc(have_it) >= MANY_LANES;
    unsigned int at[4], first = 0;
    if (together) { // all lanes, or none
        unsigned int sum = 0;
#pragma unroll
        for (unsigned int k = 0; k < 4; k++) {
            const unsigned int same =
                __ballot_sync(0xffffffffu, fine_bucket_of(key[k], num_bins) == common);
            at[k] = sum + (unsigned int)__popc(same & before);
            sum += (unsigned int)__popc(same);
        }
        if (lane == 0)
            first = atomicAdd(&cursor[common], sum);
        first = __shfl_sync(0xffffffffu, first, 0);
    }
#pragma unroll
    for (unsigned int k = 0; k < 4; k++)
        if (key[k] < num_bins) {
            const unsigned int bucket = key[k] >> BUCKET_BITS;
            const unsigned int place =
                together && bucket == common ? first + at[k] : atomicAdd(&cursor[bucket], 1);
            ordered[place] = (uint16_t)(key[k] % BUCKET_BINS);
        }
}

/* Writes the places of all keys to `store`, tile by tile, in each tile in order of the buckets; to
 * segments[bucket * tiles + tile] where they are; and adds to work[bucket] how many vectors it has. A tile
 * has tile_words words of four keys. */
__global__ void __launch_bounds__(DEAL_THREADS)
    deal(const element_t *keys, size_t length, unsigned int num_bins, unsigned int tiles,
         unsigned int tile_words, unsigned int buckets, uint4 *store, segment *segments,
         unsigned int *work)
{
    extern __shared__ uint4 ordered[]; // a tile's places; behind them cursor and mine
    __shared__ unsigned int sums_of_warps[DEAL_WARPS];
    const unsigned int room = tile_words / 2 + buckets; // vectors
    unsigned int *cursor = (unsigned int *)(ordered + room), *mine = cursor + buckets;
    const unsigned int skipped = (unsigned int)((size_t)keys % 16 / sizeof *keys);
    const unsigned int share = (buckets + DEAL_THREADS - 1) / DEAL_THREADS;
    for (unsigned int b = threadIdx.x; b < buckets; b += DEAL_THREADS)
        mine[b] = 0;
    for (unsigned int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        for (unsigned int b = threadIdx.x; b < buckets; b += DEAL_THREADS)
            cursor[b] = 0;
        __syncthreads(); // no thread may count in what another has yet to zero
        const size_t first_word = (size_t)tile * tile_words;
#pragma unroll 4
        for (unsigned int i = threadIdx.x; i < tile_words; i += DEAL_THREADS) {
            const uint4 word = load_word_kept(keys, length, skipped, first_word + i);
            const unsigned int four[] = {word.x, word.y, word.z, word.w};
#pragma unroll
            for (unsigned int k = 0; k < 4; k++)
                if (four[k] < num_bins)
                    atomicAdd(&cursor[four[k] >> BUCKET_BITS], 1);
        }
        __syncthreads(); // no thread may read counts to which another still adds
        unsigned int vectors = 0, all;
        for (unsigned int b = threadIdx.x * share; b < (threadIdx.x + 1) * share && b < buckets;
             b++)
            vectors += (cursor[b] + VECTOR_PLACES - 1) / VECTOR_PLACES;
        unsigned int begin = sum_before(vectors, sums_of_warps, &all);
        for (unsigned int b = threadIdx.x * share; b < (threadIdx.x + 1) * share && b < buckets;
             b++) {
            const unsigned int count = cursor[b];
            const unsigned int end = begin + (count + VECTOR_PLACES - 1) / VECTOR_PLACES;
            const segment part = {(uint16_t)begin, (uint16_t)end};
            segments[(size_t)b * tiles + tile] = part;
            mine[b] += end - begin;
            cursor[b] = begin * VECTOR_PLACES;
            for (unsigned int at = begin * VECTOR_PLACES + count; at < end * VECTOR_PLACES; at++)
                ((uint16_t *)ordered)[at] = BUCKET_BINS; // no bin of the bucket
            begin = end;
        }
        __syncthreads(); // no thread may ask for a place before all buckets have their beginnings
#pragma unroll 4
        for (unsigned int i = threadIdx.x; i < tile_words; i += DEAL_THREADS) {
            const uint4 word = load_word_kept(keys, length, skipped, first_word + i);
            const unsigned int four[] = {word.x, word.y, word.z, word.w};
            put_in_order(four, num_bins, cursor, (uint16_t *)ordered);
        }
        __syncthreads(); // no thread may write out what another has yet to put in order
        for (unsigned int i = threadIdx.x; i < all; i += DEAL_THREADS)
            store[(size_t)tile * room + i] = ordered[i];
        __syncthreads(); // no thread may fill the next tile while another still writes out this one
    }
    for (unsigned int b = threadIdx.x; b < buckets; b += DEAL_THREADS)
        atomicAdd(&work[b], mine[b]);
}

/* Segments of more than LONG_VECTORS, which the warps of a block count piece by piece. */
struct long_segments {
    unsigned int number, tiles[SOME_TILES];
};

/* One group of lanes: counts what its tiles of SOME_TILES have of a bucket, and notes long segments. */
__device__ static void count_short(const uint4 *store, const segment *segments, unsigned int room,
                                   unsigned int tile, unsigned int end, unsigned int *counters,
                                   struct long_segments *long_ones)
{
    const unsigned int group = threadIdx.x / GROUP_LANES, lane = threadIdx.x % GROUP_LANES;
    segment part[COUNT_LOADS];
    uint4 loaded[COUNT_LOADS];
#pragma unroll
    for (unsigned int k = 0; k < COUNT_LOADS; k++) {
        const unsigned int t = tile + group + k * GROUPS;
        part[k].begin = part[k].end = 0;
        if (t < end)
            part[k] = segments[t];
        if (part[k].end - part[k].begin > LONG_VECTORS) {
            if (lane == 0)
                long_ones->tiles[atomicAdd(&long_ones->number, 1)] = t;
            part[k].end = part[k].begin;
        }
    }
#pragma unroll
    for (unsigned int k = 0; k < COUNT_LOADS; k++)
        if (part[k].begin + lane < part[k].end)
            loaded[k] =
                __ldcs(&store[(size_t)(tile + group + k * GROUPS) * room + part[k].begin + lane]);
#pragma unroll
    for (unsigned int k = 0; k < COUNT_LOADS; k++) {
        if (part[k].begin + lane < part[k].end)
            count_places(loaded[k], counters);
        for (unsigned int i = part[k].begin + GROUP_LANES + lane; i < part[k].end; i += GROUP_LANES)
            count_places(__ldcs(&store[(size_t)(tile + group + k * GROUPS) * room + i]), counters);
    }
}

/* Counts what tiles `tile` to `end` - 1 have of a bucket. */
__device__ static void count_segments(const uint4 *store, const segment *segments,
                                      unsigned int room, unsigned int tile, unsigned int end,
                                      unsigned int *counters, struct long_segments *long_ones)
{
    for (; tile < end; tile += SOME_TILES) {
        count_short(store, segments, room, tile, end, counters, long_ones);
        __syncthreads(); // no thread may read the list to which another still adds
        const unsigned int pieces = long_ones->number * PIECES;
        for (unsigned int n = threadIdx.x / DEAL_LANES; n < pieces; n += DEAL_WARPS) {
            const unsigned int t = long_ones->tiles[n / PIECES], piece = n % PIECES;
            const segment part = segments[t];
            const unsigned int size = part.end - part.begin;
            count_vectors(store + (size_t)t * room, part.begin + size * piece / PIECES,
                          part.begin + size * (piece + 1) / PIECES, counters);
        }
        __syncthreads(); // no thread may begin a new list while another still reads this one
        if (threadIdx.x == 0)
            long_ones->number = 0;
        __syncthreads(); // no thread may add to a list that has yet to be emptied
    }
}

/* What a bucket costs, in vectors: those that it has, its counters, and a segment in each tile, however
 * short. Without the last two a few blocks would count nearly all buckets when one has nearly all keys. */
__device__ static unsigned int cost_of(unsigned int vectors, unsigned int tiles)
{
    return vectors == 0 ? 0 : vectors + BUCKET_BINS / VECTOR_PLACES + 2 * tiles;
}

/* The work on all buckets is dealt to the blocks in equal shares, as count_buckets() does. */
__global__ void __launch_bounds__(DEAL_THREADS, 1)
    count_many_buckets(const uint4 *store, const segment *segments, const unsigned int *work,
                       unsigned int tiles, unsigned int room, unsigned int buckets, bin_t *bins,
                       unsigned int num_bins)
{
    extern __shared__ unsigned int counters[]; // one for each bin of a bucket, one for none
    __shared__ unsigned int first[MOST_BUCKETS + 1], sums_of_warps[DEAL_WARPS];
    __shared__ struct long_segments long_ones;
    const unsigned int share = MOST_BUCKETS / DEAL_THREADS, mine = threadIdx.x * share;
    unsigned int sum = 0, all;
    for (unsigned int b = mine; b < mine + share; b++)
        sum += b < buckets ? cost_of(work[b], tiles) : 0;
    unsigned int before = sum_before(sum, sums_of_warps, &all);
    for (unsigned int b = mine; b < mine + share; b++) {
        first[b] = before;
        before += b < buckets ? cost_of(work[b], tiles) : 0;
    }
    if (threadIdx.x == 0)
        first[MOST_BUCKETS] = all;
    __syncthreads(); // no thread may read first before it is complete
    const unsigned int begin = (unsigned int)((size_t)all * blockIdx.x / gridDim.x);
    const unsigned int end = (unsigned int)((size_t)all * (blockIdx.x + 1) / gridDim.x);
    unsigned int low = 0;
    for (unsigned int step = MOST_BUCKETS / 2; step > 0; step /= 2)
        if (first[low + step] <= begin)
            low += step; // the last bucket that begins at or before `begin`
    for (unsigned int bucket = low; bucket < buckets && first[bucket] < end; bucket++) {
        const unsigned int from = begin > first[bucket] ? begin : first[bucket];
        const unsigned int to = end < first[bucket + 1] ? end : first[bucket + 1];
        if (from >= to)
            continue; // all threads of the block
        const size_t size = first[bucket + 1] - first[bucket];
        const unsigned int tile = (unsigned int)((size_t)tiles * (from - first[bucket]) / size);
        const unsigned int end_tile = (unsigned int)((size_t)tiles * (to - first[bucket]) / size);
        for (unsigned int place = threadIdx.x; place <= BUCKET_BINS; place += DEAL_THREADS)
            counters[place] = 0;
        if (threadIdx.x == 0)
            long_ones.number = 0;
        __syncthreads(); // no thread may count in what another has yet to zero
        count_segments(store, segments + (size_t)bucket * tiles, room, tile, end_tile, counters,
                       &long_ones);
        __syncthreads(); // no thread may read counters while another still counts
        const unsigned int first_bin = bucket << BUCKET_BITS;
        for (unsigned int place = threadIdx.x; place < BUCKET_BINS; place += DEAL_THREADS)
            if (counters[place] != 0 && first_bin + place < num_bins)
                commit(&bins[first_bin + place], counters[place]);
        // No barrier: for the next bucket a thread zeroes the counters that it has committed itself.
    }
}

/* Combines how many elements have it into each bin, of at most MOST_BINS_IN_BUCKETS. */
static inline void count_in_many_buckets(const element_t *d_elements, size_t length, bin_t *d_bins,
                                         size_t num_bins)
{
    keep_workspaces();
    const size_t multiprocessors = device_has(cudaDevAttrMultiProcessorCount);
    const size_t buckets = (num_bins + BUCKET_BINS - 1) / BUCKET_BINS;
    const size_t tile_words = (buckets <= 1024 ? 6 : 12) * DEAL_THREADS;
    const size_t tiles = (length + 3 + tile_words * 4 - 1) / (tile_words * 4);
    const size_t room = tile_words / 2 + buckets;
    const size_t table = room * sizeof(uint4) + 2 * buckets * sizeof(unsigned int);
    const size_t store_bytes = tiles * room * sizeof(uint4);
    const size_t segment_bytes = tiles * buckets * sizeof(segment);
    char *space;
    CHECK(cudaMallocAsync(&space, store_bytes + segment_bytes + buckets * 4, 0));
    uint4 *store = (uint4 *)space;
    segment *segments = (segment *)(space + store_bytes);
    unsigned int *work = (unsigned int *)(space + store_bytes + segment_bytes);
    CHECK(cudaMemsetAsync(work, 0, buckets * 4, 0));
    const size_t blocks = multiprocessors * (buckets <= 1024 ? 2 : 1);
    CHECK(cudaFuncSetAttribute(deal, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)table));
    deal<<<(unsigned int)(tiles < blocks ? tiles : blocks), DEAL_THREADS, table>>>(
        d_elements, length, (unsigned int)num_bins, (unsigned int)tiles, (unsigned int)tile_words,
        (unsigned int)buckets, store, segments, work);
    CHECK(cudaGetLastError());
    const size_t counters = (BUCKET_BINS + 1) * sizeof(unsigned int);
    CHECK(cudaFuncSetAttribute(count_many_buckets, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               (int)counters));
    count_many_buckets<<<(unsigned int)multiprocessors, DEAL_THREADS, counters>>>(
        store, segments, work, (unsigned int)tiles, (unsigned int)room, (unsigned int)buckets,
        d_bins, (unsigned int)num_bins);
    CHECK(cudaGetLastError());
    CHECK(cudaFreeAsync(space, 0));
}

#endif
