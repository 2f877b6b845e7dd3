/* Style: the grid by cudaOccupancyMaxPotentialBlockSize and the number of multiprocessors. */
#include "binning.h"
#include "cuda_check.h"
#include "histogram.h"

__global__ void kern(const unsigned char *text, size_t length, unsigned int *bins)
{
    const size_t step = (size_t)gridDim.x * blockDim.x;
    for (size_t at = (size_t)blockIdx.x * blockDim.x + threadIdx.x; at < length; at += step) {
        const int bin = bin_of(text[at]);
        if (bin != -1) atomicAdd(&bins[bin], 1);
    }
}

void histogram(const unsigned char *d_text, size_t length, unsigned int *d_bins)
{
    if (length > 4294967295u) { fprintf(stderr, "too long: %zu\n", length); exit(1); }
    if (length == 0) return;
    int grid = 0, block = 0;
    CHECK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, kern, 0, 0));
    kern<<<grid, block>>>(d_text, length, d_bins);
    CHECK(cudaGetLastError());
}
