// Style: each block appends to pages of 128 keys, one open page a bucket; a full page is listed under its
// bucket, and a new one taken from a pool, by atomics on the work space. Bins are dealt out one by one.
#include <stdint.h>

#include "cuda_check.h"
#include "reduce_by_index.h"

#if !OPERATION_IS(count) && !OPERATION_IS(saturate)
#error "this kernel counts keys: OPERATION must be count or saturate"
#endif

enum { THREADS = 256, BUCKETS = 64, PAGE = 128, SPLITTERS = 8 };
static const uint32_t NONE = UINT32_MAX;

/* pool[0] counts pages taken; pool[1 + bucket] is the last page listed, and before[page] the one before. */
struct pages {
    uint32_t *pool, *before, *filled;
    element_t *keys;
};

__device__ static void list(struct pages pages, unsigned int bucket, uint32_t page, uint32_t filled)
{
    pages.filled[page] = filled;
    pages.before[page] = atomicExch(&pages.pool[1 + bucket], page);
}

__global__ void append(const element_t *keys, size_t length, size_t num_bins, struct pages pages)
{
    __shared__ uint32_t open[BUCKETS], used[BUCKETS], wanted[BUCKETS], first[BUCKETS];
    __shared__ element_t sorted[THREADS];
    if (threadIdx.x < BUCKETS) {
        open[threadIdx.x] = NONE;
        used[threadIdx.x] = PAGE;
        wanted[threadIdx.x] = 0;
    }
    __syncthreads();
    for (size_t base = (size_t)blockIdx.x * THREADS; base < length;
         base += (size_t)gridDim.x * THREADS) {
        const element_t key = base + threadIdx.x < length ? keys[base + threadIdx.x] : NONE;
        const unsigned int bucket = key % BUCKETS;
        const uint32_t rank = key < num_bins ? atomicAdd(&wanted[bucket], 1) : 0;
        __syncthreads();
        if (threadIdx.x == 0) {
            uint32_t sum = 0;
            for (unsigned int b = 0; b < BUCKETS; sum += wanted[b++])
                first[b] = sum;
        }
        __syncthreads();
        if (key < num_bins)
            sorted[first[bucket] + rank] = key;
        __syncthreads();
        // A warp for eight buckets, one after the other: neighbors of a bucket are written together.
        for (unsigned int b = threadIdx.x / 32; b < BUCKETS; b += THREADS / 32) {
            uint32_t done = 0;
            while (done < wanted[b]) {
                if (used[b] == PAGE) {
                    __syncwarp();
                    if (threadIdx.x % 32 == 0) {
                        if (open[b] != NONE)
                            list(pages, b, open[b], PAGE);
                        open[b] = atomicAdd(&pages.pool[0], 1);
                        used[b] = 0;
                    }
                    __syncwarp();
                }
                const uint32_t place = used[b], room = PAGE - place, rest = wanted[b] - done;
                const uint32_t now = rest < room ? rest : room;
                for (uint32_t i = threadIdx.x % 32; i < now; i += 32)
                    pages.keys[(size_t)open[b] * PAGE + place + i] = sorted[first[b] + done + i];
                __syncwarp();
                if (threadIdx.x % 32 == 0)
                    used[b] = place + now;
                __syncwarp();
                done += now;
            }
        }
        __syncthreads();
        if (threadIdx.x < BUCKETS)
            wanted[threadIdx.x] = 0;
        __syncthreads();
    }
    if (threadIdx.x < BUCKETS && open[threadIdx.x] != NONE)
        list(pages, threadIdx.x, open[threadIdx.x], used[threadIdx.x]);
}

__device__ static void commit(bin_t *bin, unsigned int found)
{
#if OPERATION_IS(count)
    atomicAdd(bin, found);
#else
    (void)found;
    bin_t old = atomicAdd(bin, 0), seen;
    do {
        seen = old;
        old = atomicCAS(bin, seen, combine(seen, found));
    } while (old != seen);
#endif
}

/* A block counts one bucket. */
__global__ void count(struct pages pages, bin_t *bins, size_t num_bins, unsigned int counters)
{
    extern __shared__ unsigned int counted[];
    for (unsigned int i = threadIdx.x; i < counters; i += THREADS)
        counted[i] = 0;
    __syncthreads();
    for (uint32_t page = pages.pool[1 + blockIdx.x]; page != NONE; page = pages.before[page]) {
        const uint32_t filled = pages.filled[page];
        for (uint32_t i = threadIdx.x; i < filled; i += THREADS)
            atomicAdd(&counted[pages.keys[(size_t)page * PAGE + i] / BUCKETS], 1);
    }
    __syncthreads();
    for (unsigned int i = threadIdx.x; i < counters; i += THREADS)
        if (counted[i] != 0)
            commit(&bins[(size_t)i * BUCKETS + blockIdx.x], counted[i]);
}

__global__ void one_by_one(const element_t *keys, size_t length, bin_t *bins, size_t num_bins)
{
    for (size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x; i < length;
         i += (size_t)gridDim.x * THREADS)
        if (keys[i] < num_bins)
            commit(&bins[keys[i]], 1);
}

void reduce_by_index(const element_t *d_elements, size_t length, bin_t *d_bins, size_t num_bins)
{
    if (length > UINT32_MAX) {
        fprintf(stderr, "too many elements: %zu\n", length);
        exit(1);
    }
    if (length == 0 || num_bins == 0)
        return;
    const size_t counters = (num_bins + BUCKETS - 1) / BUCKETS, bytes = counters * 4;
    if (bytes > 227 * 1024) {
        one_by_one<<<512, THREADS>>>(d_elements, length, d_bins, num_bins);
        CHECK(cudaGetLastError());
        return;
    }
    const size_t blocks = (length + THREADS - 1) / THREADS;
    const unsigned int splitters = blocks < SPLITTERS ? (unsigned int)blocks : SPLITTERS;
    const size_t most = length / PAGE + (size_t)(splitters + 1) * BUCKETS;
    struct pages pages;
    CHECK(cudaMalloc(&pages.keys, most * PAGE * sizeof *pages.keys));
    CHECK(cudaMalloc(&pages.before, most * sizeof *pages.before));
    CHECK(cudaMalloc(&pages.filled, most * sizeof *pages.filled));
    CHECK(cudaMalloc(&pages.pool, (1 + BUCKETS) * sizeof *pages.pool));
    CHECK(cudaMemset(pages.pool, 0, sizeof *pages.pool));
    CHECK(cudaMemset(pages.pool + 1, 0xff, BUCKETS * sizeof *pages.pool));
    append<<<splitters, THREADS>>>(d_elements, length, num_bins, pages);
    CHECK(cudaFuncSetAttribute(count, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes));
    count<<<BUCKETS, THREADS, bytes>>>(pages, d_bins, num_bins, (unsigned int)counters);
    CHECK(cudaGetLastError());
    CHECK(cudaFree(pages.keys));
    CHECK(cudaFree(pages.before));
    CHECK(cudaFree(pages.filled));
    CHECK(cudaFree(pages.pool));
}
