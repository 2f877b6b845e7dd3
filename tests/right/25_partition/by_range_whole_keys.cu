// Style: buckets are ranges of bins, as many as are needed, whole keys of 4 bytes are kept, ranks are
// drawn from one counter a bucket, and a fixed number of blocks shares each bucket. No padding.

#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "cuda_check.h"
#include "reduce_by_index.h"

#if !OPERATION_IS(count) && !OPERATION_IS(saturate)
#error "this kernel counts keys: OPERATION must be count or saturate"
#endif

namespace {
constexpr unsigned threads = 256, tile_keys = 4096, most_buckets = 128, sharers = 4;

__device__ void add(bin_t *bin, unsigned found)
{
#if OPERATION_IS(count)
    atomicAdd(bin, found);
#else
    for (bin_t seen = *bin, old;; seen = old) {
        const bin_t wanted = combine(seen, found);
        if (wanted == seen)
            break;
        old = atomicCAS(bin, seen, wanted);
        if (old == seen)
            break;
    }
#endif
}

__global__ void split(const element_t *keys, size_t n, size_t num_bins, unsigned range,
                      unsigned tiles, element_t *store, unsigned *offsets)
{
    __shared__ element_t sorted[tile_keys];
    __shared__ unsigned first[most_buckets + 1], next[most_buckets];
    for (unsigned tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        const size_t base = size_t(tile) * tile_keys;
        element_t mine[tile_keys / threads];
        unsigned rank[tile_keys / threads];
        if (threadIdx.x < most_buckets)
            next[threadIdx.x] = 0;
        __syncthreads();
        for (unsigned k = 0; k < tile_keys / threads; k++) {
            const size_t i = base + k * threads + threadIdx.x;
            mine[k] = i < n ? keys[i] : UINT32_MAX;
            if (mine[k] < num_bins)
                rank[k] = atomicAdd(&next[mine[k] / range], 1u);
        }
        __syncthreads();
        if (threadIdx.x == 0) {
            first[0] = 0;
            for (unsigned b = 0; b < most_buckets; b++)
                first[b + 1] = first[b] + next[b];
        }
        __syncthreads();
        for (unsigned k = 0; k < tile_keys / threads; k++)
            if (mine[k] < num_bins)
                sorted[first[mine[k] / range] + rank[k]] = mine[k];
        if (threadIdx.x <= most_buckets)
            offsets[size_t(tile) * (most_buckets + 1) + threadIdx.x] = first[threadIdx.x];
        __syncthreads();
        for (unsigned i = threadIdx.x; i < first[most_buckets]; i += threads)
            store[base + i] = sorted[i];
        __syncthreads();
    }
}

__global__ void count(const element_t *store, const unsigned *offsets, unsigned tiles, bin_t *bins,
                      size_t num_bins, unsigned range)
{
    extern __shared__ unsigned counters[];
    __shared__ unsigned offset[2];
    const unsigned bucket = blockIdx.x / sharers, share = blockIdx.x % sharers;
    for (unsigned i = threadIdx.x; i < range; i += threads)
        counters[i] = 0;
    for (unsigned tile = share; tile < tiles; tile += sharers) {
        if (threadIdx.x < 2)
            offset[threadIdx.x] =
                offsets[size_t(tile) * (most_buckets + 1) + bucket + threadIdx.x];
        __syncthreads();
        const element_t *keys = store + size_t(tile) * tile_keys;
        for (unsigned i = offset[0] + threadIdx.x; i < offset[1]; i += threads)
            atomicAdd(&counters[keys[i] - bucket * range], 1u);
        __syncthreads();
    }
    for (unsigned i = threadIdx.x; i < range; i += threads)
        if (counters[i])
            add(bins + size_t(bucket) * range + i, counters[i]);
}

__global__ void one_by_one(const element_t *keys, size_t n, bin_t *bins, size_t num_bins)
{
    for (size_t i = size_t(blockIdx.x) * threads + threadIdx.x; i < n;
         i += size_t(gridDim.x) * threads)
        if (keys[i] < num_bins)
            add(bins + keys[i], 1);
}
} // namespace

void reduce_by_index(const element_t *d_elements, size_t length, bin_t *d_bins, size_t num_bins)
{
    if (length > UINT32_MAX) {
        std::fprintf(stderr, "%zu elements: too many\n", length);
        std::exit(1);
    }
    if (length == 0 || num_bins == 0)
        return;
    const unsigned most = 49152 / sizeof(unsigned);
    unsigned buckets = unsigned((num_bins + most - 1) / most);
    if (num_bins > size_t(most) * most_buckets) {
        one_by_one<<<256, threads>>>(d_elements, length, d_bins, num_bins);
        CHECK(cudaGetLastError());
        return;
    }
    const unsigned range = unsigned((num_bins + buckets - 1) / buckets);
    const unsigned tiles = unsigned((length + tile_keys - 1) / tile_keys);
    element_t *store;
    unsigned *offsets;
    CHECK(cudaMalloc(&store, size_t(tiles) * tile_keys * sizeof *store));
    CHECK(cudaMalloc(&offsets, size_t(tiles) * (most_buckets + 1) * sizeof *offsets));
    split<<<tiles < 512 ? tiles : 512, threads>>>(d_elements, length, num_bins, range, tiles, store,
                                                  offsets);
    count<<<buckets * sharers, threads, range * sizeof(unsigned)>>>(store, offsets, tiles, d_bins,
                                                                    num_bins, range);
    CHECK(cudaGetLastError());
    CHECK(cudaFree(offsets));
    CHECK(cudaFree(store));
}
