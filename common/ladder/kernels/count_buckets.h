/* count_buckets.h - counts keys in more bins than shared memory holds, up to 32 times as many.
 *
 * The keys are split once into 32 buckets, each of which has few enough bins for shared memory, and then each bucket
 * is counted there. Splitting is done a tile of 8,192 keys at a time. */
#ifndef LADDER_COUNT_BUCKETS_H
#define LADDER_COUNT_BUCKETS_H

#include "segments.h"

enum {
    BUCKETS = LADDER_BUCKETS,
    NEIGHBORS = LADDER_NEIGHBORS,
    SPLIT_THREADS = LADDER_SPLIT_THREADS,
    SPLIT_KEYS = LADDER_SPLIT_KEYS, // of a thread, in a tile
    TILE_ROOM = LADDER_SPLIT_ROOM,  // vectors of a tile in order: each bucket fills its last one
    COUNT_THREADS = 1024,
};

/* The bucket of a bin, and its place there: groups of eight bins are dealt to the buckets in turn. */
__device__ static unsigned int bucket_of(unsigned int bin)
{
    return bin / NEIGHBORS % BUCKETS;
}

__device__ static unsigned int place_of(unsigned int bin)
{
    return bin / (NEIGHBORS * BUCKETS) * NEIGHBORS + bin % NEIGHBORS;
}

__device__ static unsigned int bin_at(unsigned int bucket, unsigned int place)
{
    return (place / NEIGHBORS * BUCKETS + bucket) * NEIGHBORS + place % NEIGHBORS;
}

__device__ __forceinline__ static void load_tile(const struct ladder_elements *elements,
                                                 unsigned int tile, unsigned int *mine)
{
#pragma unroll
    for (unsigned int k = 0; k < SPLIT_KEYS / WORD_ELEMENTS; k++) {
        const struct word word = load_word(
            elements, tile * (LADDER_SPLIT_TILE / WORD_ELEMENTS) + k * SPLIT_THREADS + threadIdx.x,
            true);
#pragma unroll
        for (unsigned int n = 0; n < WORD_ELEMENTS; n++)
            mine[WORD_ELEMENTS * k + n] = word.x[n];
    }
}

/* Where a place lies in shared memory. Every 256 places, eight vectors change their order: when all keys
 * have one bucket, the columns of neighboring lanes would begin in the same bank. */
__device__ static unsigned int turned(unsigned int at)
{
    return at ^ (at >> 5 & 7 * VECTOR_PLACES);
}

/* One warp: counts vectors begin to end - 1. */
__device__ static void count_vectors(const uint4 *vectors, unsigned int begin, unsigned int end,
                                     unsigned int *counters)
{
    const unsigned int lane = threadIdx.x % WARP;
    for (unsigned int i = begin; i < end; i += SEGMENT_LOADS * WARP) {
        uint4 loaded[SEGMENT_LOADS];
#pragma unroll
        for (unsigned int k = 0; k < SEGMENT_LOADS; k++)
            if (i + k * WARP + lane < end)
                loaded[k] = __ldcs(&vectors[i + k * WARP + lane]);
#pragma unroll
        for (unsigned int k = 0; k < SEGMENT_LOADS; k++)
            if (i + k * WARP < end) // all lanes, or none
                combine_vector(loaded[k], i + k * WARP + lane < end, 0, counters, NULL);
    }
}

/* Counts what tiles `tile` to `end` - 1 have of a bucket: each warp takes a tile in turn, four of them
 * in flight. */
__device__ static void count_tiles(const uint4 *store, const segment *segments, unsigned int tile,
                                   unsigned int end, unsigned int *counters)
{
    const unsigned int warps = COUNT_THREADS / WARP, lane = threadIdx.x % WARP;
    for (tile += threadIdx.x / WARP; tile < end; tile += SEGMENT_LOADS * warps) {
        segment part[SEGMENT_LOADS];
        uint4 loaded[SEGMENT_LOADS];
#pragma unroll
        for (unsigned int k = 0; k < SEGMENT_LOADS; k++) {
            part[k].begin = part[k].end = 0;
            if (tile + k * warps < end)
                part[k] = segments[tile + k * warps];
        }
#pragma unroll
        for (unsigned int k = 0; k < SEGMENT_LOADS; k++)
            if (part[k].begin + lane < part[k].end)
                loaded[k] =
                    __ldcs(&store[(size_t)(tile + k * warps) * TILE_ROOM + part[k].begin + lane]);
#pragma unroll
        for (unsigned int k = 0; k < SEGMENT_LOADS; k++) {
            combine_vector(loaded[k], part[k].begin + lane < part[k].end, 0, counters, NULL);
            count_vectors(store + (size_t)(tile + k * warps) * TILE_ROOM, part[k].begin + WARP,
                          part[k].end, counters);
        }
    }
}

/* Adds up the work on each bucket: first[bucket] is that on the buckets before it, and first[BUCKETS]
 * all. */
