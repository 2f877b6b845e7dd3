// Style: blocks of one warp, and __syncwarp where others write __syncthreads.
#include "binning.h"
#include "cuda_check.h"
#include "histogram.h"

__global__ void __launch_bounds__(32) warp_block(const unsigned char *text, size_t length, unsigned int *bins)
{
    __shared__ unsigned int s[NUM_BINS];
    const int lane = threadIdx.x;
    for (int b = lane; b < NUM_BINS; b += 32) s[b] = 0;
    __syncwarp();
    for (size_t i = (size_t)blockIdx.x * 32 + lane; i < length; i += (size_t)gridDim.x * 32) {
        int b = bin_of(text[i]);
        if (b >= 0) atomicAdd(s + b, 1);
    }
    __syncwarp();
    for (int b = lane; b < NUM_BINS; b += 32) atomicAdd(bins + b, s[b]);
}

void histogram(const unsigned char *d_text, size_t length, unsigned int *d_bins)
{
    if (length > 0xffffffffu) { fprintf(stderr, "too long\n"); exit(1); }
    warp_block<<<200, 32>>>(d_text, length, d_bins);
    CHECK(cudaGetLastError());
}
