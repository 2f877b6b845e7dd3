// Style: blocks of 32 x 8, the thread's number by hand; sections of 64 characters a thread.
#include "binning.h"
#include "cuda_check.h"
#include "histogram.h"

__global__ void k(const unsigned char *text, size_t length, unsigned int *bins)
{
    int in_block = threadIdx.y * blockDim.x + threadIdx.x;
    size_t global = (size_t)blockIdx.x * (blockDim.x * blockDim.y) + in_block;
    for (int j = 0; j < 64; j++) {
        size_t i = global * 64 + j;
        if (i >= length) break;
        int bin = bin_of(text[i]);
        if (bin >= 0) atomicAdd(&bins[bin], 1);
    }
}

void histogram(const unsigned char *d_text, size_t length, unsigned int *d_bins)
{
    if (length > 0xffffffff) { fprintf(stderr, "Eingabe zu groß\n"); exit(1); }
    if (length == 0) return;
    const size_t chars_per_block = 256 * 64;
    k<<<(int)((length + chars_per_block - 1) / chars_per_block), dim3(32, 8)>>>(d_text, length, d_bins);
    CHECK(cudaGetLastError());
}
