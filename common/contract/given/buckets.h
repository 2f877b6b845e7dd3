/* buckets.h - counts keys in many more bins than shared memory holds: given code of chapter 25.
 *
 * The keys are split once into 32 buckets, each of which has few enough bins for shared memory, and then
 * each bucket is counted there. Splitting is done a tile of 8,192 keys at a time. */
#ifndef BUCKETS_H
#define BUCKETS_H

#include <stddef.h>
#include <stdint.h>

#include "bucket_tile.h"
#include "count_segments.h"
#include "cuda_check.h"
#include "device.h"

/* Turns how many keys each column has into where they begin in the tile: bucket by bucket, each at a
 * vector of its own. What remains of a bucket's last vector is filled with `nowhere`. Returns, in each
 * warp, the vectors of the bucket of a lane. */
__device__ static segment lay_out(unsigned int (*column)[SPLIT_LANES], unsigned int *vectors_of,
                                  uint16_t *ordered, unsigned int nowhere)
{
    enum {
        SHARE = BUCKETS * SPLIT_LANES / SPLIT_THREADS,
        GROUP_THREADS = SPLIT_LANES / SHARE
    }; // of a bucket
    static_assert(SHARE == 2, "a thread has two columns");
    const unsigned int bucket = threadIdx.x / GROUP_THREADS, lane = threadIdx.x % SPLIT_LANES;
    const bool is_last = threadIdx.x % GROUP_THREADS == GROUP_THREADS - 1;
    uint2 *pair = (uint2 *)column + threadIdx.x;
    const uint2 keys = *pair;
    const unsigned int end = sum_up_to_here(keys.x + keys.y, GROUP_THREADS);
    if (is_last)
        vectors_of[bucket] = (end + VECTOR_PLACES - 1) / VECTOR_PLACES;
    __syncthreads(); // no thread may read vectors_of before it is complete
    const unsigned int vectors = vectors_of[lane],
                       end_vector = sum_up_to_here(vectors, SPLIT_LANES);
    const unsigned int begin =
        __shfl_sync(0xffffffffu, end_vector - vectors, (int)bucket) * VECTOR_PLACES;
    *pair = make_uint2(begin + end - keys.y - keys.x, begin + end - keys.y);
    for (unsigned int at = begin + end; is_last && at % VECTOR_PLACES != 0; at++)
        ordered[turned(at)] = (uint16_t)nowhere;
    const segment mine = {(uint16_t)(end_vector - vectors), (uint16_t)end_vector};
    return mine;
}

/* Counts the keys of this thread in the columns of its lane, and keeps their ranks there: four of 8 bits in each of
 * `ranks`. */
__device__ __forceinline__ static void rank_keys(const element_t *key, unsigned int num_bins,
                                                 unsigned int (*column)[SPLIT_LANES],
                                                 unsigned int *ranks)
{
#pragma unroll
    for (unsigned int k = 0; k < SPLIT_KEYS; k++)
        // Atomic, because the same lane of another warp may count in this column now.
        if (key[k] < num_bins)
            ranks[k / 4] |= atomicAdd(&column[bucket_of(key[k])][threadIdx.x % SPLIT_LANES], 1)
                            << k % 4 * 8;
}

/* Puts the places of this thread's keys where their columns begin, and by their ranks behind that. */
__device__ __forceinline__ static void put_in_order(const element_t *key, unsigned int num_bins,
                                                    unsigned int (*column)[SPLIT_LANES],
                                                    const unsigned int *ranks, uint16_t *ordered)
{
#pragma unroll
    for (unsigned int k = 0; k < SPLIT_KEYS; k++) {
        if (key[k] < num_bins) {
            const unsigned int rank = ranks[k / 4] >> k % 4 * 8 & 0xff;
            const unsigned int at = column[bucket_of(key[k])][threadIdx.x % SPLIT_LANES] + rank;
            ordered[turned(at)] = (uint16_t)place_of(key[k]);
        }
    }
}

/* Writes the places of all keys to `store`, tile by tile, in each tile in order of the buckets; to
 * segments[bucket * tiles + tile] where they are; and to work[block * BUCKETS + bucket] how many loads of
 * a warp it takes to read them again. */
