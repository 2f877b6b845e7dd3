/* layouts.cu - kernels of chapters with what they fix left open, as peers: who reads what, and how many
 * blocks there are.
 *
 *     reading    only reading, by sections and by strides
 *     layouts    counting in shared memory, the same two ways
 *     blocks     private copies in global and in shared memory
 *
 * Each in 16 to 65,536 blocks. The zeroing of bins and copies is part of a run. */
#include <cuda_runtime.h>
#include <stdio.h>
#include <string.h>
#include <vector>

#include "bench.h"
#include "binning.h"
#include "errors.h"

enum { THREADS = 256, FEWEST_BLOCKS = 16, MOST_BLOCKS = 65536 };
static const size_t text_length = (size_t)64 << 20; /* that it is made for */

/* By sections each thread has a connected part of the text, by strides every n-th unit of it, n
 * the number of threads. */
enum layout { SECTIONS, STRIDES };
static const char *const layout_names[] = {"sections", "strides"};

/* The part of `units` that belongs to this thread. */
struct share {
    size_t first, end, step;
};

template <enum layout LAYOUT> __device__ struct share share_of(size_t units)
{
    const size_t threads = (size_t)gridDim.x * blockDim.x;
    const size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (LAYOUT == STRIDES)
        return {thread, units, threads};
    const size_t section = (units + threads - 1) / threads, first = thread * section;
    return {first, first + section < units ? first + section : units, 1};
}

__device__ static inline unsigned int mixed(unsigned int sum, unsigned char byte)
{
    return sum + byte;
}

__device__ static inline unsigned int mixed(unsigned int sum, uint4 word)
{
    return sum ^ word.x ^ word.y ^ word.z ^ word.w;
}

/* The sink is written only for one sum of a thread, which keeps the compiler from dropping the loads. */
template <enum layout LAYOUT, typename unit_t>
__global__ void read_kernel(const unit_t *text, size_t units, unsigned int *sink)
{
    const struct share mine = share_of<LAYOUT>(units);
    unsigned int sum = 0x9e3779b9u;
    for (size_t i = mine.first; i < mine.end; i += mine.step)
        sum = mixed(sum, text[i]);
    if (sum == 0)
        *sink = sum;
}

/* Counts this thread's share in the block's bins, and adds them to the bins when all have. */
template <enum layout LAYOUT>
__device__ void count_and_merge(const unsigned char *text, size_t length, unsigned int *block_bins,
                                unsigned int *bins)
{
    const struct share mine = share_of<LAYOUT>(length);
    for (size_t i = mine.first; i < mine.end; i += mine.step) {
        const int bin = bin_of(text[i]);
        // Atomic, because any thread of this block may add to the same bin now.
        if (bin >= 0)
            atomicAdd(&block_bins[bin], 1);
    }
    __syncthreads(); // no thread may read block_bins while another still counts into them
    for (unsigned int bin = threadIdx.x; bin < NUM_BINS; bin += blockDim.x)
        // Atomic, because other blocks may merge into the same bin now.
        atomicAdd(&bins[bin], block_bins[bin]);
}

template <enum layout LAYOUT>
__global__ void shared_kernel(const unsigned char *text, size_t length, unsigned int *bins)
{
    __shared__ unsigned int shared_bins[NUM_BINS];
    for (unsigned int bin = threadIdx.x; bin < NUM_BINS; bin += blockDim.x)
        shared_bins[bin] = 0;
    __syncthreads(); // no thread may count into a bin that another has yet to zero
    count_and_merge<LAYOUT>(text, length, shared_bins, bins);
}

__global__ void global_kernel(const unsigned char *text, size_t length, unsigned int *bins,
                              unsigned int *copies)
{
    count_and_merge<STRIDES>(text, length, copies + (size_t)blockIdx.x * NUM_BINS, bins);
}

/* The `run`s of the peers. */
template <enum layout LAYOUT, typename unit_t>
static void read_text(const struct peer *self, const void *text, size_t length, void *sink, size_t)
{
    read_kernel<LAYOUT, unit_t><<<self->parameter[0], THREADS>>>(
        (const unit_t *)text, length / sizeof(unit_t), (unsigned int *)sink);
    must(cudaGetLastError(), "read_kernel");
}

