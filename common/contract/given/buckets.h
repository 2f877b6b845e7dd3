/* buckets.h - counts keys in many more bins than shared memory holds: given code of chapter 25.
 *
 * The keys are split once into 32 buckets, each of which has few enough bins for shared memory, and then
 * each bucket is counted there. Splitting is done a tile of 8,192 keys at a time. */
#ifndef BUCKETS_H
#define BUCKETS_H

#include <stddef.h>

#include "cuda_check.h"
#include "operation.h"

enum {
    LANES_OF_A_WARP = 32,
    BUCKETS = LANES_OF_A_WARP, // a lane for each
    NEIGHBORS = 8,             // neighboring bins that share a bucket: a sector
    SPLITTERS = 512,           // threads of a block that splits
    KEYS = 16,                 // of a thread, in a tile
    TILE = SPLITTERS * KEYS,
    COLUMNS = 8, // counters of a bucket while keys get their places in a tile
    PLACES = 8,  // 16-bit places in a vector
    ROOM = TILE / PLACES + BUCKETS,
    COUNTERS = 1024, // threads of a block that counts
    TILES_IN_FLIGHT = 4
};
static const unsigned int NO_BIN = 0xffffffffu;

static unsigned int places_of(size_t num_bins)
{
    return (unsigned int)((num_bins + NEIGHBORS * BUCKETS - 1) / (NEIGHBORS * BUCKETS)) * NEIGHBORS;
}

struct __align__(4) segment
{
    unsigned short begin, end; // vectors of a tile
};

/* Sixteen keys of a tile. What lies outside of the keys has no bin. */
__device__ static void load_keys(const element_t *keys, size_t length, size_t tile, element_t *mine)
{
    const size_t skipped = (size_t)keys % 16 / sizeof *keys;
#pragma unroll
    for (unsigned int k = 0; k < KEYS; k += 4) {
        const size_t i = tile * TILE + k * SPLITTERS + threadIdx.x * 4 - skipped; // may wrap
        uint4 four = make_uint4(NO_BIN, NO_BIN, NO_BIN, NO_BIN);
        if (i < length && length - i >= 4)
            four = __ldcs((const uint4 *)(keys + i));
        else {
            four.x = i < length ? keys[i] : NO_BIN;
            four.y = i + 1 < length ? keys[i + 1] : NO_BIN;
            four.z = i + 2 < length ? keys[i + 2] : NO_BIN;
            four.w = i + 3 < length ? keys[i + 3] : NO_BIN;
        }
        mine[k] = four.x, mine[k + 1] = four.y, mine[k + 2] = four.z, mine[k + 3] = four.w;
    }
}

/* One warp, a lane a bucket: turns how many keys each column has into the place of its first one. Each
 * bucket begins at a vector, and the rest of its last vector is filled with `nowhere`. */
__device__ static struct segment lay_out(unsigned int *column, unsigned short *ordered,
                                         unsigned int nowhere)
{
    column += threadIdx.x * COLUMNS;
    unsigned int keys = 0;
    for (unsigned int c = 0; c < COLUMNS; c++)
        keys += column[c];
    const unsigned int vectors = (keys + PLACES - 1) / PLACES;
    unsigned int end = vectors;
    for (unsigned int distance = 1; distance < LANES_OF_A_WARP; distance *= 2) {
        const unsigned int before = __shfl_up_sync(0xffffffffu, end, distance);
        end += threadIdx.x >= distance ? before : 0;
    }
    unsigned int at = (end - vectors) * PLACES;
    for (unsigned int c = 0; c < COLUMNS; c++) {
        const unsigned int count = column[c];
        column[c] = at;
        at += count;
    }
    for (; at < end * PLACES; at++)
        ordered[at] = (unsigned short)nowhere;
    return {(unsigned short)(end - vectors), (unsigned short)end};
}

/* Writes the places of the keys, but for the hot one, to `store`: tile by tile, in each in the order of
 * the buckets. segments[bucket * tiles + tile] says where; vectors_of[bucket], how many in all. */
