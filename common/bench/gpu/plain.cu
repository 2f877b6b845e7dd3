/* plain.cu - the kernel that one would write first to reduce by index: every element updates its bin in
 * global memory, by one atomic function where there is one, in a loop around compare-and-swap where a bin
 * is a word, else under a lock. */
#include <cuda_runtime.h>

#include "bench.h"
#include "errors.h"
#include "operation.h"

enum { BLOCKS_PER_MULTIPROCESSOR = 2, PLAIN_THREADS = 1024 };

#if OPERATION_HAS_ATOMIC
__device__ static inline void update(bin_t *bin, bin_t value, unsigned int *lock)
{
    (void)lock;
    atomic_combine(bin, value);
}
#elif OPERATION_WORD_BITS
union word_of_bin {
    word_t word;
    bin_t bin;
    __device__ word_of_bin(word_t w) : word(w)
    {
    }
    __device__ word_of_bin(bin_t b, int) : bin(b)
    {
    }
};

__device__ static inline void update(bin_t *bin, bin_t value, unsigned int *lock)
{
    (void)lock;
    word_t *place = (word_t *)bin, seen = *(volatile word_t *)place, before;
    do {
        before = seen;
        const word_of_bin next(combine(word_of_bin(before).bin, value), 0);
        seen = atomicCAS(place, before, next.word);
    } while (seen != before);
}
#else
/* A bin of 16 bytes, read and written past the cache of the multiprocessor. */
__device__ static inline void update(bin_t *bin, bin_t value, unsigned int *lock)
{
    static_assert(sizeof *bin == sizeof(double2), "one load and one store for a bin");
    for (bool done = false; !done;) {
        if (atomicExch(lock, 1) != 0)
            continue;
        __threadfence();
        double2 pair = __ldcg((const double2 *)bin);
        bin_t sum;
        sum.smallest = pair.x;
        sum.largest = pair.y;
        sum = combine(sum, value);
        pair.x = sum.smallest;
        pair.y = sum.largest;
        __stcg((double2 *)bin, pair);
        __threadfence();
        atomicExch(lock, 0);
        done = true;
    }
}
#endif

__global__ void plain_kernel(const element_t *elements, size_t length, bin_t *bins, size_t num_bins,
                             unsigned int *locks)
{
    const size_t stride = (size_t)gridDim.x * PLAIN_THREADS;
    for (size_t i = (size_t)blockIdx.x * PLAIN_THREADS + threadIdx.x; i < length; i += stride) {
        const element_t x = elements[i];
        const size_t j = index_of(x, num_bins);
        if (j < num_bins)
            update(&bins[j], value_of(x), locks ? &locks[j] : NULL);
    }
}

extern "C" void plain_reduce(const struct peer *, const void *elements, size_t length, void *bins,
                             size_t num_bins)
{
    static unsigned int *locks;
    static size_t num_locks;
    const int multiprocessors = device_has(cudaDevAttrMultiProcessorCount);
    if (!OPERATION_HAS_ATOMIC && !OPERATION_WORD_BITS && num_locks < num_bins) {
        must(cudaFree(locks), "cudaFree");
        must(cudaMalloc(&locks, num_bins * sizeof *locks), "cudaMalloc of the locks");
        must(cudaMemset(locks, 0, num_bins * sizeof *locks), "cudaMemset");
        num_locks = num_bins;
    }
    plain_kernel<<<(unsigned int)(multiprocessors * BLOCKS_PER_MULTIPROCESSOR), PLAIN_THREADS>>>(
        (const element_t *)elements, length, (bin_t *)bins, num_bins, locks);
    must(cudaGetLastError(), "plain_kernel");
}
