// Style: two kernels: one counts into a copy for each block, another one adds the copies up, with a
// thread for each block and bin.
#include "binning.h"
#include "cuda_check.h"
#include "histogram.h"

__global__ void partial_histograms(const unsigned char *text, size_t length, unsigned int *partials)
{
    unsigned int *mine = &partials[blockIdx.x * NUM_BINS];
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < length;
         i += (size_t)gridDim.x * blockDim.x) {
        int bin = bin_of(text[i]);
        if (bin >= 0) atomicAdd(&mine[bin], 1);
    }
}

__global__ void sum_partials(const unsigned int *partials, int count, unsigned int *bins)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) atomicAdd(&bins[i % NUM_BINS], partials[i]);
}

void histogram(const unsigned char *d_text, size_t length, unsigned int *d_bins)
{
    if (length > 0xffffffffu) { fprintf(stderr, "too long\n"); exit(1); }
    if (length == 0) return;
    size_t blocks = (length + 2047) / 2048;
    if (blocks > 512) blocks = 512;
    const int counters = (int)blocks * NUM_BINS;
    unsigned int *partials;
    CHECK(cudaMalloc(&partials, counters * sizeof *partials));
    CHECK(cudaMemset(partials, 0, counters * sizeof *partials));
    partial_histograms<<<(unsigned)blocks, 128>>>(d_text, length, partials);
    CHECK(cudaGetLastError());
    sum_partials<<<(counters + 255) / 256, 256>>>(partials, counters, d_bins);
    CHECK(cudaGetLastError());
    CHECK(cudaFree(partials));
}
