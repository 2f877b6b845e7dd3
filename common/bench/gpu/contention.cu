/* contention.cu - what it costs that blocks, warps or threads add to one result with an atomic function, as
 * peers of a sum: the same grids, in which nobody adds, and each block stores its sum, a thread of each block,
 * of each warp, or every thread. With no values only the atomics are left. */
#include <cuda_runtime.h>
#include <stdio.h>
#include <vector>

#include "bench.h"
#include "errors.h"
#include "operation.h"

enum { WARP = 32, THREADS = 256, WARPS = THREADS / WARP, MOST_BLOCKS = 65536 };

enum who { NOBODY, BLOCK, ONE_OF_WARP, EVERY_THREAD, ALL_WHO };
static const char *const names[] = {"nobody", "block", "warp", "thread"};
static const int atomics_a_block[] = {0, 1, WARPS, THREADS};

/* Lane 0 gets the sum of its warp. */
__device__ static inline value_t sum_of_warp(value_t sum)
{
    for (int distance = WARP / 2; distance > 0; distance /= 2)
        sum = combine(sum, __shfl_down_sync(0xffffffffu, sum, distance));
    return sum;
}

/* Thread 0 gets the sum of its block. */
__device__ static inline value_t sum_of_block(value_t sum)
{
    __shared__ value_t sums[WARPS];
    sum = sum_of_warp(sum);
    if (threadIdx.x % WARP == 0)
        sums[threadIdx.x / WARP] = sum;
    __syncthreads();
    sum = threadIdx.x < WARPS ? sums[threadIdx.x] : neutral();
    return threadIdx.x < WARP ? sum_of_warp(sum) : sum;
}

template <enum who WHO>
__global__ void add_kernel(const value_t *values, size_t length, value_t *result, value_t *sums)
{
    value_t sum = neutral();
    for (size_t i = blockIdx.x * (size_t)THREADS + threadIdx.x; i < length;
         i += (size_t)gridDim.x * THREADS)
        sum = combine(sum, values[i]);
    if (WHO == ONE_OF_WARP)
        sum = sum_of_warp(sum);
    else if (WHO != EVERY_THREAD)
        sum = sum_of_block(sum);
    const unsigned int one_of = WHO == EVERY_THREAD ? 1 : WHO == ONE_OF_WARP ? WARP : THREADS;
    if (threadIdx.x % one_of == 0) {
        if (WHO == NOBODY)
            sums[blockIdx.x] = sum;
        else
            atomic_combine(result, sum);
    }
}

template <enum who WHO>
static void add_all(const struct peer *self, const void *values, size_t length, void *result,
                    size_t)
{
    static value_t *sums; // one for each block
    if (!sums)
        must(cudaMalloc(&sums, MOST_BLOCKS * sizeof *sums), "cudaMalloc");
    add_kernel<WHO>
        <<<self->parameter[0], THREADS>>>((const value_t *)values, length, (value_t *)result, sums);
    must(cudaGetLastError(), "add_kernel");
}

static run_of_peer *const runs[] = {add_all<NOBODY>, add_all<BLOCK>, add_all<ONE_OF_WARP>,
                                    add_all<EVERY_THREAD>};

/* Two and eight blocks on each multiprocessor, more, and most. */
static const struct peer *table()
{
    static std::vector<struct peer> peers;
    const int multiprocessors = device_has(cudaDevAttrMultiProcessorCount);
    for (int blocks : {2 * multiprocessors, 8 * multiprocessors, 16384, (int)MOST_BLOCKS})
        for (int who = NOBODY; who < ALL_WHO; who++) {
            struct peer peer = peer_of(names[who], runs[who], blocks);
            peer.counts = peer.adds = who != NOBODY;
            snprintf(peer.fields.lines, sizeof peer.fields.lines,
                     "who_adds=%s\nblocks=%d\nthreads_per_block=%d\natomics=%d\n", names[who],
                     blocks, (int)THREADS, blocks * atomics_a_block[who]);
            peers.push_back(peer);
        }
    peers.push_back(peer_of(NULL, NULL, 0));
    return peers.data();
}

extern "C" {
struct peers contention = {
    table(), NULL,
    "operation,who_adds,bytes,blocks,threads_per_block,atomics,median_ms,min_ms,"
    "max_ms,runs,queued,correct"};
}