__device__ static void sum_work(const unsigned int *work, unsigned int split_blocks,
                                unsigned int *first)
{
    if (threadIdx.x <= BUCKETS)
        first[threadIdx.x] = 0;
    __syncthreads(); // no thread may add to what another has yet to zero
    unsigned int sum = 0;
    for (unsigned int i = threadIdx.x; i < split_blocks * BUCKETS; i += COUNT_THREADS)
        sum += work[i];
    atomicAdd(&first[threadIdx.x % BUCKETS + 1], sum);
    __syncthreads(); // no thread may read sums to which another has yet to add
    if (threadIdx.x < WARP)
        first[threadIdx.x + 1] = sum_up_to_here(first[threadIdx.x + 1], WARP);
    __syncthreads(); // no thread may read first before it is complete
}

/* Turns how many keys each column has into where they begin in the tile: bucket by bucket, each at a
 * vector of its own. What remains of a bucket's last vector is filled with `nowhere`. Returns, in each
 * warp, the vectors of the bucket of a lane. */
__device__ static segment lay_out(unsigned int (*column)[WARP], unsigned int *vectors_of,
                                  uint16_t *ordered, unsigned int nowhere)
{
    enum { SHARE = BUCKETS * WARP / SPLIT_THREADS, GROUP_THREADS = WARP / SHARE }; // of a bucket
    static_assert(SHARE == 2, "a thread has two columns");
    const unsigned int bucket = threadIdx.x / GROUP_THREADS, lane = threadIdx.x % WARP;
    const bool is_last = threadIdx.x % GROUP_THREADS == GROUP_THREADS - 1;
    uint2 *pair = (uint2 *)column + threadIdx.x;
    const uint2 keys = *pair;
    const unsigned int end = sum_up_to_here(keys.x + keys.y, GROUP_THREADS);
    if (is_last)
        vectors_of[bucket] = (end + VECTOR_PLACES - 1) / VECTOR_PLACES;
    __syncthreads(); // no thread may read vectors_of before it is complete
    const unsigned int vectors = vectors_of[lane], end_vector = sum_up_to_here(vectors, WARP);
    const unsigned int begin =
        __shfl_sync(ALL_LANES, end_vector - vectors, (int)bucket) * VECTOR_PLACES;
    *pair = make_uint2(begin + end - keys.y - keys.x, begin + end - keys.y);
    for (unsigned int at = begin + end; is_last && at % VECTOR_PLACES != 0; at++)
        ordered[turned(at)] = (uint16_t)nowhere;
    const segment mine = {(uint16_t)(end_vector - vectors), (uint16_t)end_vector};
    return mine;
}

/* Counts the keys of this thread in the columns of its lane, and keeps their ranks there: four of 8 bits in each of
 * `ranks`. */
__device__ __forceinline__ static void rank_keys(const unsigned int *key, unsigned int num_bins,
                                                 unsigned int (*column)[WARP], unsigned int *ranks)
{
#pragma unroll
    for (unsigned int k = 0; k < SPLIT_KEYS; k++)
        // Atomic, because the same lane of another warp may count in this column now.
        if (key[k] < num_bins)
            ranks[k / 4] |= atomicAdd(&column[bucket_of(key[k])][threadIdx.x % WARP], 1)
                            << k % 4 * 8;
}

/* Puts the places of this thread's keys where their columns begin, and by their ranks behind that. */
__device__ __forceinline__ static void put_in_order(const unsigned int *key, unsigned int num_bins,
                                                    unsigned int (*column)[WARP],
                                                    const unsigned int *ranks, uint16_t *ordered)
{
#pragma unroll
    for (unsigned int k = 0; k < SPLIT_KEYS; k++) {
        if (key[k] < num_bins) {
            const unsigned int rank = ranks[k / 4] >> k % 4 * 8 & 0xff;
            const unsigned int at = column[bucket_of(key[k])][threadIdx.x % WARP] + rank;
            ordered[turned(at)] = (uint16_t)place_of(key[k]);
        }
    }
}

/* Writes the places of all keys to `store`, tile by tile, in each tile in order of the buckets; to
 * segments[bucket * tiles + tile] where they are; and to work[block * BUCKETS + bucket] how many loads of
 * a warp it takes to read them again. */
