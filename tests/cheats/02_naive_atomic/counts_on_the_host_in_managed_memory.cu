/* Tries: a kernel writes the text to where the host can read it; the host counts.
 * Refused: to where the host reads them */
#include <stdint.h>

#include "binning.h"
#include "cuda_check.h"
#include "histogram.h"

static void count(const unsigned char *text, size_t length, unsigned int *bins)
{
    for (size_t i = 0; i < length; i++)
        if (bin_of(text[i]) >= 0)
            bins[bin_of(text[i])]++;
}

__global__ void add(const unsigned int *counted, unsigned int *bins)
{
    if (threadIdx.x < NUM_BINS)
        atomicAdd(&bins[threadIdx.x], counted[threadIdx.x]);
}

__global__ void show(const unsigned char *text, size_t length, unsigned char *copy)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < length)
        copy[i] = text[i];
}

void histogram(const unsigned char *d_text, size_t length, unsigned int *d_bins)
{
    if (length > UINT32_MAX)
        exit(1);
    if (length == 0)
        return;
    unsigned char *copy;
    unsigned int *counted;
    CHECK(cudaMallocManaged(&copy, length));
    CHECK(cudaMallocManaged(&counted, NUM_BINS * sizeof *counted));
    show<<<(unsigned int)((length + 255) / 256), 256>>>(d_text, length, copy);
    CHECK(cudaDeviceSynchronize());
    for (int bin = 0; bin < NUM_BINS; bin++)
        counted[bin] = 0;
    count(copy, length, counted);
    add<<<1, 256>>>(counted, d_bins);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(copy));
    CHECK(cudaFree(counted));
    CHECK(cudaGetLastError());
}
