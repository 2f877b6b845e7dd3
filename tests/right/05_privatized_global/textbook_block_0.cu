/* Style: the textbook's kernel once more, with block 0 straight in d_bins and the other copies behind.
 * Refused: one block counts in the final bins, and not in a copy */
#include <stdint.h>
#include "binning.h"
#include "cuda_check.h"
#include "histogram.h"

__global__ void histo_private_kernel(const unsigned char *data, size_t length, unsigned int *histo,
                                     unsigned int *others)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    unsigned int *mine = blockIdx.x == 0 ? histo : others + (size_t)(blockIdx.x - 1) * NUM_BINS;
    for (; i < length; i += (size_t)gridDim.x * blockDim.x) {
        int bin = bin_of(data[i]);
        if (bin >= 0)
            atomicAdd(&mine[bin], 1);
    }
    if (blockIdx.x > 0) {
        __syncthreads();
        for (unsigned int bin = threadIdx.x; bin < NUM_BINS; bin += blockDim.x)
            if (mine[bin] > 0)
                atomicAdd(&histo[bin], mine[bin]);
    }
}

void histogram(const unsigned char *d_text, size_t length, unsigned int *d_bins)
{
    if (length > UINT32_MAX) { fprintf(stderr, "too long\n"); exit(1); }
    if (length == 0) return;
    unsigned int blocks = (unsigned)((length + 4095) / 4096), *others;
    if (blocks > 1024) blocks = 1024;
    CHECK(cudaMalloc(&others, blocks * NUM_BINS * sizeof(unsigned int)));
    CHECK(cudaMemset(others, 0, blocks * NUM_BINS * sizeof(unsigned int)));
    histo_private_kernel<<<blocks, 256>>>(d_text, length, d_bins, others);
    CHECK(cudaGetLastError());
    CHECK(cudaFree(others));
}
