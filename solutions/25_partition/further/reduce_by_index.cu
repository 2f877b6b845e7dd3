/* 25, further. As few buckets as hold the bins: fewer segments, each of which begins and ends in the middle of a sector. */
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "cuda_check.h" // CHECK(call): a call that fails ends the program with one line
#include "reduce_by_index.h"

#if !OPERATION_IS(count) && !OPERATION_IS(saturate)
#error "chapter 25 counts keys: OPERATION must be count or saturate"
#endif

#include "given/bucket_tile.h" // bucket_of(), place_of(), load_keys(), begin_columns()
#include "given/device.h"      // device_has(), fits()
#include "given/update.h"      // update(): chapter 21

enum { COUNT_THREADS = 1024, LOADS = 8 };

/* Writes the places of all keys to `store`, tile by tile, in each tile in the order of the buckets; to
 * begins[tile * (buckets + 1) + b] where bucket b begins in the tile; and adds to keys_of[b] how many keys it has. */
__global__ void __launch_bounds__(SPLIT_THREADS, 2)
    split(const element_t *keys, size_t length, unsigned int num_bins, size_t tiles, uint4 *store,
          uint16_t *begins, unsigned long long *keys_of, unsigned int buckets)
{
    enum { VECTORS = TILE_KEYS * sizeof(uint16_t) / sizeof(uint4) };
    __shared__ uint4 tile_in_order[VECTORS];
    __shared__ unsigned int column[MOST_BUCKETS][LANES], first[MOST_BUCKETS + 1];
    uint16_t *const ordered = (uint16_t *)tile_in_order;
    const unsigned int lane = threadIdx.x % LANES;
    for (size_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        element_t key[SPLIT_KEYS];
        unsigned int rank[SPLIT_KEYS];
        load_keys(keys, length, tile, key);
        for (unsigned int i = threadIdx.x; i < buckets * LANES; i += SPLIT_THREADS)
            column[i / LANES][i % LANES] = 0;
        __syncthreads(); // no thread may count in a column that another has yet to clear
#pragma unroll
        for (unsigned int k = 0; k < SPLIT_KEYS; k++) {
            const unsigned int bucket = bucket_of(key[k], num_bins, buckets);
            rank[k] = 0;
            // Atomic, because the same lane of another warp may count in this column now.
            rank[k] = atomicAdd(&column[bucket][lane], 1);
        }
        __syncthreads(); // no thread may add up columns in which another still counts
        begin_columns(column, first, buckets);
        __syncthreads(); // no thread may use the beginning of a column that another has yet to store
#pragma unroll
        for (unsigned int k = 0; k < SPLIT_KEYS; k++) {
            const unsigned int bucket = bucket_of(key[k], num_bins, buckets);
            ordered[column[bucket][lane] + rank[k]] = (uint16_t)place_of(key[k], num_bins, buckets);
        }
        __syncthreads(); // no thread may write out what another has yet to put in order
        for (unsigned int i = threadIdx.x; i < VECTORS; i += SPLIT_THREADS)
            store[tile * VECTORS + i] = tile_in_order[i];
        if (threadIdx.x <= buckets)
            begins[tile * (buckets + 1) + threadIdx.x] = (uint16_t)first[threadIdx.x];
        if (threadIdx.x < buckets)
            atomicAdd(&keys_of[threadIdx.x], // protects the number from other blocks
                      first[threadIdx.x + 1] - first[threadIdx.x]);
        // No barrier: what the next tile writes first are columns, which nobody reads any more.
    }
}

/* One warp: counts places `begin` to end - 1 of a tile. It begins at a multiple of LANES, so that no load takes a sector
 * more than it has to; what wraps in the subtraction is no smaller than end - begin. */
__device__ static void count_segment(const uint16_t *places, unsigned int begin, unsigned int end,
                                     unsigned int *counters)
{
    const unsigned int from = begin / LANES * LANES + threadIdx.x % LANES;
    for (unsigned int i = from; i < end; i += LOADS * LANES) {
        unsigned int place[LOADS];
#pragma unroll
        for (unsigned int k = 0; k < LOADS; k++)
            if (i + k * LANES - begin < end - begin)
                place[k] = places[i + k * LANES];
#pragma unroll
        for (unsigned int k = 0; k < LOADS; k++)
            if (i + k * LANES - begin < end - begin)
                atomicAdd(&counters[place[k]], 1); // other lanes and warps count there, too
    }
}

/* The keys of all buckets, one bucket after the other, are dealt to the blocks in equal shares. A block counts its share of
 * each bucket, and commits it. A bucket's keys are taken to be spread evenly over its tiles. */
