/* Style: dynamic shared memory, its size in the third launch argument; one character a thread. */
#include "binning.h"
#include "cuda_check.h"
#include "histogram.h"

extern __shared__ unsigned int s_hist[];

__global__ void shared_hist(const unsigned char *__restrict__ text, size_t length,
                            unsigned int *__restrict__ bins)
{
    for (int i = threadIdx.x; i < NUM_BINS; i += blockDim.x) s_hist[i] = 0u;
    __syncthreads();
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < length) {
        const int bin = bin_of(text[i]);
        if (bin >= 0) atomicAdd(&s_hist[bin], 1u);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < NUM_BINS; i += blockDim.x)
        if (s_hist[i]) atomicAdd(&bins[i], s_hist[i]);
}

void histogram(const unsigned char *d_text, size_t length, unsigned int *d_bins)
{
    if (length > 0xffffffffu) { fprintf(stderr, "too long\n"); exit(1); }
    if (length == 0) return;
    const unsigned block = 256, grid = (unsigned)((length + block - 1) / block);
    shared_hist<<<grid, block, NUM_BINS * sizeof(unsigned int)>>>(d_text, length, d_bins);
    CHECK(cudaGetLastError());
}
