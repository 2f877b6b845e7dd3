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

enum {
    LANES = 32,
    BUCKETS = 32,
    NEIGHBORS = 8, // neighboring bins that share a bucket: a sector of the bins
    SPLIT_THREADS = 512,
    KEYS = 16, // of a thread, in a tile
    TILE = SPLIT_THREADS * KEYS,
    PLACES = 8,                     // a vector of 16 bytes holds eight places of 16 bits
    ROOM = TILE / PLACES + BUCKETS, // vectors of a tile in order: each bucket fills its last one
    COUNT_THREADS = 1024,
    LOADS = 4,
};

/* Where the keys of a bucket lie in a tile: vectors begin to end - 1. */
typedef struct __align__(4)
{
    uint16_t begin, end;
}
segment;

/* The bucket of a bin, and its place there: groups of eight bins are dealt to the 2^shift buckets in turn. */
__device__ static unsigned int bucket_of(unsigned int bin, unsigned int shift)
{
    return bin / NEIGHBORS & ((1u << shift) - 1);
}

__device__ static unsigned int place_of(unsigned int bin, unsigned int shift)
{
    return (bin >> shift) / NEIGHBORS * NEIGHBORS + bin % NEIGHBORS;
}

__device__ static unsigned int bin_at(unsigned int bucket, unsigned int place, unsigned int shift)
{
    return ((place / NEIGHBORS << shift) + bucket) * NEIGHBORS + place % NEIGHBORS;
}

/* Four keys: number `word` of those that begin at the multiple of 16 bytes at or before the first
 * key, `skipped` keys earlier. What lies outside the keys has no bin. */
__device__ static uint4 load_word(const element_t *keys, size_t length, unsigned int skipped,
                                  size_t word)
{
    const size_t i = word * 4 - skipped; // wraps where the word begins before the keys
    if (i < length && length - i >= 4)
        return __ldcs((const uint4 *)(keys + i)); // read once: it need not stay in the caches
    element_t four[4];
#pragma unroll
    for (unsigned int k = 0; k < 4; k++)
        four[k] = i + k < length ? keys[i + k] : UINT32_MAX;
    return make_uint4(four[0], four[1], four[2], four[3]);
}

__device__ static void load_tile(const element_t *keys, size_t length, unsigned int skipped,
                                 size_t tile, element_t *mine)
{
#pragma unroll
    for (unsigned int k = 0; k < KEYS / 4; k++) {
        const uint4 word =
            load_word(keys, length, skipped, tile * (TILE / 4) + k * SPLIT_THREADS + threadIdx.x);
        mine[4 * k] = word.x;
        mine[4 * k + 1] = word.y;
        mine[4 * k + 2] = word.z;
        mine[4 * k + 3] = word.w;
    }
}

/* The sum of the values of this lane and the lanes before it, among `width` neighbors. */
__device__ static unsigned int sum_up_to_here(unsigned int value, unsigned int width)
{
    for (unsigned int distance = 1; distance < width; distance *= 2) {
        const unsigned int before = __shfl_up_sync(0xffffffffu, value, distance, width);
        if (threadIdx.x % width >= distance)
            value += before;
    }
    return value;
}

/* Where a place lies in shared memory. Every 256 places, eight vectors change their order: when all keys
 * have one bucket, the columns of neighboring lanes would begin in the same bank. */
__device__ static unsigned int turned(unsigned int at)
{
    return at ^ (at >> 5 & 7 * PLACES);
}

/* Turns how many keys each column has into where they begin in the tile: bucket by bucket, each at a
 * vector of its own. What remains of a bucket's last vector is filled with `nowhere`. Returns, in each
 * warp, the vectors of the bucket of a lane. */
__device__ static segment lay_out(unsigned int (*column)[LANES], unsigned int *vectors_of,
                                  uint16_t *ordered, unsigned int nowhere)
{
    enum { SHARE = BUCKETS * LANES / SPLIT_THREADS, THREADS = LANES / SHARE }; // of a bucket
    static_assert(SHARE == 2, "a thread has two columns");
    const unsigned int bucket = threadIdx.x / THREADS, lane = threadIdx.x % LANES;
    const bool is_last = threadIdx.x % THREADS == THREADS - 1;
    uint2 *pair = (uint2 *)column + threadIdx.x;
    const uint2 keys = *pair;
    const unsigned int end = sum_up_to_here(keys.x + keys.y, THREADS);
    if (is_last)
        vectors_of[bucket] = (end + PLACES - 1) / PLACES;
    __syncthreads(); // no thread may read vectors_of before it is complete
    const unsigned int vectors = vectors_of[lane], end_vector = sum_up_to_here(vectors, LANES);
    const unsigned int begin = __shfl_sync(0xffffffffu, end_vector - vectors, (int)bucket) * PLACES;
    *pair = make_uint2(begin + end - keys.y - keys.x, begin + end - keys.y);
    for (unsigned int at = begin + end; is_last && at % PLACES != 0; at++)
        ordered[turned(at)] = (uint16_t)nowhere;
    const segment mine = {(uint16_t)(end_vector - vectors), (uint16_t)end_vector};
    return mine;
}

