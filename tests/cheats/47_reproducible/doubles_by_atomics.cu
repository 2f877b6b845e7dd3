/* Tries: sums in double precision by atomics, whose order hardly ever shows in the 24 bits of a float.
 * Refused: only a fixed order, or fixed point, gives the same bits */
#include <stdint.h>

#include "cuda_check.h"
#include "reduce.h"

enum { THREADS = 256 };

__device__ double total;

__global__ void begin()
{
    total = 0;
}

__global__ void add(const float *values, size_t length)
{
    const size_t thread = (size_t)blockIdx.x * THREADS + threadIdx.x;
    size_t head = (16 - (size_t)values % 16) % 16 / 4;
    head = head < length ? head : length;
    const float4 *fours = (const float4 *)(values + head);
    const size_t count = (length - head) / 4, tail = head + 4 * count;
    double sum = 0;
    for (size_t i = thread; i < count; i += (size_t)gridDim.x * THREADS) {
        const float4 four = fours[i];
        sum += ((double)four.x + four.y) + ((double)four.z + four.w);
    }
    if (thread < head)
        sum += values[thread];
    if (thread < length - tail)
        sum += values[tail + thread];
    atomicAdd(&total, sum);
}

__global__ void end(float *result)
{
    *result = (float)total;
}

void reduce(const value_t *d_values, size_t length, value_t *d_result)
{
    if (length > UINT32_MAX)
        exit(1);
    int multiprocessors;
    CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    begin<<<1, 1>>>();
    add<<<(unsigned int)multiprocessors, THREADS>>>(d_values, length);
    end<<<1, 1>>>(d_result);
    CHECK(cudaGetLastError());
}
