// Style: blocks of 16 x 16 in a grid of 16 x 8, and a template on the number of bins.
#include "binning.h"
#include "cuda_check.h"
#include "histogram.h"

template <int N>
__global__ void kernel2d(const unsigned char *data, unsigned long size, unsigned int *out)
{
    __shared__ unsigned int sub[N];
    const unsigned t = threadIdx.x + threadIdx.y * blockDim.x, block = blockDim.x * blockDim.y;
    const unsigned b = blockIdx.x + blockIdx.y * gridDim.x;
    for (unsigned k = t; k < N; k += block) sub[k] = 0;
    __syncthreads();
    for (unsigned long i = (unsigned long)b * block + t; i < size;
         i += (unsigned long)block * gridDim.x * gridDim.y) {
        const int k = bin_of(data[i]);
        if (k >= 0) atomicAdd(&sub[k], 1);
    }
    __syncthreads();
    for (unsigned k = t; k < N; k += block) atomicAdd(&out[k], sub[k]);
}

void histogram(const unsigned char *d_text, size_t length, unsigned int *d_bins)
{
    if (length > 0xffffffffu) { fprintf(stderr, "too long\n"); exit(1); }
    kernel2d<NUM_BINS><<<dim3(16, 8), dim3(16, 16)>>>(d_text, length, d_bins);
    CHECK(cudaGetLastError());
}