/* Writes the places of all keys to `store`, tile by tile, in each tile in order of the buckets; to
 * segments[bucket * tiles + tile] where they are; and to work[block * BUCKETS + bucket] how many loads of
 * a warp it takes to read them again. */
__global__ void __launch_bounds__(SPLIT_THREADS, 2)
    split(const element_t *keys, size_t length, unsigned int num_bins, unsigned int tiles,
          uint4 *store, segment *segments, unsigned int *work, unsigned int nowhere,
          unsigned int shift)
{
    __shared__ uint4 ordered[ROOM];
    __shared__ unsigned int columns[2][BUCKETS][LANES], vectors_of[BUCKETS];
    const unsigned int skipped = (unsigned int)((size_t)keys % 16 / sizeof *keys);
    const unsigned int lane = threadIdx.x % LANES;
    unsigned int loads = 0; // of the bucket of this lane

    element_t next[KEYS];
    load_tile(keys, length, skipped, blockIdx.x, next);
    for (unsigned int i = threadIdx.x; i < 2 * BUCKETS * LANES; i += SPLIT_THREADS)
        columns[0][0][i] = 0;
    __syncthreads(); // no thread may count in columns that another has yet to zero

    unsigned int turn = 0;
    for (unsigned int tile = blockIdx.x; tile < tiles; tile += gridDim.x, turn ^= 1) {
        unsigned int(*column)[LANES] = columns[turn];
        element_t key[KEYS];
        unsigned int ranks[KEYS / 4] = {0}; // four of 8 bits in each
#pragma unroll
        for (unsigned int k = 0; k < KEYS; k++) {
            key[k] = next[k];
            // Atomic, because the same lane of another warp may count in this column now.
            if (key[k] < num_bins)
                ranks[k / 4] |= atomicAdd(&column[bucket_of(key[k], shift)][lane], 1) << k % 4 * 8;
        }
        load_tile(keys, length, skipped, (size_t)tile + gridDim.x, next);
        __syncthreads(); // no thread may read columns in which another still counts

        const segment mine = lay_out(column, vectors_of, (uint16_t *)ordered, nowhere);
        loads += (mine.end - mine.begin + LANES - 1) / LANES;
        if (threadIdx.x < 1u << shift)
            segments[(size_t)threadIdx.x * tiles + tile] = mine;
        const unsigned int vectors = __shfl_sync(0xffffffffu, mine.end, LANES - 1);
        __syncthreads(); // no thread may use beginnings that another has yet to write

#pragma unroll
        for (unsigned int k = 0; k < KEYS; k++) {
            if (key[k] < num_bins) {
                const unsigned int rank = ranks[k / 4] >> k % 4 * 8 & 0xff;
                const unsigned int at = column[bucket_of(key[k], shift)][lane] + rank;
                ((uint16_t *)ordered)[turned(at)] = (uint16_t)place_of(key[k], shift);
            }
        }
        __syncthreads(); // no thread may write out what another has yet to put in order

        for (unsigned int i = threadIdx.x; i < vectors; i += SPLIT_THREADS)
            store[(size_t)tile * ROOM + i] = ordered[turned(i * PLACES) / PLACES];

        // For the next tile but one: three barriers lie between.
        for (unsigned int i = threadIdx.x; i < BUCKETS * LANES; i += SPLIT_THREADS)
            column[0][i] = 0;
    }
    if (threadIdx.x < BUCKETS)
        work[blockIdx.x * BUCKETS + threadIdx.x] = loads;
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

/* One warp: counts vectors begin to end - 1. */
__device__ static void count_vectors(const uint4 *vectors, unsigned int begin, unsigned int end,
                                     unsigned int *counters)
{
    for (unsigned int i = begin + threadIdx.x % LANES; i < end; i += LOADS * LANES) {
        uint4 loaded[LOADS];
#pragma unroll
        for (unsigned int k = 0; k < LOADS; k++)
            if (i + k * LANES < end)
                loaded[k] = __ldcs(&vectors[i + k * LANES]);
#pragma unroll
        for (unsigned int k = 0; k < LOADS; k++)
            if (i + k * LANES < end)
                count_places(loaded[k], counters);
    }
}

/* Counts what tiles `tile` to `end` - 1 have of a bucket: each warp takes a tile in turn, four of them
 * in flight. */
__device__ static void count_tiles(const uint4 *store, const segment *segments, unsigned int tile,
                                   unsigned int end, unsigned int *counters)
{
    const unsigned int warps = COUNT_THREADS / LANES, lane = threadIdx.x % LANES;
    for (tile += threadIdx.x / LANES; tile < end; tile += LOADS * warps) {
        segment part[LOADS];
        uint4 loaded[LOADS];
#pragma unroll
        for (unsigned int k = 0; k < LOADS; k++) {
            part[k].begin = part[k].end = 0;
            if (tile + k * warps < end)
                part[k] = segments[tile + k * warps];
        }
#pragma unroll
        for (unsigned int k = 0; k < LOADS; k++)
            if (part[k].begin + lane < part[k].end)
                loaded[k] =
                    __ldcs(&store[(size_t)(tile + k * warps) * ROOM + part[k].begin + lane]);
#pragma unroll
        for (unsigned int k = 0; k < LOADS; k++) {
            if (part[k].begin + lane < part[k].end)
                count_places(loaded[k], counters);
            count_vectors(store + (size_t)(tile + k * warps) * ROOM, part[k].begin + LANES,
                          part[k].end, counters);
        }
    }
}

/* Combines so many elements into a bin, to which others may come now. */
__device__ static void commit(bin_t *bin, unsigned int count)
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
    if (threadIdx.x < LANES)
        first[threadIdx.x + 1] = sum_up_to_here(first[threadIdx.x + 1], LANES);
    __syncthreads(); // no thread may read first before it is complete
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
                commit(&bins[bin_at(bucket, place, shift)], counters[place]);
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
            commit(&bins[keys[i]], 1);
}

