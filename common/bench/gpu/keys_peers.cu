/* keys_peers.cu - the libraries that reduce by index: CUB and Thrust. */
#include <cub/device/device_histogram.cuh>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>
#include <cuda/std/functional>
#include <thrust/execution_policy.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/reduce.h>
#include <thrust/sort.h>
#include <thrust/transform.h>

#include "operation.h"
#include "library_peers.h"

/* What the sort moves: an element as one number, its key in the lowest bits. */
#if OPERATION_IS(count) || OPERATION_IS(saturate)
typedef unsigned int number_t;
#else
typedef unsigned long long number_t;
#endif
static_assert(sizeof(number_t) == sizeof(element_t), "an element travels as one number");

__host__ __device__ static inline element_t element_of(number_t number)
{
    union {
        number_t number;
        element_t element;
    } both;
    both.number = number;
    return both.element;
}

struct key_in {
    __host__ __device__ unsigned int operator()(number_t number) const
    {
        return (unsigned int)index_of(element_of(number), 0);
    }
};

struct value_in {
    __host__ __device__ bin_t operator()(number_t number) const
    {
        return value_of(element_of(number));
    }
};

struct combined {
    __host__ __device__ bin_t operator()(const bin_t &a, const bin_t &b) const
    {
        return combine(a, b);
    }
};

static scratch sorted, keys, bins_found, sums_found, runs_found, temporary;

#if OPERATION_IS(argmax)
enum { KEY_BITS = ELEMENT_KEY_BITS };
#else
enum { KEY_BITS = 32 };
#endif

/* Those of a key that has a bin. */
static int bits_of(size_t num_bins)
{
    int bits = 1;
    while (bits < KEY_BITS && num_bins > (size_t)1 << bits)
        bits++;
    return bits;
}

__global__ void scatter_kernel(const unsigned int *keys, const bin_t *sums,
                               const unsigned int *runs, bin_t *bins)
{
    for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < *runs;
         i += gridDim.x * blockDim.x)
        bins[keys[i]] = combine(bins[keys[i]], sums[i]);
}

enum { THREADS = 256, MOST_BLOCKS = 1024 };

static void scatter(bin_t *d_bins, size_t num_bins)
{
    const size_t needed = (num_bins + THREADS - 1) / THREADS;
    const unsigned int blocks = (unsigned int)(needed < MOST_BLOCKS ? needed : MOST_BLOCKS);
    scatter_kernel<<<blocks, THREADS>>>((const unsigned int *)bins_found.memory,
                                        (const bin_t *)sums_found.memory,
                                        (const unsigned int *)runs_found.memory, d_bins);
    must(cudaGetLastError(), "scatter_kernel");
}

/* One key and one sum a bin, and their number. */
static void make_room(size_t num_bins)
{
    at_least(&bins_found, num_bins * sizeof(unsigned int));
    at_least(&sums_found, num_bins * sizeof(bin_t));
    at_least(&runs_found, sizeof(unsigned int));
}

#if OPERATION_IS(count)
/* Only for count, and the bins must be zero. */
static void cub_even(const struct peer *, const void *elements, size_t length, void *bins,
                     size_t num_bins)
{
    call_cub(&temporary, "cub::DeviceHistogram", [=](void *memory, size_t &bytes) {
        return cub::DeviceHistogram::HistogramEven(memory, bytes, (const element_t *)elements,
                                                   (bin_t *)bins, (int)num_bins + 1, 0u,
                                                   (unsigned int)num_bins, (long long)length);
    });
}
#endif

/* DeviceRadixSort::SortKeys on the bits of the key alone (end_bit), the rest of the element
 * travels with it; DeviceReduce::ReduceByKey; then the sums are combined into their bins. */
static void cub_sort(const struct peer *, const void *elements, size_t length, void *bins,
                     size_t num_bins)
{
    const number_t *from = (const number_t *)elements;
    number_t *to = (number_t *)at_least(&sorted, length * sizeof *to);
    make_room(num_bins);
    call_cub(&temporary, "cub::DeviceRadixSort", [=](void *memory, size_t &bytes) {
        return cub::DeviceRadixSort::SortKeys(memory, bytes, from, to, (long long)length, 0,
                                              bits_of(num_bins));
    });
    const auto key = thrust::make_transform_iterator((const number_t *)to, key_in());
    const auto value = thrust::make_transform_iterator((const number_t *)to, value_in());
    call_cub(&temporary, "cub::DeviceReduce::ReduceByKey", [=](void *memory, size_t &bytes) {
        return cub::DeviceReduce::ReduceByKey(memory, bytes, key, (unsigned int *)bins_found.memory,
                                              value, (bin_t *)sums_found.memory,
                                              (unsigned int *)runs_found.memory, combined(),
                                              (long long)length);
    });
    scatter((bin_t *)bins, num_bins);
}

/* Keys are copied out, sort_by_key, reduce_by_key, and the sums are combined into their bins. */
static void thrust_sort(const struct peer *, const void *elements, size_t length, void *bins,
                        size_t num_bins)
{
    const number_t *from = (const number_t *)elements;
    unsigned int *key = (unsigned int *)at_least(&keys, length * sizeof *key);
    make_room(num_bins);
    thrust::transform(thrust::device, from, from + length, key, key_in());
#if OPERATION_IS(count) || OPERATION_IS(saturate)
    thrust::sort(thrust::device, key, key + length);
    const auto value = thrust::make_transform_iterator((const number_t *)key, value_in());
#else
    number_t *to = (number_t *)at_least(&sorted, length * sizeof *to);
    must(cudaMemcpyAsync(to, from, length * sizeof *to, cudaMemcpyDeviceToDevice),
         "cudaMemcpyAsync");
    thrust::sort_by_key(thrust::device, key, key + length, to);
    const auto value = thrust::make_transform_iterator((const number_t *)to, value_in());
#endif
    unsigned int *found = (unsigned int *)bins_found.memory;
    const auto end = thrust::reduce_by_key(thrust::device, key, key + length, value, found,
                                           (bin_t *)sums_found.memory,
                                           cuda::std::equal_to<unsigned int>(), combined());
    const unsigned int runs = (unsigned int)(end.first - found);
    must(cudaMemcpyAsync(runs_found.memory, &runs, sizeof runs, cudaMemcpyHostToDevice),
         "cudaMemcpyAsync");
    scatter((bin_t *)bins, num_bins);
}

static void forget(void)
{
    scratch *const all[] = {&sorted, &keys, &bins_found, &sums_found, &runs_found, &temporary};
    for (scratch *each : all)
        give_back(each);
}

static const struct peer table[] = {
#if OPERATION_IS(count)
    {.name = "cub HistogramEven", .run = cub_even, .counts = true},
#endif
    {.name = "cub sort and reduce", .run = cub_sort, .counts = true, .forget = forget},
    {.name = "thrust sort and reduce", .run = thrust_sort, .counts = true, .forget = forget},
    {.name = NULL},
};

extern "C" {
struct peers peers = {table, cub_version()};
}
