/* language_parameters.cuh - a header with kernels, for language_parameters.cu. */
#pragma once

__device__ int header_counter = 5;

__host__ __device__ inline int header_value(int x)
{
    return 10 * x;
}

static __global__ void from_header(int *out, int value)
{
    *out = value + header_counter;
}

template <typename T> __global__ void from_header_typed(int *out)
{
    *out = sizeof(T);
}
