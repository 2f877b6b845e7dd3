/* Two launches: chunks of 2,048 values, a block each at a time, are summed by a tree in shared memory, and
 * then one block sums what they left, in the same way, chunk after chunk. Chunks begin at every 2,048th
 * value, wherever that lies in memory: words that are not aligned are loaded in pieces. */
#include <stdint.h>

#include "cuda_check.h"
#include "reduce.h"

enum { T = 128, PER_THREAD = 16, CHUNK = T * PER_THREAD };

__device__ float4 word_at(const float *from, size_t left)
{
    if (left >= 4 && (size_t)from % 16 == 0)
        return *(const float4 *)from;
    float4 word = make_float4(0, 0, 0, 0);
    if (left > 0)
        word.x = from[0];
    if (left > 1)
        word.y = from[1];
    if (left > 2)
        word.z = from[2];
    if (left > 3)
        word.w = from[3];
    return word;
}

/* Of one chunk, in thread 0. */
__device__ float sum_of_chunk(const float *values, size_t left)
{
    __shared__ float sums[T];
    float mine = 0;
    for (size_t i = threadIdx.x * 4; i < CHUNK; i += T * 4) {
        const float4 word = word_at(values + i, i < left ? left - i : 0);
        mine += (word.x + word.z) + (word.y + word.w);
    }
    __syncthreads();
    sums[threadIdx.x] = mine;
    for (unsigned int half = T / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half)
            sums[threadIdx.x] += sums[threadIdx.x + half];
    }
    return threadIdx.x == 0 ? sums[0] : 0;
}

__global__ void sum_chunks(const float *values, size_t length, float *sums)
{
    for (size_t c = blockIdx.x; c * CHUNK < length; c += gridDim.x) {
        const float sum = sum_of_chunk(values + c * CHUNK, length - c * CHUNK);
        if (threadIdx.x == 0)
            sums[c] = sum;
    }
}

__global__ void sum_sums(const float *sums, size_t count, float *result)
{
    float all = 0;
    for (size_t c = 0; c < count; c += CHUNK)
        all += sum_of_chunk(sums + c, count - c);
    if (threadIdx.x == 0)
        *result = all;
}

void reduce(const value_t *d_values, size_t length, value_t *d_result)
{
    if (length > UINT32_MAX) {
        fprintf(stderr, "reduce: %zu values are too many\n", length);
        exit(1);
    }
    const size_t chunks = (length + CHUNK - 1) / CHUNK;
    int multiprocessors;
    float *sums;
    CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    CHECK(cudaMallocAsync((void **)&sums, (chunks + 1) * sizeof(float), 0));
    const size_t most = (size_t)multiprocessors * 16;
    if (chunks > 0)
        sum_chunks<<<(unsigned int)(chunks < most ? chunks : most), T>>>(d_values, length, sums);
    sum_sums<<<1, T>>>(sums, chunks, d_result);
    CHECK(cudaGetLastError());
    CHECK(cudaFreeAsync(sums, 0));
}
