// Style: sections of 1,000 characters, however long the text: the grid grows with it.
#include "binning.h"
#include "cuda_check.h"
#include "histogram.h"

const int SECTION = 1000, THREADS = 64;

__global__ void sections(const unsigned char *text, size_t length, unsigned int *bins)
{
    size_t from = ((size_t)blockIdx.x * blockDim.x + threadIdx.x) * SECTION;
    size_t to = from + SECTION;
    if (to > length) to = length;
    for (size_t k = from; k < to; ++k) {
        int bin = bin_of(text[k]);
        if (bin >= 0) atomicAdd(&bins[bin], 1);
    }
}

void histogram(const unsigned char *d_text, size_t length, unsigned int *d_bins)
{
    if (length > 0xffffffffu) { fprintf(stderr, "too long\n"); exit(1); }
    size_t threads = (length + SECTION - 1) / SECTION;
    size_t blocks = (threads + THREADS - 1) / THREADS;
    if (blocks == 0) blocks = 1;
    sections<<<(unsigned)blocks, THREADS>>>(d_text, length, d_bins);
    CHECK(cudaGetLastError());
}
