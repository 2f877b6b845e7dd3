/* one_lane.cu - histogram() in plain C, which was compiled as kernels are: one lane calls it, so
 * that the simulator sees each of its accesses. */
#include <cuda_runtime.h>
#include <stddef.h>

extern "C" __device__ void histogram(const unsigned char *text, size_t length, unsigned int *bins);

__global__ void sequential(const unsigned char *text, size_t length, unsigned int *bins)
{
    histogram(text, length, bins);
}

extern "C" void call_by_one_lane(const unsigned char *text, size_t length, unsigned int *bins)
{
    sequential<<<1, 1>>>(text, length, bins);
}