__global__ void __launch_bounds__(SPLIT_THREADS, 2)
    split(const element_t *keys, size_t length, unsigned int num_bins, unsigned int tiles,
          uint4 *store, segment *segments, unsigned int *work, unsigned int nowhere)
{
    __shared__ uint4 ordered[TILE_ROOM];
    __shared__ unsigned int columns[2][BUCKETS][SPLIT_LANES], vectors_of[BUCKETS];
    const unsigned int skipped = (unsigned int)((size_t)keys % 16 / sizeof *keys);
    unsigned int loads = 0; // of the bucket of this lane

    element_t next[SPLIT_KEYS];
    load_tile(keys, length, skipped, blockIdx.x, next);
    for (unsigned int i = threadIdx.x; i < 2 * BUCKETS * SPLIT_LANES; i += SPLIT_THREADS)
        columns[0][0][i] = 0;
    __syncthreads(); // no thread may count in columns that another has yet to zero

    unsigned int turn = 0;
    for (unsigned int tile = blockIdx.x; tile < tiles; tile += gridDim.x, turn ^= 1) {
        unsigned int(*column)[SPLIT_LANES] = columns[turn];
        element_t key[SPLIT_KEYS];
        unsigned int ranks[SPLIT_KEYS / 4] = {0};
#pragma unroll
        for (unsigned int k = 0; k < SPLIT_KEYS; k++)
            key[k] = next[k];
        rank_keys(key, num_bins, column, ranks);
        load_tile(keys, length, skipped, (size_t)tile + gridDim.x, next);
        __syncthreads(); // no thread may read columns in which another still counts

        const segment mine = lay_out(column, vectors_of, (uint16_t *)ordered, nowhere);
        loads += (mine.end - mine.begin + SPLIT_LANES - 1) / SPLIT_LANES;
        if (threadIdx.x < BUCKETS)
            segments[(size_t)threadIdx.x * tiles + tile] = mine;
        const unsigned int vectors = __shfl_sync(0xffffffffu, mine.end, SPLIT_LANES - 1);
        __syncthreads(); // no thread may use beginnings that another has yet to write

        put_in_order(key, num_bins, column, ranks, (uint16_t *)ordered);
        __syncthreads(); // no thread may write out what another has yet to put in order

        for (unsigned int i = threadIdx.x; i < vectors; i += SPLIT_THREADS)
            store[(size_t)tile * TILE_ROOM + i] =
                ordered[turned(i * VECTOR_PLACES) / VECTOR_PLACES];

        // For the next tile but one: three barriers lie between.
        for (unsigned int i = threadIdx.x; i < BUCKETS * SPLIT_LANES; i += SPLIT_THREADS)
            column[0][i] = 0;
    }
    if (threadIdx.x < BUCKETS)
        work[blockIdx.x * BUCKETS + threadIdx.x] = loads;
}

/* The work on all buckets, one bucket after the other, is dealt to the blocks in equal shares. A block
 * counts its part of each bucket that it has a share in, and commits it. */
__global__ void __launch_bounds__(COUNT_THREADS, 1)
    count_buckets(const uint4 *store, const segment *segments, const unsigned int *work,
                  unsigned int split_blocks, unsigned int tiles, bin_t *bins, unsigned int places)
{
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
        for (unsigned int place = threadIdx.x; place < places; place += COUNT_THREADS)
            if (counters[place] != 0)
                atomicAdd(&bins[bin_at(bucket, place)], counters[place]); // other blocks add theirs
        // No barrier: for the next bucket a thread zeroes the counters that it has committed itself.
    }
}

#if OPERATION_IS(saturate)
/* Cuts sums that are too large. */
__global__ void cut_bins(bin_t *bins, size_t num_bins)
{
    const size_t j = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (j >= num_bins)
        return;
    const bin_t held = bins[j], cut = combine(neutral(), held);
    if (held != cut)
        bins[j] = cut;
}
#endif

/* Combines how many elements have it into each bin. For at most so many bins that bytes_of_a_bucket() fit. */
static inline void count_in_buckets(const element_t *d_elements, size_t length, bin_t *d_bins,
                                    size_t num_bins)
{
    keep_workspaces();
    const size_t multiprocessors = device_has(cudaDevAttrMultiProcessorCount);
    const size_t tiles = (length + 3 + TILE_KEYS - 1) / TILE_KEYS; // 3 keys may be skipped
    const size_t places = places_of(num_bins), table = (places + 1) * sizeof(unsigned int);
    const size_t split_blocks = tiles < 2 * multiprocessors ? tiles : 2 * multiprocessors;
    const size_t count_blocks = 2 * tiles < multiprocessors ? 2 * tiles : multiprocessors;
    const size_t store_bytes = tiles * TILE_ROOM * sizeof(uint4);
    const size_t segment_bytes = tiles * BUCKETS * sizeof(segment);
    char *space;
    CHECK(cudaMallocAsync(&space, store_bytes + segment_bytes + split_blocks * BUCKETS * 4, 0));
    uint4 *store = (uint4 *)space;
    segment *segments = (segment *)(space + store_bytes);
    unsigned int *work = (unsigned int *)(space + store_bytes + segment_bytes);
    split<<<(unsigned int)split_blocks, SPLIT_THREADS>>>(d_elements, length, (unsigned int)num_bins,
                                                         (unsigned int)tiles, store, segments, work,
                                                         (unsigned int)places);
    CHECK(cudaGetLastError());
    CHECK(cudaFuncSetAttribute(count_buckets, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               (int)table));
    count_buckets<<<(unsigned int)count_blocks, COUNT_THREADS, table>>>(
        store, segments, work, (unsigned int)split_blocks, (unsigned int)tiles, d_bins,
        (unsigned int)places);
    CHECK(cudaGetLastError());
#if OPERATION_IS(saturate)
    const size_t cut_blocks = (num_bins + COUNT_THREADS - 1) / COUNT_THREADS;
    cut_bins<<<(unsigned int)cut_blocks, COUNT_THREADS>>>(d_bins, num_bins);
    CHECK(cudaGetLastError());
#endif
    CHECK(cudaFreeAsync(space, 0));
}

#endif
