/* Blocks of 33 threads, each with a section of the values. The threads of a block add to one word in
 * shared memory, once each, and the last line is that word's. cudaMemsetAsync sets the result: of these
 * three operations neutral() is a word of zeros. */
#include <stdint.h>

#include "cuda_check.h"
#include "reduce.h"

enum { THREADS = 33 };

__global__ void sections(const value_t *values, size_t length, value_t *result)
{
    __shared__ value_t of_block;
    if (threadIdx.x == THREADS - 1)
        of_block = neutral();
    __syncthreads();
    const size_t threads = (size_t)gridDim.x * THREADS;
    const size_t thread = (size_t)blockIdx.x * THREADS + threadIdx.x;
    const size_t section = length / threads + 1;
    value_t value = neutral();
    for (size_t i = thread * section; i < length && i < (thread + 1) * section; i++)
        value = combine(value, values[i]);
    atomic_combine(&of_block, value);
    __syncthreads();
    if (threadIdx.x == 5)
        atomic_combine(result, of_block);
}

void reduce(const value_t *d_values, size_t length, value_t *d_result)
{
    if (length > UINT32_MAX) {
        fprintf(stderr, "reduce: %zu values are too many\n", length);
        exit(1);
    }
    int multiprocessors, blocks;
    CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, sections, THREADS, 0));
    CHECK(cudaMemsetAsync(d_result, 0, sizeof *d_result, 0));
    sections<<<(unsigned int)(multiprocessors * blocks), THREADS>>>(d_values, length, d_result);
    CHECK(cudaGetLastError());
}
