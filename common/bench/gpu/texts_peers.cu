/* texts_peers.cu - the libraries that count a text: CUB and Thrust. */
#include <cub/device/device_histogram.cuh>
#include <thrust/execution_policy.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/reduce.h>
#include <thrust/sort.h>

#include "binning.h"
#include "library_peers.h"

static scratch temporary, sorted;

/* 5 bins are ranges of letters, for which CUB has HistogramRange; all others
 * are evenly spaced. */
static cudaError_t call_histogram(void *memory, size_t &bytes, const unsigned char *text,
                                  unsigned int *bins, size_t length)
{
#if BINS == 5
    static int *d_levels;
    if (!d_levels) {
        const int levels[] = {'a', 'a' + 6, 'a' + 12, 'a' + 18, 'a' + 24, 'a' + 26};
        must(cudaMalloc(&d_levels, sizeof levels), "cudaMalloc");
        must(cudaMemcpy(d_levels, levels, sizeof levels, cudaMemcpyHostToDevice), "cudaMemcpy");
    }
    return cub::DeviceHistogram::HistogramRange(memory, bytes, text, bins, BINS + 1, d_levels,
                                                (long long)length);
#else
    const int low = 256 % BINS == 0 ? 0 : 'a', high = 256 % BINS == 0 ? 256 : 'a' + BINS;
    return cub::DeviceHistogram::HistogramEven(memory, bytes, text, bins, BINS + 1, low, high,
                                               (long long)length);
#endif
}

/* As a user would call it, without the allocation of its scratch memory, which is done once. */
static void cub_histogram(const struct peer *, const void *text, size_t length, void *bins, size_t)
{
    static size_t known_length, bytes;
    const unsigned char *characters = (const unsigned char *)text;
    if (length != known_length) {
        must(call_histogram(NULL, bytes, characters, (unsigned int *)bins, length),
             "cub::DeviceHistogram");
        known_length = length;
    }
    must(call_histogram(at_least(&temporary, bytes), bytes, characters, (unsigned int *)bins,
                        length),
         "cub::DeviceHistogram");
}

/* Copy, sort, reduce_by_key: up to 256 distinct bytes and their counts. Which of them belong to a bin is left
 * to the reader. */
static void thrust_histogram(const struct peer *, const void *text, size_t length, void *, size_t)
{
    static unsigned char *keys;
    static unsigned int *counts;
    if (!keys) {
        must(cudaMalloc(&keys, 256), "cudaMalloc");
        must(cudaMalloc(&counts, 256 * sizeof *counts), "cudaMalloc");
    }
    unsigned char *copy = (unsigned char *)at_least(&sorted, length);
    must(cudaMemcpyAsync(copy, text, length, cudaMemcpyDeviceToDevice), "cudaMemcpyAsync");
    thrust::sort(thrust::device, copy, copy + length);
    thrust::reduce_by_key(thrust::device, copy, copy + length, thrust::make_constant_iterator(1u),
                          keys, counts);
}

static void forget_copy(void)
{
    give_back(&sorted);
}

static const struct peer table[] = {
    {.name = "cub DeviceHistogram", .run = cub_histogram, .counts = true},
    {.name = "thrust sort",
     .run = thrust_histogram,
     .longest = (size_t)1 << 30,
     .forget = forget_copy},
    {.name = NULL},
};

extern "C" {
struct peers peers = {table, cub_version()};
}
