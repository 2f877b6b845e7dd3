/* Each block has a section of the words, and a ring of two loads for each of its 256 threads. Tickets are
 * taken by atomicInc, which begins at 0 again by itself; partial results are written for all operations,
 * and stored in shared memory without shuffles. */
#include <stdint.h>

#include "cuda_check.h"
#include "reduce.h"

enum { THREADS = 256, RING = 2, MOST = 2048 };


__device__ value_t partial[MOST];
__device__ unsigned int tickets;

__device__ value_t of_block(value_t mine)
{
    __shared__ value_t all[THREADS];
    __syncthreads(); // thread 0 may still read what was here before
    all[threadIdx.x] = mine;
    for (unsigned int half = THREADS / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half)
            all[threadIdx.x] = combine(all[threadIdx.x], all[threadIdx.x + half]);
    }
    return threadIdx.x == 0 ? all[0] : mine;
}

__device__ value_t take(uint4 bits)
{
    union {
        uint4 bits;
        value_t values[16 / sizeof(value_t)];
    } word = {bits};
    value_t all = neutral();
    for (unsigned int i = 0; i < 16 / sizeof(value_t); i++)
        all = combine(all, word.values[i]);
    return all;
}

__global__ void reduce_sections(const value_t *values, size_t length, value_t *result)
{
    const size_t per_word = 16 / sizeof(value_t);
    size_t head = (size_t)(-(intptr_t)values & 15) / sizeof(value_t);
    if (head > length)
        head = length;
    const uint4 *words = (const uint4 *)(values + head);
    const size_t count = (length - head) / per_word;
    const size_t section = ((count + gridDim.x - 1) / gridDim.x + 31) / 32 * 32;
    const size_t begin = blockIdx.x * section < count ? blockIdx.x * section : count;
    const size_t end = begin + section < count ? begin + section : count;

    value_t mine = neutral();
    uint4 ring[RING];
    size_t i = begin + threadIdx.x;
    for (int k = 0; k < RING; k++)
        if (i + k * THREADS < end)
            ring[k] = words[i + k * THREADS];
    while (i < end) {
        for (int k = 0; k < RING; k++, i += THREADS) {
            if (i >= end)
                break;
            const uint4 now = ring[k];
            if (i + RING * THREADS < end)
                ring[k] = words[i + RING * THREADS];
            mine = combine(mine, take(now));
        }
    }
    if (blockIdx.x == 0) {
        if (threadIdx.x < head)
            mine = combine(mine, values[threadIdx.x]);
        const size_t tail = head + count * per_word;
        if (tail + threadIdx.x < length)
            mine = combine(mine, values[tail + threadIdx.x]);
    }

    __shared__ bool last;
    mine = of_block(mine);
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = mine;
        __threadfence();
        last = atomicInc(&tickets, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (!last)
        return;
    __threadfence();
    mine = neutral();
    for (unsigned int b = threadIdx.x; b < gridDim.x; b += THREADS)
        mine = combine(mine, partial[b]);
    mine = of_block(mine);
    if (threadIdx.x == 0)
        *result = mine;
}

void reduce(const value_t *d_values, size_t length, value_t *d_result)
{
    if (length > UINT32_MAX) {
        fprintf(stderr, "reduce: %zu values are too many\n", length);
        exit(1);
    }
    int device, multiprocessors;
    CHECK(cudaGetDevice(&device));
    CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    size_t blocks = length * sizeof(value_t) / (16 * THREADS * RING) + 1;
    if (blocks > (size_t)multiprocessors * 8)
        blocks = (size_t)multiprocessors * 8;
    if (blocks > MOST)
        blocks = MOST;
    reduce_sections<<<(unsigned int)blocks, THREADS>>>(d_values, length, d_result);
    CHECK(cudaGetLastError());
}
