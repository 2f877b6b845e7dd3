/* 90. One value a thread. */
#include <cuda_runtime.h>

#include "cuda_check.h" // CHECK(call): a call that fails ends the program with one line
#include "scale.h"

enum { THREADS_PER_BLOCK = 256 };

__global__ void scale_kernel(const float *values, size_t length, float factor, float *results)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    // TODO(90.1): Scale value i, if there is one.
    if (i < length)
        results[i] = factor * values[i];
    // end of TODO(90.1)
}

void scale(const float *d_values, size_t length, float factor, float *d_results)
{
    const size_t blocks = (length + THREADS_PER_BLOCK - 1) / THREADS_PER_BLOCK;
    if (length == 0)
        return;
    scale_kernel<<<(unsigned int)blocks, THREADS_PER_BLOCK>>>(d_values, length, factor, d_results);
    CHECK(cudaGetLastError());
}
