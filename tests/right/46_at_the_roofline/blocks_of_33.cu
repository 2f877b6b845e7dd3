/* Blocks of 33 threads, which are no multiple of a warp: right, since no shuffle counts on full warps.
 * Thread 0 combines what the others have left in shared memory. Words are taken in the grid's turns, two
 * at a time. Partial results for all operations; an exchange leaves
 * no ticket. */
#include <stdint.h>

#include "cuda_check.h"
#include "reduce.h"

enum { T = 33, PER_MULTIPROCESSOR = 32, MOST = 8192 };
#define PER_WORD (sizeof(uint4) / sizeof(value_t))

__device__ value_t handed_in[MOST];
__device__ unsigned int came;

__device__ value_t of_word(const uint4 *word)
{
    union {
        uint4 bits;
        value_t v[PER_WORD];
    } both;
    both.bits = *word;
    value_t sum = both.v[0];
    for (size_t i = 1; i < PER_WORD; i++)
        sum = combine(sum, both.v[i]);
    return sum;
}

__global__ void all_of_it(const value_t *values, size_t length, value_t *result)
{
    __shared__ value_t mine[T];
    __shared__ bool last;
    const size_t thread = (size_t)blockIdx.x * T + threadIdx.x, threads = (size_t)gridDim.x * T;
    size_t before = (16 - (uintptr_t)values % 16) % 16 / sizeof(value_t);
    before = before < length ? before : length;
    const uint4 *words = (const uint4 *)(values + before);
    const size_t n = (length - before) / PER_WORD, after = before + n * PER_WORD;

    value_t sum = neutral();
    size_t i = thread;
    for (; i + threads < n; i += 2 * threads) {
        const value_t one = of_word(&words[i]), two = of_word(&words[i + threads]);
        sum = combine(sum, combine(one, two));
    }
    if (i < n)
        sum = combine(sum, of_word(&words[i]));
    for (i = thread; i < before; i += threads)
        sum = combine(sum, values[i]);
    for (i = after + thread; i < length; i += threads)
        sum = combine(sum, values[i]);

    mine[threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int t = 1; t < T; t++)
            sum = combine(sum, mine[t]);
        handed_in[blockIdx.x] = sum;
        __threadfence();
        last = atomicAdd(&came, 1) + 1 == gridDim.x;
        __threadfence();
    }
    __syncthreads();
    if (!last)
        return;
    sum = neutral();
    for (unsigned int b = threadIdx.x; b < gridDim.x; b += T)
        sum = combine(sum, handed_in[b]);
    mine[threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int t = 1; t < T; t++)
            sum = combine(sum, mine[t]);
        *result = sum;
        atomicExch(&came, 0);
    }
}

void reduce(const value_t *d_values, size_t length, value_t *d_result)
{
    if (length > UINT32_MAX) {
        fprintf(stderr, "reduce: %zu values are too many\n", length);
        exit(1);
    }
    struct cudaDeviceProp device;
    CHECK(cudaGetDeviceProperties(&device, 0));
    size_t blocks = (length / PER_WORD + T - 1) / T;
    if (blocks > (size_t)device.multiProcessorCount * PER_MULTIPROCESSOR)
        blocks = (size_t)device.multiProcessorCount * PER_MULTIPROCESSOR;
    if (blocks == 0)
        blocks = 1;
    all_of_it<<<(unsigned int)blocks, T>>>(d_values, length, d_result);
    CHECK(cudaGetLastError());
}
