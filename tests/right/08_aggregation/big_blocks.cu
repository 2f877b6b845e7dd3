/* Style: blocks of 1,024; runs of bytes, whose bin is asked for only when they end. */
#include "binning.h"
#include "cuda_check.h"
#include "histogram.h"

__global__ void byte_runs(const unsigned char *text, size_t n, unsigned int *bins)
{
    __shared__ unsigned int block_bins[NUM_BINS];
    if (threadIdx.x < NUM_BINS) block_bins[threadIdx.x] = 0;
    __syncthreads();
    const size_t workers = (size_t)gridDim.x * blockDim.x, me = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t i = n * me / workers;
    const size_t stop = n * (me + 1) / workers;
    if (i < stop) {
        int run = bin_of(text[i++]), count = 1;
        for (; i < stop; i++) {
            const int next = bin_of(text[i]);
            if (next == run) { count++; continue; }
            if (run >= 0) atomicAdd(&block_bins[run], (unsigned)count);
            run = next; count = 1;
        }
        if (run >= 0) atomicAdd(&block_bins[run], (unsigned)count);
    }
    __syncthreads();
    if (threadIdx.x < NUM_BINS) atomicAdd(&bins[threadIdx.x], block_bins[threadIdx.x]);
}

void histogram(const unsigned char *d_text, size_t length, unsigned int *d_bins)
{
    if (length > 4294967295ul) { fprintf(stderr, "too long\n"); exit(1); }
    byte_runs<<<10, 1024>>>(d_text, length, d_bins);
    CHECK(cudaGetLastError());
}
