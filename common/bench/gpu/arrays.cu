/* arrays.cu - arrays of values, made on the GPU, and their reduction. */
#include "arrays.h"

#include <cuda_runtime.h>
#include <math.h>
#include <stdio.h>

#include "errors.h"

#define IS_OF_FLOATS (OPERATION_IS(float_sum) || OPERATION_IS(dot))

enum { MOST_BLOCKS = 1024, THREADS = 256 };

static unsigned int blocks_for(size_t count)
{
    const size_t blocks = (count + THREADS - 1) / THREADS, most = MOST_BLOCKS;
    return (unsigned int)(blocks < 1 ? 1 : blocks < most ? blocks : most);
}

/* Every number of 0 to 2^32 - 1 comes from just one other. */
__device__ static inline unsigned int mixed(unsigned int x)
{
    x = (x ^ x >> 16) * 0x7feb352dU;
    x = (x ^ x >> 15) * 0x846ca68bU;
    return x ^ x >> 16;
}

#if IS_OF_FLOATS
/* Sums of whole floats are exact up to 2^24: one of so many values is 1. A power of two. */
static unsigned int rarity(size_t length)
{
    unsigned int one_of = 1;
    while (length / one_of > 1u << 22)
        one_of *= 2;
    return one_of;
}
#endif

__device__ static value_t value_at(unsigned int i, bool is_last, unsigned int one_of)
{
    const unsigned int random = mixed(i);
#if OPERATION_IS(sum)
    (void)is_last, (void)one_of;
    return random;
#elif OPERATION_IS(max)
    (void)one_of;
    return is_last ? 0xfffffff1u : random >> 1;
#else
    const float dense = ((int)(random % 65) - 32) / 32.0f;
    const float sparse = is_last || random % (one_of ? one_of : 1) == 0 ? 1.0f : 0.0f;
    const float x = one_of ? sparse : dense;
#if OPERATION_IS(dot)
    const float half = (float)(1 << (random >> 16) % 3); // 1, 2 or 4
    value_t pair;
    pair.x = x * half;
    pair.y = 1 / half;
    return pair;
#else
    return x;
#endif
#endif
}

/* one_of: 0 for dense values */
__global__ void fill_kernel(value_t *values, size_t length, unsigned int one_of)
{
    for (size_t i = blockIdx.x * (size_t)THREADS + threadIdx.x; i < length;
         i += (size_t)gridDim.x * THREADS)
        values[i] = value_at((unsigned int)i, i == length - 1, one_of);
}

void values_fill(value_t *d_values, size_t length, enum density density)
{
    unsigned int one_of = 0;
#if IS_OF_FLOATS
    one_of = density == SPARSE ? rarity(length) : 0;
#endif
    (void)density;
    if (length == 0)
        return;
    fill_kernel<<<blocks_for(length), THREADS>>>(d_values, length, one_of);
    must(cudaGetLastError(), "fill_kernel");
}

/* Adds one value to a thread's part of the truth, and a part to the whole. */
__device__ static inline void add_value(struct truth *part, value_t value)
{
#if IS_OF_FLOATS
#if OPERATION_IS(dot)
    const double number = (double)value.x * (double)value.y;
#else
    const double number = (double)value;
#endif
    part->sum += number;
    part->magnitude += fabs(number);
    part->number |= number != rint(number);
#elif OPERATION_IS(max)
    part->number = value > part->number ? value : part->number;
#else
    part->number += value;
#endif
}

__device__ static inline void add_part(struct truth *truth, const struct truth *part)
{
#if IS_OF_FLOATS
    atomicAdd(&truth->sum, part->sum);
    atomicAdd(&truth->magnitude, part->magnitude);
#endif
#if OPERATION_IS(sum)
    atomicAdd(&truth->number, part->number);
#else
    atomicMax(&truth->number, part->number);
#endif
}

__global__ void truth_kernel(const value_t *values, size_t length, struct truth *truth)
{
    struct truth part = {0, 0, 0, 0};
    for (size_t i = blockIdx.x * (size_t)THREADS + threadIdx.x; i < length;
         i += (size_t)gridDim.x * THREADS)
        add_value(&part, values[i]);
    add_part(truth, &part);
}

struct truth truth_of(const value_t *d_values, size_t length)
{
    struct truth truth, *d_truth;
    must(cudaMalloc((void **)&d_truth, sizeof *d_truth), "cudaMalloc");
    must(cudaMemset(d_truth, 0, sizeof *d_truth), "cudaMemset");
    truth_kernel<<<blocks_for(length), THREADS>>>(d_values, length, d_truth);
    must(cudaGetLastError(), "truth_kernel");
    must(cudaMemcpy(&truth, d_truth, sizeof truth, cudaMemcpyDeviceToHost), "truth_kernel");
    must(cudaFree(d_truth), "cudaFree");
    truth.number &= 0xffffffffULL; // sums are modulo 2^32
    truth.length = length;
    return truth;
}

#if IS_OF_FLOATS
static double number_of(value_t result)
{
#if OPERATION_IS(dot)
    return (double)result.x * (double)result.y;
#else
    return (double)result;
#endif
}
#endif

bool is_right_result(const struct truth *truth, value_t result)
{
#if IS_OF_FLOATS
    /* A thread of a small grid adds length / 2^15 values, and then there are the threads and the
     * blocks. Values are multiples of 2^-5, if they are not whole. */
    const double unit = 1.0 / (1 << 24), depth = (double)truth->length / (1 << 15) + 4096;
    const bool exact = (truth->number ? 32 : 1) * truth->magnitude <= 1 << 24;
    const double bound = exact ? 0 : depth * unit / (1 - depth * unit) * truth->magnitude;
    return fabs(number_of(result) - truth->sum) <= bound;
#else
    return result == truth->number;
#endif
}

double error_of(const struct truth *truth, value_t result)
{
#if IS_OF_FLOATS
    return truth->magnitude > 0 ? fabs(number_of(result) - truth->sum) / truth->magnitude : 0;
#else
    (void)truth, (void)result;
    return 0;
#endif
}

const char *what_is_wrong(const struct truth *truth, value_t result)
{
    static char text[96];
#if IS_OF_FLOATS
    snprintf(text, sizeof text, "%.9g in place of %.9g", number_of(result), truth->sum);
#else
    snprintf(text, sizeof text, "%u in place of %llu", result, truth->number);
#endif
    return text;
}