template <enum layout LAYOUT>
static void count_in_shared(const struct peer *self, const void *text, size_t length, void *bins,
                            size_t)
{
    must(cudaMemsetAsync(bins, 0, NUM_BINS * sizeof(int), 0), "cudaMemsetAsync");
    shared_kernel<LAYOUT><<<self->parameter[0], THREADS>>>((const unsigned char *)text, length,
                                                           (unsigned int *)bins);
    must(cudaGetLastError(), "shared_kernel");
}

static void count_in_global(const struct peer *self, const void *text, size_t length, void *bins,
                            size_t)
{
    static unsigned int *copies;
    if (!copies)
        must(cudaMalloc(&copies, (size_t)MOST_BLOCKS * NUM_BINS * sizeof *copies),
             "cudaMalloc of the copies");
    must(cudaMemsetAsync(bins, 0, NUM_BINS * sizeof(int), 0), "cudaMemsetAsync");
    must(cudaMemsetAsync(copies, 0, (size_t)self->parameter[0] * NUM_BINS * sizeof *copies, 0),
         "cudaMemsetAsync");
    global_kernel<<<self->parameter[0], THREADS>>>((const unsigned char *)text, length,
                                                   (unsigned int *)bins, copies);
    must(cudaGetLastError(), "global_kernel");
}

/* Adds a peer for each number of blocks that have something to read: of `unit` bytes, if they only read;
 * else they count, in that memory. */
static void add(std::vector<struct peer> &peers, run_of_peer *run, enum layout layout, int unit,
                const char *memory)
{
    for (int blocks = FEWEST_BLOCKS; blocks <= MOST_BLOCKS; blocks *= 2) {
        char name[64];
        snprintf(name, sizeof name, "%s, %d blocks", layout_names[layout], blocks);
        struct peer peer = peer_of(strdup(name), run, blocks);
        peer.counts = memory != NULL;
        int used = snprintf(peer.fields.lines, sizeof peer.fields.lines,
                            "layout=%s\nblocks=%d\nthreads_per_block=%d\n", layout_names[layout],
                            blocks, (int)THREADS);
        char *more = peer.fields.lines + used;
        if (memory)
            snprintf(more, sizeof peer.fields.lines - used, "memory=%s\nmerge_atomics=%lld\n",
                     memory, (long long)blocks * NUM_BINS);
        else
            snprintf(more, sizeof peer.fields.lines - used, "bytes_a_load=%d\n", unit);
        if (memory || (size_t)blocks * THREADS * unit <= text_length)
            peers.push_back(peer);
    }
}

static const struct peer *reading_peers()
{
    static std::vector<struct peer> peers;
    add(peers, read_text<SECTIONS, unsigned char>, SECTIONS, 1, NULL);
    add(peers, read_text<STRIDES, unsigned char>, STRIDES, 1, NULL);
    add(peers, read_text<SECTIONS, uint4>, SECTIONS, 16, NULL);
    add(peers, read_text<STRIDES, uint4>, STRIDES, 16, NULL);
    peers.push_back(peer_of(NULL, NULL, 0));
    return peers.data();
}

static const struct peer *counting_peers(bool of_layouts)
{
    static std::vector<struct peer> both[2];
    std::vector<struct peer> &peers = both[of_layouts];
    if (of_layouts)
        add(peers, count_in_shared<SECTIONS>, SECTIONS, 1, "shared");
    else
        add(peers, count_in_global, STRIDES, 1, "global");
    add(peers, count_in_shared<STRIDES>, STRIDES, 1, "shared");
    peers.push_back(peer_of(NULL, NULL, 0));
    return peers.data();
}

static const char counting_columns[] =
    "memory,layout,input,bins,blocks,threads_per_block,merge_atomics,length,runs,queued,median_ms,"
    "low_ms,high_ms,GB_per_s,correct";

extern "C" {
struct peers reading = {reading_peers(), NULL,
                        "layout,bytes_a_load,blocks,threads_per_block,length,runs,queued,median_ms,"
                        "low_ms,high_ms,GB_per_s"};
struct peers layouts = {counting_peers(true), NULL, counting_columns};
struct peers blocks = {counting_peers(false), NULL, counting_columns};
}
