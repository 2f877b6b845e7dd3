/* Style: one warp a block, a helper __device__ function, dim3 variables. 字符直方图：每个线程一个字符。 */
#include "histogram.h"
#include "binning.h"
#include "cuda_check.h"

// 每个字符做一次原子加法
__device__ __forceinline__ void increment(unsigned int *bins, unsigned char c)
{
    int bin = bin_of(c);
    if (bin >= 0) { atomicAdd(&bins[bin], 1); }
}

__global__ void kernel(const unsigned char *text, size_t length, unsigned int *bins)
{
    size_t i = threadIdx.x + (size_t)blockDim.x * blockIdx.x;
    if (i < length) { increment(bins, text[i]); }
}

void histogram(const unsigned char *text, size_t length, unsigned int *bins)
{
    if (length > 4294967295UL) { fprintf(stderr, "太长: %lu\n", (unsigned long)length); exit(1); }
    if (!length) return;
    dim3 block(32), grid((unsigned)((length + 31) / 32));
    kernel<<<grid, block>>>(text, length, bins);
    CHECK(cudaGetLastError());
}
