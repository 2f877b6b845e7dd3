// Style: two blocks more than needed, to be on the safe side; the last two find nothing.
#include "binning.h"
#include "cuda_check.h"
#include "histogram.h"

__global__ void spare(const unsigned char *text, size_t length, unsigned int *bins)
{
    const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < length) {
        int bin = bin_of(text[i]);
        if (bin >= 0) atomicAdd(&bins[bin], 1);
    }
}

void histogram(const unsigned char *d_text, size_t length, unsigned int *d_bins)
{
    if (length > 4294967295u) { fprintf(stderr, "too long\n"); exit(1); }
    spare<<<(unsigned)(length / 128 + 2), 128>>>(d_text, length, d_bins);
    CHECK(cudaGetLastError());
}
