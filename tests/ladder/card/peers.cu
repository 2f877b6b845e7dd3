/* peers.cu - plain atomics and CUB's ways for one operation, -DOPERATION=count and so on, and what is right. With
 * -DONLY_CUB there is CUB alone, in a newer version whose headers -I names. */
#include <cub/cub.cuh>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <cstdio>
#include <cstdlib>

#include "../../../common/ladder/kernels/operation.h"
#include "peers.h"

#define STRING(x) #x
#define STRINGS(x) STRING(x)
#define VERSION STRINGS(CUB_VERSION) // 300001 is 3.0.1

static void must(cudaError_t error, const char *what)
{
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "peers: %s: %s\n", what, cudaGetErrorString(error));
    exit(1);
}

/* Memory that only grows. */
struct scratch {
    void *memory;
    size_t bytes;
};
static scratch sorted_keys, sorted_values, found_keys, found_sums, found_number, temporary;

static void *at_least(scratch *s, size_t bytes)
{
    if (s->bytes < bytes) {
        must(cudaFree(s->memory), "cudaFree");
        must(cudaMalloc(&s->memory, bytes), "cudaMalloc");
        s->bytes = bytes;
    }
    return s->memory;
}

static void forget()
{
    scratch *all[] = {&sorted_keys, &sorted_values, &found_keys,
                      &found_sums,  &found_number,  &temporary};
    for (scratch *s : all) {
        must(cudaFree(s->memory), "cudaFree");
        *s = {nullptr, 0};
    }
}

enum { THREADS = 256 };

static unsigned int blocks_for(size_t n)
{
    const size_t blocks = (n + THREADS - 1) / THREADS;
    return (unsigned int)(blocks < 1 ? 1 : blocks < 4096 ? blocks : 4096);
}

__device__ static element_t element_of(const unsigned int *keys, const unsigned int *values,
                                       size_t i)
{
#if IS_COUNTED
    return keys[i];
#else
    element_t x;
    x.key = keys[i];
    x.value = values[i];
    return x;
#endif
}

#ifndef ONLY_CUB
/* ---- Plain atomics: one element for each lane, and its bin in global memory. ---- */
__global__ static void plain_kernel(const unsigned int *keys, const unsigned int *values,
                                    size_t length, bin_t *bins, size_t num_bins)
{
    const size_t stride = (size_t)gridDim.x * blockDim.x;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < length; i += stride)
        if (keys[i] < num_bins)
            commit(&bins[keys[i]], bring(element_of(keys, values, i), i));
}

static void plain(const cell_arrays *a)
{
    size_t blocks = (a->length + 1023) / 1024;
    if (blocks > 264)
        blocks = 264;
    plain_kernel<<<(unsigned int)blocks, 1024, 0, a->stream>>>(a->keys, a->values, a->length,
                                                               (bin_t *)a->bins, a->num_bins);
    must(cudaGetLastError(), "plain_kernel");
}

/* ---- What is right. ---- */
struct truth {
    unsigned long long number, whole,
        other; // whole: a sum or the word that wins; of minmax both words
#if IS_OF_FLOATS
    double sum[OPERATION_IS(powers) ? POWERS : 1], magnitude;
#endif
};

__global__ static void truth_kernel(const unsigned int *keys, const unsigned int *values,
                                    size_t length, truth *truths, size_t num_bins)
{
    const size_t stride = (size_t)gridDim.x * blockDim.x;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < length; i += stride) {
        if (keys[i] >= num_bins)
            continue;
        truth *const t = &truths[keys[i]];
        atomicAdd(&t->number, 1ull);
#if OPERATION_IS(sum_u32)
        atomicAdd(&t->whole, (unsigned long long)values[i]);
#elif OPERATION_IS(argmax)
        const unsigned long long word = (unsigned long long)values[i] << 32 | ~(unsigned int)i;
        if (word > *(volatile unsigned long long *)&t->whole)
            atomicMax(&t->whole, word);
#elif OPERATION_IS(minmax)
        const unsigned int bits = values[i], order = bits >> 31 ? ~bits : bits | 0x80000000u;
        const unsigned long long large = order, small = ~order;
        if (large > *(volatile unsigned long long *)&t->whole)
            atomicMax(&t->whole, large);
        if (small > *(volatile unsigned long long *)&t->other)
            atomicMax(&t->other, small);
#elif IS_OF_FLOATS
        const double v = (double)__uint_as_float(values[i]);
        double power = OPERATION_IS(powers) ? 1 : v;
        for (int k = 0; k < (OPERATION_IS(powers) ? POWERS : 1); k++, power *= v)
            atomicAdd(&t->sum[k], power);
        atomicAdd(&t->magnitude, OPERATION_IS(powers) ? 1.0 : fabs(v));
#endif
    }
}

