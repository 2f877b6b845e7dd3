/* A block of 512 threads on each multiprocessor and a tree in shared memory. The result is copied from
 * the host. A block that has nothing to bring stays away. */
#include <stdint.h>

#include "cuda_check.h"
#include "reduce.h"

enum { THREADS = 512 };

__global__ void reduce_kernel(const value_t *values, size_t length, value_t *result)
{
    __shared__ value_t node[THREADS];
    value_t value = neutral();
    for (size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x; i < length;
         i += (size_t)gridDim.x * THREADS)
        value = combine(values[i], value);
    node[threadIdx.x] = value;
    for (unsigned int half = THREADS / 2; half > 0; half >>= 1) {
        __syncthreads();
        if (threadIdx.x < half)
            node[threadIdx.x] = combine(node[threadIdx.x], node[threadIdx.x + half]);
    }
    if (threadIdx.x == 0 && node[0] != neutral())
        atomic_combine(result, node[0]);
}

void reduce(const value_t *d_values, size_t length, value_t *d_result)
{
    if (length > UINT32_MAX) {
        fprintf(stderr, "reduce: %zu values are too many\n", length);
        exit(1);
    }
    const value_t nothing = neutral();
    int multiprocessors;
    CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    CHECK(cudaMemcpyAsync(d_result, &nothing, sizeof nothing, cudaMemcpyHostToDevice, 0));
    reduce_kernel<<<(unsigned int)multiprocessors, THREADS>>>(d_values, length, d_result);
    CHECK(cudaGetLastError());
}