static unsigned int least(size_t one, size_t other)
{
    return (unsigned int)(one < other ? one : other);
}

/* Memory until it is freed on the same stream; what is freed stays with the program, for the next call. */
static void *work_space(int device, size_t bytes)
{
    cudaMemPool_t pool;
    uint64_t kept = UINT64_MAX;
    void *space;
    CHECK(cudaDeviceGetDefaultMemPool(&pool, device));
    CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &kept));
    CHECK(cudaMallocAsync(&space, bytes, 0));
    return space;
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
    int device, most_bytes, multiprocessors;
    CHECK(cudaGetDevice(&device));
    CHECK(cudaDeviceGetAttribute(&most_bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
    CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    const size_t resident = (size_t)multiprocessors * 2; // blocks that split
    const size_t tiles = (length + 3 + TILE - 1) / TILE; // up to 3 keys are skipped
    unsigned int shift = 0; // the fewest buckets whose bins fit, if 32 are enough
    size_t places, table;
    do {
        const size_t group = (size_t)NEIGHBORS << shift;
        places = (num_bins + group - 1) / group * NEIGHBORS;
        table = (places + 1 + BUCKETS + 3) * sizeof(unsigned int);
    } while (table > (size_t)most_bytes && 1 << ++shift <= BUCKETS);
    if (table > (size_t)most_bytes) {
        count_in_global_memory<<<least((length + 1023) / 1024, resident), 1024>>>(
            d_elements, length, d_bins, num_bins);
        CHECK(cudaGetLastError());
        return;
    }
    table = (places + 1) * sizeof(unsigned int);

    const unsigned int split_blocks = least(tiles, resident);
    const size_t store_bytes = tiles * ROOM * sizeof(uint4);
    const size_t segment_bytes = tiles * BUCKETS * sizeof(segment);
    unsigned char *space = (unsigned char *)work_space(
        device, store_bytes + segment_bytes + split_blocks * BUCKETS * sizeof(unsigned int));
    uint4 *store = (uint4 *)space;
    segment *segments = (segment *)(space + store_bytes);
    unsigned int *work = (unsigned int *)(space + store_bytes + segment_bytes);
    split<<<split_blocks, SPLIT_THREADS>>>(d_elements, length, (unsigned int)num_bins,
                                           (unsigned int)tiles, store, segments, work,
                                           (unsigned int)places, shift);
    CHECK(cudaGetLastError());
    CHECK(cudaFuncSetAttribute(count_buckets, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               (int)table));
    count_buckets<<<least(tiles * 2, (size_t)multiprocessors), COUNT_THREADS, table>>>(
        store, segments, work, split_blocks, (unsigned int)tiles, d_bins, (unsigned int)places,
        shift);
    CHECK(cudaGetLastError());
    CHECK(cudaFreeAsync(space, 0));
}
