/* placements.cu - where the bins of Part II may lie besides, as peers of its chapters:
 *
 *     copies       1, 4, 32, or as many copies in the shared memory of a block as fit (chapter 23)
 *     passes       in global memory, 1, 2 or 3 passes with a range of the bins each
 *     clusters     once in the shared memory of a cluster of 2 to 16 blocks, which update each other's
 *
 * All read one element a load, 8 loads in flight, and update a bin that is a word. */
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include "bench.h"
#include "errors.h"
#include "operation.h"

#if !OPERATION_IS(count) && !OPERATION_IS(saturate)
#error "placements.cu takes count and saturate"
#endif

namespace groups = cooperative_groups;
enum { THREADS = 1024, AT_ONCE = 8, AS_MANY_AS_FIT = 0 };

/* A bin in global memory, in the block's shared memory, or in that of another block of its cluster. */
__device__ static void update(bin_t *bin, bin_t value)
{
#if OPERATION_HAS_ATOMIC
    atomic_combine(bin, value);
#else
    bin_t seen = *(volatile bin_t *)bin, found;
    while ((found = atomicCAS(bin, seen, combine(seen, value))) != seen)
        seen = found; // of another thread
#endif
}

/* Calls take(element) for each element, in one thread of the grid. */
template <typename taker>
__device__ static void take_all(const element_t *elements, size_t length, taker take)
{
    const size_t threads = (size_t)gridDim.x * THREADS;
    for (size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x; i < length;
         i += AT_ONCE * threads) {
        element_t loaded[AT_ONCE];
#pragma unroll
        for (int e = 0; e < AT_ONCE; e++)
            if (i + e * threads < length)
                loaded[e] = elements[i + e * threads];
#pragma unroll
        for (int e = 0; e < AT_ONCE; e++)
            if (i + e * threads < length)
                take(loaded[e]);
    }
}

/* The copies of a bin lie side by side, and neighboring threads have different ones. */
__global__ void __launch_bounds__(THREADS)
    in_copies(const element_t *elements, size_t length, bin_t *bins, unsigned int num_bins,
              unsigned int num_copies)
{
    extern __shared__ bin_t words[];
    for (unsigned int i = threadIdx.x; i < num_bins * num_copies; i += THREADS)
        words[i] = neutral();
    __syncthreads(); // no thread may update a copy that another has yet to make neutral
    take_all(elements, length, [=](element_t x) {
        const unsigned int bin = (unsigned int)index_of(x, num_bins);
        if (bin < num_bins)
            update(&words[bin * num_copies + threadIdx.x % num_copies], value_of(x));
    });
    __syncthreads(); // no thread may fold copies that another still updates
    const unsigned int first = threadIdx.x % 32 * num_copies / 32;
    for (unsigned int bin = threadIdx.x; bin < num_bins; bin += THREADS) {
        bin_t folded = neutral();
        for (unsigned int k = 0; k < num_copies; k++)
            folded = combine(folded, words[bin * num_copies + (first + k) % num_copies]);
        update(&bins[bin], folded);
    }
}

/* Updates the bins from `first` on, so many, where they are. */
__global__ void __launch_bounds__(THREADS)
    in_range(const element_t *elements, size_t length, bin_t *bins, unsigned int first,
             unsigned int count)
{
    take_all(elements, length, [=](element_t x) {
        const unsigned int place = (unsigned int)index_of(x, 0) - first; // below it wraps
        if (place < count)
            update(&bins[first + place], value_of(x));
    });
}

/* Of the BLOCKS blocks of a cluster, block b has the bins b, b + BLOCKS, and so on. */
template <unsigned int BLOCKS>
__global__ void __launch_bounds__(THREADS)
    in_cluster(const element_t *elements, size_t length, bin_t *bins, unsigned int num_bins)
{
    extern __shared__ bin_t words[];
    const groups::cluster_group cluster = groups::this_cluster();
    const unsigned int rank = cluster.block_rank();
    for (unsigned int bin = threadIdx.x * BLOCKS + rank; bin < num_bins; bin += THREADS * BLOCKS)
        words[bin / BLOCKS] = neutral();
    cluster.sync(); // no block may update a bin that another has yet to make neutral
    take_all(elements, length, [=](element_t x) {
        const unsigned int bin = (unsigned int)index_of(x, num_bins);
        if (bin < num_bins)
            update(cluster.map_shared_rank(words, bin % BLOCKS) + bin / BLOCKS, value_of(x));
    });
    cluster.sync(); // nobody may read, or leave, while another block still updates bins here
    for (unsigned int bin = threadIdx.x * BLOCKS + rank; bin < num_bins; bin += THREADS * BLOCKS)
        update(&bins[bin], words[bin / BLOCKS]);
}

