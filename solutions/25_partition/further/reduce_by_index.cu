/* 25, further. As few buckets as hold the bins: 2^shift of them.
 *
 * Everything else is the chapter's. Lanes, columns and sums are made for 32 buckets, as before; those
 * that are not used have no keys, no segment, and no part in the counting. */
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "cuda_check.h" // CHECK(call): a call that fails ends the program with one line
#include "reduce_by_index.h"

#if !OPERATION_IS(count) && !OPERATION_IS(saturate)
#error "chapter 25 counts keys: OPERATION must be count or saturate"
#endif

#include "given/bucket_tile.h"    // load_tile(); turned()
#include "given/count_segments.h" // count_tiles(); sum_work()
#include "given/device.h"

/* The bucket of a bin, and its place there: groups of eight bins are dealt to the 2^shift buckets in turn. */
__device__ static unsigned int bucket_of_few(unsigned int bin, unsigned int shift)
{
    return bin / NEIGHBORS & ((1u << shift) - 1);
}

__device__ static unsigned int place_of_few(unsigned int bin, unsigned int shift)
{
    return (bin >> shift) / NEIGHBORS * NEIGHBORS + bin % NEIGHBORS;
}

__device__ static unsigned int bin_of_few(unsigned int bucket, unsigned int place,
                                          unsigned int shift)
{
    return ((place / NEIGHBORS << shift) + bucket) * NEIGHBORS + place % NEIGHBORS;
}

/* Counts the keys of this thread, each in the column of its bucket and this lane. The rank of key k is
 * byte k % 4 of ranks[k / 4]. */
__device__ __forceinline__ static void rank_keys(const element_t *key, unsigned int num_bins,
                                                 unsigned int shift,
                                                 unsigned int (*column)[SPLIT_LANES],
                                                 unsigned int *ranks)
{
    const unsigned int lane = threadIdx.x % SPLIT_LANES;
#pragma unroll
    for (unsigned int k = 0; k < SPLIT_KEYS; k++) {
        // Atomic, because the same lane of another warp may count in this column now.
        if (key[k] < num_bins)
            ranks[k / 4] |= atomicAdd(&column[bucket_of_few(key[k], shift)][lane], 1) << k % 4 * 8;
    }
}

/* Turns how many keys each column has into where they begin in the tile: bucket by bucket, each at a
 * vector of its own. What remains of a bucket's last vector is filled with `nowhere`. Returns, in each
 * warp, the vectors of the bucket of a lane. */
__device__ static segment lay_out(unsigned int (*column)[SPLIT_LANES], unsigned int *vectors_of,
                                  uint16_t *ordered, unsigned int nowhere)
{
    enum { GROUP = BUCKETS * SPLIT_LANES / SPLIT_THREADS, THREADS = SPLIT_LANES / GROUP };
    static_assert(GROUP == 2, "a thread has two columns, and 16 threads have those of a bucket");
    const unsigned int bucket = threadIdx.x / THREADS, lane = threadIdx.x % SPLIT_LANES;
    const bool is_last = threadIdx.x % THREADS == THREADS - 1;
    uint2 *pair = (uint2 *)column + threadIdx.x; // the columns of this thread
    const uint2 keys = *pair;
    const unsigned int end = sum_up_to_here(keys.x + keys.y, THREADS); // in the bucket
    if (is_last)
        vectors_of[bucket] = (end + VECTOR_PLACES - 1) / VECTOR_PLACES;
    __syncthreads(); // no thread may read vectors_of before it is complete
    const unsigned int vectors = vectors_of[lane];
    const unsigned int end_vector = sum_up_to_here(vectors, SPLIT_LANES);
    const unsigned int begin =
        __shfl_sync(0xffffffffu, end_vector - vectors, (int)bucket) * VECTOR_PLACES;
    *pair = make_uint2(begin + end - keys.y - keys.x, begin + end - keys.y);
    for (unsigned int at = begin + end; is_last && at % VECTOR_PLACES != 0; at++)
        ordered[turned(at)] = (uint16_t)nowhere;
    const segment mine = {(uint16_t)(end_vector - vectors), (uint16_t)end_vector};
    return mine;
}