__global__ static void __launch_bounds__(SPLIT_THREADS, 2)
    split(struct ladder_elements elements, unsigned int num_bins, unsigned int tiles, uint4 *store,
          segment *segments, unsigned int *work, unsigned int nowhere, const struct findings *found)
{
    if (found && found->is_direct)
        return; // they go straight to their bins
    __shared__ uint4 ordered[TILE_ROOM];
    __shared__ unsigned int columns[2][BUCKETS][WARP], vectors_of[BUCKETS];
    unsigned int loads = 0; // of the bucket of this lane

    unsigned int next[SPLIT_KEYS];
    load_tile(&elements, blockIdx.x, next);
    for (unsigned int i = threadIdx.x; i < 2 * BUCKETS * WARP; i += SPLIT_THREADS)
        columns[0][0][i] = 0;
    __syncthreads(); // no thread may count in columns that another has yet to zero

    unsigned int turn = 0;
    for (unsigned int tile = blockIdx.x; tile < tiles; tile += gridDim.x, turn ^= 1) {
        unsigned int(*column)[WARP] = columns[turn];
        unsigned int key[SPLIT_KEYS];
        unsigned int ranks[SPLIT_KEYS / 4] = {0};
#pragma unroll
        for (unsigned int k = 0; k < SPLIT_KEYS; k++)
            key[k] = next[k];
        rank_keys(key, num_bins, column, ranks);
        load_tile(&elements, tile + gridDim.x, next);
        __syncthreads(); // no thread may read columns in which another still counts

        const segment mine = lay_out(column, vectors_of, (uint16_t *)ordered, nowhere);
        loads += (mine.end - mine.begin + WARP - 1) / WARP;
        if (threadIdx.x < BUCKETS)
            segments[(size_t)threadIdx.x * tiles + tile] = mine;
        const unsigned int vectors = __shfl_sync(ALL_LANES, mine.end, WARP - 1);
        __syncthreads(); // no thread may use beginnings that another has yet to write

        put_in_order(key, num_bins, column, ranks, (uint16_t *)ordered);
        __syncthreads(); // no thread may write out what another has yet to put in order

        for (unsigned int i = threadIdx.x; i < vectors; i += SPLIT_THREADS)
            store[(size_t)tile * TILE_ROOM + i] =
                ordered[turned(i * VECTOR_PLACES) / VECTOR_PLACES];

        // For the next tile but one: three barriers lie between.
        for (unsigned int i = threadIdx.x; i < BUCKETS * WARP; i += SPLIT_THREADS)
            column[0][i] = 0;
    }
    if (threadIdx.x < BUCKETS)
        work[blockIdx.x * BUCKETS + threadIdx.x] = loads;
}

/* Adds the counters of a bucket to its bins. */
__device__ static void commit_places(const unsigned int *counters, unsigned int bucket, bin_t *bins,
                                     unsigned int places)
{
#if OPERATION_IS(saturate)
    enum { AT_ONCE = 4 }; // whose sums are on their way back at the same time
    for (unsigned int first = threadIdx.x; first < places; first += AT_ONCE * COUNT_THREADS) {
        unsigned int sum[AT_ONCE];
#pragma unroll
        for (unsigned int k = 0; k < AT_ONCE; k++) {
            const unsigned int place = first + k * COUNT_THREADS;
            sum[k] = 0;
            if (place < places && counters[place] != 0) // other blocks add theirs
                sum[k] = atomicAdd(&bins[bin_at(bucket, place)], counters[place]) + counters[place];
        }
#pragma unroll
        for (unsigned int k = 0; k < AT_ONCE; k++)
            if (sum[k] > SATURATE_AT) // whoever adds too much cuts it
                atomicMin(&bins[bin_at(bucket, first + k * COUNT_THREADS)], SATURATE_AT);
    }
#else
    for (unsigned int place = threadIdx.x; place < places; place += COUNT_THREADS)
        if (counters[place] != 0)
            commit(&bins[bin_at(bucket, place)], counters[place]); // other blocks add theirs
#endif
}

/* The work on all buckets, one bucket after the other, is dealt to the blocks in equal shares. A block
 * counts its part of each bucket that it has a share in, and commits it. */
__global__ static void __launch_bounds__(COUNT_THREADS, 1)
    count_buckets(const uint4 *store, const segment *segments, const unsigned int *work,
                  unsigned int split_blocks, unsigned int tiles, bin_t *bins, unsigned int places,
                  const struct findings *found)
{
    if (found && found->is_direct)
        return;
    extern __shared__ unsigned int counters[]; // places, and one for nowhere
    __shared__ unsigned int first[BUCKETS + 1];
    sum_work(work, split_blocks, first);
    const size_t all = first[BUCKETS];
    const unsigned int begin = (unsigned int)(all * blockIdx.x / gridDim.x);
    const unsigned int end = (unsigned int)(all * (blockIdx.x + 1) / gridDim.x);

    for (unsigned int bucket = 0; bucket < BUCKETS; bucket++) {
        const unsigned int from = begin > first[bucket] ? begin : first[bucket];
        const unsigned int to = end < first[bucket + 1] ? end : first[bucket + 1];
        if (from >= to)
            continue; // all threads of the block
        // A bucket's work is about evenly spread over the tiles, so that its tiles are dealt.
        const size_t size = first[bucket + 1] - first[bucket];
        const unsigned int tile = (unsigned int)((size_t)tiles * (from - first[bucket]) / size);
        const unsigned int end_tile = (unsigned int)((size_t)tiles * (to - first[bucket]) / size);

        for (unsigned int place = threadIdx.x; place <= places; place += COUNT_THREADS)
            counters[place] = 0;
        __syncthreads();
        count_tiles(store, segments + (size_t)bucket * tiles, tile, end_tile, counters);
        __syncthreads(); // no thread may read counters while another still counts
        commit_places(counters, bucket, bins, places);
        // No barrier: for the next bucket a thread zeroes the counters that it has committed itself.
    }
}

#endif