__global__ void __launch_bounds__(COUNT_THREADS, 1)
    count_buckets(const uint16_t *store, const uint16_t *begins, const unsigned long long *keys_of,
                  size_t tiles, bin_t *bins, size_t num_bins, unsigned int buckets)
{
    extern __shared__ unsigned long long keys[]; // of each bucket
    unsigned int *const counters =
        (unsigned int *)(keys + MOST_BUCKETS); // a place each; keys without a bin
    const unsigned int places = places_of(num_bins, buckets), warp = threadIdx.x / LANES;
    const size_t all = tiles * TILE_KEYS, begin = all * blockIdx.x / gridDim.x,
                 end = all * (blockIdx.x + 1) / gridDim.x;
    size_t before = 0; // keys of the buckets before
    if (threadIdx.x < buckets)
        keys[threadIdx.x] = keys_of[threadIdx.x];
    __syncthreads(); // no thread may read a number that another has yet to copy
    for (unsigned int b = 0; b < buckets; before += keys[b++]) {
        const size_t from = begin > before ? begin - before : 0, size = keys[b];
        const size_t to = end < before ? 0 : end - before < size ? end - before : size;
        if (from >= to)
            continue; // all threads of the block
        const size_t first_tile = tiles * from / size, end_tile = tiles * to / size;
        for (unsigned int place = threadIdx.x; place <= places; place += COUNT_THREADS)
            counters[place] = 0;
        __syncthreads(); // no thread may count what another has yet to clear
        for (size_t tile = first_tile + warp; tile < end_tile; tile += COUNT_THREADS / LANES) {
            const uint16_t *const part = &begins[tile * (buckets + 1) + b];
            count_segment(store + tile * TILE_KEYS, part[0], part[1], counters);
        }
        __syncthreads(); // no thread may read counters while another still counts
        for (unsigned int place = threadIdx.x; place < places; place += COUNT_THREADS)
            if (counters[place] != 0)
                update(&bins[bin_at(b, place, buckets)], combine(neutral(), counters[place]));
        // No barrier: for the next bucket a thread clears the counters that it has committed itself.
    }
}

/* For more bins than the buckets hold: every key is an atomic in global memory, as in chapter 2. */
__global__ void count_in_global_memory(const element_t *keys, size_t length, bin_t *bins,
                                       size_t num_bins)
{
    const size_t threads = (size_t)gridDim.x * blockDim.x;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < length; i += threads)
        if (keys[i] < num_bins)
            update(&bins[keys[i]], 1);
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
    const size_t multiprocessors = device_has(cudaDevAttrMultiProcessorCount),
                 tiles = (length + TILE_KEYS - 1) / TILE_KEYS;
    const size_t numbers = MOST_BUCKETS * sizeof(unsigned long long);
    unsigned int buckets = 1; // as few as hold the bins, if 32 do
    while (buckets < MOST_BUCKETS &&
           numbers + (places_of(num_bins, buckets) + (size_t)1) * sizeof(unsigned int) >
               device_has(cudaDevAttrMaxSharedMemoryPerBlockOptin))
        buckets *= 2;
    const size_t shared =
        numbers + (places_of(num_bins, buckets) + (size_t)1) * sizeof(unsigned int);
    if (!fits((const void *)count_buckets, shared)) {
        count_in_global_memory<<<least(tiles, multiprocessors * 2), 1024>>>(d_elements, length,
                                                                            d_bins, num_bins);
        CHECK(cudaGetLastError());
        return;
    }
    const size_t store = tiles * TILE_KEYS * sizeof(uint16_t);
    char *space; // numbers, store, beginnings
    CHECK(cudaMallocAsync(&space, numbers + store + tiles * (buckets + 1) * sizeof(uint16_t), 0));
    CHECK(cudaMemsetAsync(space, 0, numbers, 0));
    unsigned long long *const keys_of = (unsigned long long *)space;
    uint16_t *const begins = (uint16_t *)(space + numbers + store);
    split<<<least(tiles, multiprocessors * 2), SPLIT_THREADS>>>(
        d_elements, length, (unsigned int)num_bins, tiles, (uint4 *)(space + numbers), begins,
        keys_of, buckets);
    count_buckets<<<least(tiles * 2, multiprocessors), COUNT_THREADS, shared>>>(
        (uint16_t *)(space + numbers), begins, keys_of, tiles, d_bins, num_bins, buckets);
    CHECK(cudaGetLastError());
    CHECK(cudaFreeAsync(space, 0));
}