/* Puts the places of this thread's keys into the tile, in the order of their buckets. */
__device__ __forceinline__ static void put_in_order(const element_t *key, unsigned int num_bins,
                                                    unsigned int shift,
                                                    unsigned int (*column)[SPLIT_LANES],
                                                    const unsigned int *ranks, uint16_t *ordered)
{
    const unsigned int lane = threadIdx.x % SPLIT_LANES;
#pragma unroll
    for (unsigned int k = 0; k < SPLIT_KEYS; k++) {
        if (key[k] < num_bins) {
            const unsigned int rank = ranks[k / 4] >> k % 4 * 8 & 0xff;
            const unsigned int at = column[bucket_of_few(key[k], shift)][lane] + rank;
            ordered[turned(at)] = (uint16_t)place_of_few(key[k], shift);
        }
    }
}

/* Writes the places of all keys to `store`, tile by tile, in each tile in order of the buckets; to
 * segments[bucket * tiles + tile] where they are; and to work[block * BUCKETS + bucket] how many loads of
 * a warp it takes to read them again. */
__global__ void __launch_bounds__(SPLIT_THREADS, 2)
    split(const element_t *keys, size_t length, unsigned int num_bins, unsigned int tiles,
          uint4 *store, segment *segments, unsigned int *work, unsigned int nowhere,
          unsigned int shift)
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
        rank_keys(key, num_bins, shift, column, ranks);
        load_tile(keys, length, skipped, (size_t)tile + gridDim.x, next);
        __syncthreads(); // no thread may read columns in which another still counts

        const segment mine = lay_out(column, vectors_of, (uint16_t *)ordered, nowhere);
        loads += (mine.end - mine.begin + SPLIT_LANES - 1) / SPLIT_LANES;
        if (threadIdx.x < 1u << shift)
            segments[(size_t)threadIdx.x * tiles + tile] = mine;
        const unsigned int vectors = __shfl_sync(0xffffffffu, mine.end, SPLIT_LANES - 1);
        __syncthreads(); // no thread may use beginnings that another has yet to write

        put_in_order(key, num_bins, shift, column, ranks, (uint16_t *)ordered);
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

/* Combines so many elements into a bin, to which others may come now. */
__device__ static void commit_count(bin_t *bin, unsigned int count)
{
#if OPERATION_HAS_ATOMIC
    atomic_combine(bin, count);
#else
    const unsigned int most = (1u << 24) - 1;
    const bin_t value = count < most ? count : most;
    bin_t old = *bin, seen;
    do {
        seen = old;
        if (combine(seen, value) == seen)
            return;
        old = atomicCAS(bin, seen, combine(seen, value));
    } while (old != seen);
#endif
}

/* The work on all buckets, one bucket after the other, is dealt to the blocks in equal shares. A block
 * counts its part of each bucket that it has a share in, and commits it. */
__global__ void __launch_bounds__(COUNT_THREADS, 1)
    count_buckets(const uint4 *store, const segment *segments, const unsigned int *work,
                  unsigned int split_blocks, unsigned int tiles, bin_t *bins, unsigned int places,
                  unsigned int shift)
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
        const size_t size = first[bucket + 1] - first[bucket];
        const unsigned int tile = (unsigned int)((size_t)tiles * (from - first[bucket]) / size);
        const unsigned int end_tile = (unsigned int)((size_t)tiles * (to - first[bucket]) / size);

        for (unsigned int place = threadIdx.x; place <= places; place += COUNT_THREADS)
            counters[place] = 0;
        __syncthreads(); // no thread may count what another has yet to zero
        count_tiles(store, segments + (size_t)bucket * tiles, tile, end_tile, counters);
        __syncthreads(); // no thread may read counters while another still counts
        for (unsigned int place = threadIdx.x; place < places; place += COUNT_THREADS)
            if (counters[place] != 0)
                commit_count(&bins[bin_of_few(bucket, place, shift)], counters[place]);
        // No barrier: for the next bucket a thread zeroes the counters that it has committed itself.
    }
}