/* Allows a kernel so many bytes of shared memory a block. */
static void allow(const void *kernel, size_t bytes)
{
    must(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes),
         "shared memory of the bins");
}

/* The `run`s of the peers: parameter[0] is the number of copies, or of passes. */
static void run_copies(const struct peer *self, const void *elements, size_t length, void *bins,
                       size_t num_bins)
{
    const size_t most = (size_t)device_has(cudaDevAttrMaxSharedMemoryPerBlockOptin);
    const size_t fitting = most / (num_bins * sizeof(bin_t));
    const size_t copies = self->parameter[0] ? (size_t)self->parameter[0] : fitting;
    const size_t bytes = copies * num_bins * sizeof(bin_t);
    allow((const void *)in_copies, bytes);
    in_copies<<<(unsigned int)device_has(cudaDevAttrMultiProcessorCount), THREADS, bytes>>>(
        (const element_t *)elements, length, (bin_t *)bins, (unsigned int)num_bins,
        (unsigned int)copies);
    must(cudaGetLastError(), self->name);
}

static void run_passes(const struct peer *self, const void *elements, size_t length, void *bins,
                       size_t num_bins)
{
    const unsigned int passes = (unsigned int)self->parameter[0], end = (unsigned int)num_bins;
    const unsigned int range = (end + passes - 1) / passes;
    const unsigned int blocks = 2 * (unsigned int)device_has(cudaDevAttrMultiProcessorCount);
    for (unsigned int first = 0; first < end; first += range)
        in_range<<<blocks, THREADS>>>((const element_t *)elements, length, (bin_t *)bins, first,
                                      end - first < range ? end - first : range);
    must(cudaGetLastError(), self->name);
}

template <unsigned int BLOCKS>
static void run_clusters(const struct peer *self, const void *elements, size_t length, void *bins,
                         size_t num_bins)
{
    const size_t bytes = (num_bins + BLOCKS - 1) / BLOCKS * sizeof(bin_t);
    cudaLaunchAttribute of_cluster = {};
    of_cluster.id = cudaLaunchAttributeClusterDimension;
    of_cluster.val.clusterDim = {BLOCKS, 1, 1};
    cudaLaunchConfig_t launch = {};
    launch.gridDim = BLOCKS;
    launch.blockDim = THREADS;
    launch.dynamicSmemBytes = bytes;
    launch.attrs = &of_cluster;
    launch.numAttrs = 1;
    int clusters; // that are on the device at the same time
    allow((const void *)in_cluster<BLOCKS>, bytes);
    must(
        cudaFuncSetAttribute(in_cluster<BLOCKS>, cudaFuncAttributeNonPortableClusterSizeAllowed, 1),
        "clusters of more than 8 blocks");
    must(cudaOccupancyMaxActiveClusters(&clusters, in_cluster<BLOCKS>, &launch), self->name);
    launch.gridDim = (unsigned int)clusters * BLOCKS;
    must(cudaLaunchKernelEx(&launch, in_cluster<BLOCKS>, (const element_t *)elements, length,
                            (bin_t *)bins, (unsigned int)num_bins),
         self->name);
}

static const struct peer of_copies[] = {
    peer_of("1 copy", run_copies, 1),
    peer_of("4 copies", run_copies, 4),
    peer_of("32 copies", run_copies, 32),
    peer_of("as many copies as fit", run_copies, AS_MANY_AS_FIT),
    peer_of(NULL, NULL, 0),
};
static const struct peer of_passes[] = {
    peer_of("1 pass in global memory", run_passes, 1),
    peer_of("2 passes in global memory", run_passes, 2),
    peer_of("3 passes in global memory", run_passes, 3),
    peer_of(NULL, NULL, 0),
};
static const struct peer of_clusters[] = {
    peer_of("cluster of 2 blocks", run_clusters<2>, 2),
    peer_of("cluster of 4 blocks", run_clusters<4>, 4),
    peer_of("cluster of 8 blocks", run_clusters<8>, 8),
    peer_of("cluster of 16 blocks", run_clusters<16>, 16),
    peer_of(NULL, NULL, 0),
};

extern "C" {
struct peers copies = {of_copies, NULL, NULL};
struct peers passes = {of_passes, NULL, NULL};
struct peers clusters = {of_clusters, NULL, NULL};
}