static void find_truth(const cell_arrays *a, void *truths)
{
    must(cudaMemsetAsync(truths, 0, a->num_bins * sizeof(truth), a->stream), "memset");
    truth_kernel<<<blocks_for(a->length), THREADS, 0, a->stream>>>(a->keys, a->values, a->length,
                                                                   (truth *)truths, a->num_bins);
    must(cudaGetLastError(), "truth_kernel");
}

__device__ static bool is_right(const truth *t, bin_t bin)
{
#if OPERATION_IS(count) || OPERATION_IS(count_64)
    return bin == (bin_t)t->number;
#elif OPERATION_IS(saturate)
    return bin == (t->number < SATURATE_AT ? t->number : SATURATE_AT);
#elif OPERATION_IS(sum_u32)
    return bin == t->whole;
#elif OPERATION_IS(argmax)
    return bin == t->whole;
#elif OPERATION_IS(minmax)
    if (t->number == 0)
        return bin.smallest > bin.largest;
    const unsigned int small = __float_as_uint((float)bin.smallest),
                       large = __float_as_uint((float)bin.largest);
    const unsigned int small_order = small >> 31 ? ~small : small | 0x80000000u,
                       large_order = large >> 31 ? ~large : large | 0x80000000u;
    return (unsigned int)~small_order == t->other && large_order == t->whole;
#else
    const float *const got = (const float *)&bin;
    for (int k = 0; k < (OPERATION_IS(powers) ? POWERS : 1); k++)
        if (!(fabs((double)got[k] - t->sum[k]) <= 1e-5 * t->magnitude))
            return false;
    return true;
#endif
}

__global__ static void compare_kernel(const bin_t *bins, const truth *truths, size_t num_bins,
                                      unsigned int *wrong)
{
    const size_t stride = (size_t)gridDim.x * blockDim.x;
    for (size_t j = (size_t)blockIdx.x * blockDim.x + threadIdx.x; j < num_bins; j += stride)
        if (!is_right(&truths[j], bins[j]))
            atomicAdd(wrong, 1);
}

static void compare(const cell_arrays *a, const void *truths, unsigned int *wrong)
{
    compare_kernel<<<blocks_for(a->num_bins), THREADS, 0, a->stream>>>(
        (const bin_t *)a->bins, (const truth *)truths, a->num_bins, wrong);
    must(cudaGetLastError(), "compare_kernel");
}
#endif

/* ---- CUB: sort by key, reduce by key, and the sums go to their bins. ---- */
struct bring_value {
    const unsigned int *values; // in their first order
    __device__ hardware_t operator()(unsigned int v) const
    {
#if IS_COUNTED
        return 1;
#elif OPERATION_IS(argmax)
        element_t x; // v is the index
        x.key = 0;
        x.value = values[v];
        return bring(x, v);
#else
        element_t x;
        x.key = 0;
        x.value = v;
        return bring(x, 0);
#endif
    }
};

struct joins {
    __device__ hardware_t operator()(const hardware_t &a, const hardware_t &b) const
    {
        return join(a, b);
    }
};

__global__ static void scatter_kernel(const unsigned int *keys, const hardware_t *sums,
                                      const unsigned int *number, bin_t *bins, size_t num_bins)
{
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < *number;
         i += (size_t)gridDim.x * blockDim.x)
        if (keys[i] < num_bins)
            commit_alone(&bins[keys[i]], sums[i]);
}