__global__ void __launch_bounds__(SPLITTERS, 2)
    split(const element_t *keys, size_t length, bin_t *bins, unsigned int num_bins,
          unsigned int tiles, uint4 *store, struct segment *segments, unsigned int *vectors_of,
          unsigned int nowhere, const unsigned int *hot_key_found)
{
    __shared__ uint4 ordered[ROOM];
    __shared__ unsigned int columns[BUCKETS * COLUMNS], vectors;
    unsigned short *const places = (unsigned short *)ordered;
    const unsigned int hot_key = *hot_key_found;
    unsigned int of_bucket = 0, hot = 0;
    element_t key[KEYS], next[KEYS];
    load_keys(keys, length, blockIdx.x, next);
    for (unsigned int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        unsigned int rank[KEYS];
        for (unsigned int i = threadIdx.x; i < BUCKETS * COLUMNS; i += SPLITTERS)
            columns[i] = 0;
        __syncthreads(); // the columns are empty, and the last tile is written
#pragma unroll
        for (unsigned int k = 0; k < KEYS; k++) {
            key[k] = next[k];
            const unsigned int bucket = key[k] / NEIGHBORS % BUCKETS;
            if (key[k] == hot_key && hot_key < num_bins) {
                hot++;
                key[k] = NO_BIN;
            }
            if (key[k] < num_bins)
                rank[k] = atomicAdd(&columns[bucket * COLUMNS + threadIdx.x % COLUMNS], 1);
        }
        load_keys(keys, length, (size_t)tile + gridDim.x, next);
        __syncthreads(); // all keys of the tile are counted
        if (threadIdx.x < LANES_OF_A_WARP) {
            const struct segment mine = lay_out(columns, places, nowhere);
            segments[(size_t)threadIdx.x * tiles + tile] = mine;
            of_bucket += mine.end - mine.begin;
            if (threadIdx.x == BUCKETS - 1)
                vectors = mine.end;
        }
        __syncthreads(); // all buckets have their places
#pragma unroll
        for (unsigned int k = 0; k < KEYS; k++)
            if (key[k] < num_bins) {
                const unsigned int bucket = key[k] / NEIGHBORS % BUCKETS;
                const unsigned int at = columns[bucket * COLUMNS + threadIdx.x % COLUMNS];
                places[at + rank[k]] = (unsigned short)(key[k] / (NEIGHBORS * BUCKETS) * NEIGHBORS +
                                                        key[k] % NEIGHBORS);
            }
        __syncthreads(); // the tile is in order
        for (unsigned int i = threadIdx.x; i < vectors; i += SPLITTERS)
            store[(size_t)tile * ROOM + i] = ordered[i];
    }
    hot = __reduce_add_sync(0xffffffffu, hot);
    if (hot > 0 && threadIdx.x % LANES_OF_A_WARP == 0)
        atomicAdd(&bins[hot_key], hot);
    if (threadIdx.x < BUCKETS)
        atomicAdd(&vectors_of[threadIdx.x], of_bucket);
}

__device__ static void count_places(uint4 vector, unsigned int *counters)
{
    const unsigned int pairs[] = {vector.x, vector.y, vector.z, vector.w};
#pragma unroll
    for (unsigned int k = 0; k < 4; k++) {
        atomicAdd(&counters[pairs[k] & 0xffff], 1);
        atomicAdd(&counters[pairs[k] >> 16], 1);
    }
}

/* Counts what tiles `tile` to `end` - 1 have of a bucket: a tile a warp, LOADS of them in flight. */
__device__ static void count_tiles(const uint4 *store, const struct segment *segments,
                                   unsigned int tile, unsigned int end, unsigned int *counters)
{
    const unsigned int warps = COUNTERS / LANES_OF_A_WARP, lane = threadIdx.x % LANES_OF_A_WARP;
    for (tile += threadIdx.x / LANES_OF_A_WARP; tile < end; tile += TILES_IN_FLIGHT * warps) {
        const struct segment nothing = {0, 0};
        struct segment part[TILES_IN_FLIGHT];
        uint4 loaded[TILES_IN_FLIGHT];
#pragma unroll
        for (unsigned int k = 0; k < TILES_IN_FLIGHT; k++)
            part[k] = tile + k * warps < end ? segments[tile + k * warps] : nothing;
#pragma unroll
        for (unsigned int k = 0; k < TILES_IN_FLIGHT; k++)
            if (part[k].begin + lane < part[k].end)
                loaded[k] =
                    __ldcs(&store[(size_t)(tile + k * warps) * ROOM + part[k].begin + lane]);
#pragma unroll
        for (unsigned int k = 0; k < TILES_IN_FLIGHT; k++) {
            if (part[k].begin + lane < part[k].end)
                count_places(loaded[k], counters);
            for (unsigned int i = part[k].begin + lane + LANES_OF_A_WARP; i < part[k].end;
                 i += LANES_OF_A_WARP)
                count_places(__ldcs(&store[(size_t)(tile + k * warps) * ROOM + i]), counters);
        }
    }
}