/* For more bins than 32 buckets hold: every key is an atomic in global memory, as in chapter 2. */
__global__ void count_in_global_memory(const element_t *keys, size_t length, bin_t *bins,
                                       size_t num_bins)
{
    const size_t threads = (size_t)gridDim.x * blockDim.x;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < length; i += threads)
        if (keys[i] < num_bins)
            commit_count(&bins[keys[i]], 1);
}

/* How many counters a bucket has, and in *shift the fewest buckets, as a power of 2, whose counters fit in shared
 * memory; 0 where 32 of them are too few. */
static size_t places_of_few(size_t num_bins, unsigned int *shift)
{
    const size_t most = device_has(cudaDevAttrMaxSharedMemoryPerBlockOptin) / sizeof(unsigned int);
    for (*shift = 0; 1 << *shift <= BUCKETS; ++*shift) {
        const size_t group = (size_t)NEIGHBORS << *shift;
        const size_t places = (num_bins + group - 1) / group * NEIGHBORS;
        if (places + 1 + BUCKETS + 1 <= most) // with one for nowhere, and the sums of the work
            return places;
    }
    return 0;
}

static unsigned int least(size_t one, size_t other)
{
    return (unsigned int)(one < other ? one : other);
}

void reduce_by_index(const element_t *d_elements, size_t length, bin_t *d_bins, size_t num_bins)
{
    if (length > UINT32_MAX) {
        fprintf(stderr, "reduce_by_index: %zu elements; at most 4294967295 can be reduced\n",
                length);
        exit(1);
    }
    if (length == 0 || num_bins == 0)
        return;
    const size_t multiprocessors = device_has(cudaDevAttrMultiProcessorCount);
    const size_t resident = multiprocessors * 2;                   // blocks that split
    const size_t tiles = (length + 3 + TILE_KEYS - 1) / TILE_KEYS; // up to 3 keys are skipped
    unsigned int shift;
    const size_t places = places_of_few(num_bins, &shift);
    const size_t table = (places + 1) * sizeof(unsigned int);
    if (places == 0) {
        count_in_global_memory<<<least((length + 1023) / 1024, resident), 1024>>>(
            d_elements, length, d_bins, num_bins);
        CHECK(cudaGetLastError());
        return;
    }

    const unsigned int split_blocks = least(tiles, resident);
    const size_t store_bytes = tiles * TILE_ROOM * sizeof(uint4);
    const size_t segment_bytes = tiles * BUCKETS * sizeof(segment);
    unsigned char *space; // in the order of the stream; what is freed stays, for the next call
    keep_workspaces();
    CHECK(cudaMallocAsync(
        &space, store_bytes + segment_bytes + split_blocks * BUCKETS * sizeof(unsigned int), 0));
    uint4 *store = (uint4 *)space;
    segment *segments = (segment *)(space + store_bytes);
    unsigned int *work = (unsigned int *)(space + store_bytes + segment_bytes);
    split<<<split_blocks, SPLIT_THREADS>>>(d_elements, length, (unsigned int)num_bins,
                                           (unsigned int)tiles, store, segments, work,
                                           (unsigned int)places, shift);
    CHECK(cudaGetLastError());
    CHECK(cudaFuncSetAttribute(count_buckets, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               (int)table));
    count_buckets<<<least(tiles * 2, multiprocessors), COUNT_THREADS, table>>>(
        store, segments, work, split_blocks, (unsigned int)tiles, d_bins, (unsigned int)places,
        shift);
    CHECK(cudaGetLastError());
    CHECK(cudaFreeAsync(space, 0));
}
