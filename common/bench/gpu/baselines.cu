/* baselines.cu - the libraries that a user would take instead: CUB and Thrust. */
#include <cub/device/device_histogram.cuh>
#include <thrust/device_ptr.h>
#include <thrust/execution_policy.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/reduce.h>
#include <thrust/sort.h>

#include "binning.h"
#include "errors.h"
#include "baselines.h"

/* Memory that grows when a longer text comes, outside of what is timed. */
struct scratch {
    void *memory;
    size_t bytes;
};

static void *at_least(scratch *s, size_t bytes)
{
    if (s->bytes < bytes) {
        must(cudaFree(s->memory), "cudaFree");
        must(cudaMalloc(&s->memory, bytes), "cudaMalloc of a baseline's scratch memory");
        s->bytes = bytes;
    }
    return s->memory;
}

/* 5 bins are ranges of letters, for which CUB has HistogramRange; all others
 * are evenly spaced. */
static cudaError_t call_cub(void *scratch, size_t *bytes, const unsigned char *text,
                            unsigned int *bins, size_t length)
{
#if BINS == 5
    static int *d_levels;
    if (!d_levels) {
        const int levels[] = {'a', 'a' + 6, 'a' + 12, 'a' + 18, 'a' + 24, 'a' + 26};
        must(cudaMalloc(&d_levels, sizeof levels), "cudaMalloc");
        must(cudaMemcpy(d_levels, levels, sizeof levels, cudaMemcpyHostToDevice), "cudaMemcpy");
    }
    return cub::DeviceHistogram::HistogramRange(scratch, *bytes, text, bins, BINS + 1, d_levels,
                                                (long long)length);
#else
    const int low = 256 % BINS == 0 ? 0 : 'a', high = 256 % BINS == 0 ? 256 : 'a' + BINS;
    return cub::DeviceHistogram::HistogramEven(scratch, *bytes, text, bins, BINS + 1, low, high,
                                               (long long)length);
#endif
}

void cub_histogram(const unsigned char *text, size_t length, unsigned int *bins)
{
    static scratch kept;
    static size_t known_length, bytes;
    if (length != known_length) {
        must(call_cub(NULL, &bytes, text, bins, length), "cub::DeviceHistogram");
        known_length = length;
    }
    must(call_cub(at_least(&kept, bytes), &bytes, text, bins, length), "cub::DeviceHistogram");
}

static scratch sorted;

void thrust_histogram(const unsigned char *text, size_t length, unsigned int *)
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

void thrust_release(void)
{
    must(cudaFree(sorted.memory), "cudaFree");
    sorted = scratch{};
}