template <typename call_t> static void call_cub(const char *what, call_t call)
{
    size_t bytes = 0;
    must(call(nullptr, bytes), what);
    must(call(at_least(&temporary, bytes > 0 ? bytes : 1), bytes), what);
}

#if OPERATION_IS(argmax)
/* The index of each element, which travels with its key. */
__global__ static void number_kernel(unsigned int *numbers, size_t length)
{
    const size_t stride = (size_t)gridDim.x * blockDim.x;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < length; i += stride)
        numbers[i] = (unsigned int)i;
}
#endif

static void cub_sort(const cell_arrays *a)
{
    int bits = 1; // of a key that has a bin; other keys are not drawn where this takes part
    while (bits < 32 && a->num_bins > (size_t)1 << bits)
        bits++;
    unsigned int *const keys = (unsigned int *)at_least(&sorted_keys, a->length * 4);
    at_least(&found_keys, a->length * 4);
    hardware_t *const sums = (hardware_t *)at_least(&found_sums, a->length * sizeof(hardware_t));
    unsigned int *const number = (unsigned int *)at_least(&found_number, 4);
    unsigned int *const unique = (unsigned int *)found_keys.memory;
#if IS_COUNTED
    call_cub("SortKeys", [=](void *memory, size_t &bytes) {
        return cub::DeviceRadixSort::SortKeys(memory, bytes, a->keys, keys, (long long)a->length, 0,
                                              bits, a->stream);
    });
    const auto values = thrust::make_constant_iterator((hardware_t)1);
#else
    unsigned int *const to = (unsigned int *)at_least(&sorted_values, a->length * 4 * 2);
    const unsigned int *from = a->values;
#if OPERATION_IS(argmax)
    number_kernel<<<blocks_for(a->length), THREADS, 0, a->stream>>>(to + a->length, a->length);
    call_cub("SortPairs", [=](void *memory, size_t &bytes) {
        return cub::DeviceRadixSort::SortPairs(memory, bytes, a->keys, keys, to + a->length, to,
                                               (long long)a->length, 0, bits, a->stream);
    });
#else
    call_cub("SortPairs", [=](void *memory, size_t &bytes) {
        return cub::DeviceRadixSort::SortPairs(memory, bytes, a->keys, keys, from, to,
                                               (long long)a->length, 0, bits, a->stream);
    });
#endif
    const auto values =
        thrust::make_transform_iterator((const unsigned int *)to, bring_value{from});
#endif
    call_cub("ReduceByKey", [=](void *memory, size_t &bytes) {
        return cub::DeviceReduce::ReduceByKey(memory, bytes, (const unsigned int *)keys, unique,
                                              values, sums, number, joins(), (long long)a->length,
                                              a->stream);
    });
    scatter_kernel<<<blocks_for(a->num_bins), THREADS, 0, a->stream>>>(
        unique, sums, number, (bin_t *)a->bins, a->num_bins);
    must(cudaGetLastError(), "scatter_kernel");
}

#if OPERATION_IS(count)
static void cub_even(const cell_arrays *a)
{
    call_cub("HistogramEven", [=](void *memory, size_t &bytes) {
        return cub::DeviceHistogram::HistogramEven(
            memory, bytes, a->keys, (unsigned int *)a->bins, (int)a->num_bins + 1, 0u,
            (unsigned int)a->num_bins, (long long)a->length, a->stream);
    });
}
#endif

static const peer table[] = {
#ifndef ONLY_CUB
    {"plain atomics", plain},
#endif
#if OPERATION_IS(count)
    {"cub " VERSION " HistogramEven", cub_even},
#endif
    {"cub " VERSION " sort and reduce", cub_sort},
    {nullptr, nullptr},
};

#ifdef ONLY_CUB
PEERS_C __attribute__((visibility("default")))
const peers ladder_peers = {table, nullptr, 0, nullptr, forget};
#else
PEERS_C __attribute__((visibility("default")))
const peers ladder_peers = {table, find_truth, sizeof(truth), compare, forget};
#endif