/* The vectors of all buckets, one bucket after the other, are dealt to the blocks in equal shares. */
__global__ void __launch_bounds__(COUNTERS, 1)
    count_buckets(const uint4 *store, const struct segment *segments,
                  const unsigned int *vectors_of, unsigned int tiles, bin_t *bins,
                  unsigned int places)
{
    extern __shared__ unsigned int counters[]; // places, and one for nowhere
    unsigned int all = 0, first = 0;
    for (unsigned int bucket = 0; bucket < BUCKETS; bucket++)
        all += vectors_of[bucket];
    const unsigned int begin = (unsigned int)((size_t)all * blockIdx.x / gridDim.x);
    const unsigned int end = (unsigned int)((size_t)all * (blockIdx.x + 1) / gridDim.x);
    for (unsigned int bucket = 0; bucket < BUCKETS; bucket++) {
        const unsigned int size = vectors_of[bucket];
        const unsigned int from = begin > first ? begin - first : 0;
        const unsigned int to = end < first ? 0 : end - first < size ? end - first : size;
        first += size;
        if (from >= to)
            continue; // all threads of the block
        for (unsigned int place = threadIdx.x; place <= places; place += COUNTERS)
            counters[place] = 0;
        __syncthreads(); // no thread may count in what another has yet to clear
        // A bucket's vectors are about evenly spread over the tiles, so that its tiles are dealt.
        count_tiles(store, segments + (size_t)bucket * tiles,
                    (unsigned int)((size_t)tiles * from / size),
                    (unsigned int)((size_t)tiles * to / size), counters);
        __syncthreads(); // no thread may read what another still counts in
        for (unsigned int place = threadIdx.x; place < places; place += COUNTERS)
            if (counters[place] > 0)
                atomicAdd(
                    &bins[(place / NEIGHBORS * BUCKETS + bucket) * NEIGHBORS + place % NEIGHBORS],
                    counters[place]);
        __syncthreads(); // no thread may clear what another has yet to commit
    }
}

/* Bytes of shared memory that a block needs to count a bucket. */
static size_t bytes_of_a_bucket(size_t num_bins)
{
    return (places_of(num_bins) + 1) * sizeof(unsigned int);
}

/* Adds to each bin how many elements have it; the sums may pass the limit of saturate. For at most so
 * many bins that bytes_of_a_bucket() fit. *hot_key_found, on the device, is a key that is kept apart,
 * since it is so frequent, or a number that no bin has. Fewer than 2^32 - 2 elements. */
static void count_in_buckets(const element_t *d_elements, size_t length, bin_t *d_bins,
                             size_t num_bins, unsigned int blocks,
                             const unsigned int *hot_key_found)
{
    const size_t tiles = (length + 3 + TILE - 1) / TILE; // the first may begin 3 keys early
    const unsigned int places = places_of(num_bins);
    const size_t table = bytes_of_a_bucket(num_bins);
    const size_t store_bytes = tiles * ROOM * sizeof(uint4);
    const size_t segment_bytes = tiles * BUCKETS * sizeof(struct segment);
    char *space;
    CHECK(cudaMallocAsync(&space, store_bytes + segment_bytes + BUCKETS * sizeof(int), 0));
    struct segment *segments = (struct segment *)(space + store_bytes);
    unsigned int *vectors_of = (unsigned int *)(space + store_bytes + segment_bytes);
    CHECK(cudaMemsetAsync(vectors_of, 0, BUCKETS * sizeof *vectors_of));
    const unsigned int splitting = tiles < 2 * blocks ? (unsigned int)tiles : 2 * blocks;
    split<<<splitting, SPLITTERS>>>(d_elements, length, d_bins, (unsigned int)num_bins,
                                    (unsigned int)tiles, (uint4 *)space, segments, vectors_of,
                                    places, hot_key_found);
    CHECK(cudaFuncSetAttribute(count_buckets, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               (int)table));
    count_buckets<<<blocks, COUNTERS, table>>>((const uint4 *)space, segments, vectors_of,
                                               (unsigned int)tiles, d_bins, places);
    CHECK(cudaFreeAsync(space, 0));
}

#endif
