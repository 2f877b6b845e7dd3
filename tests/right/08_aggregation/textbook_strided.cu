/* Style: the aggregation kernel as it is published: a thread's next character lies a grid away.
 * Refused: your thread's next character lies a grid away, 32,768 characters on */
#include <stdint.h>
#include "binning.h"
#include "cuda_check.h"
#include "histogram.h"

__global__ void histo_private_kernel(const unsigned char *data, size_t length, unsigned int *histo)
{
    __shared__ unsigned int histo_s[NUM_BINS];
    for (unsigned int bin = threadIdx.x; bin < NUM_BINS; bin += blockDim.x) histo_s[bin] = 0u;
    __syncthreads();
    unsigned int accumulator = 0;
    int prevBinIdx = -1;
    size_t tid = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    for (size_t i = tid; i < length; i += (size_t)blockDim.x * gridDim.x) {
        int bin = bin_of(data[i]);
        if (bin == prevBinIdx) {
            ++accumulator;
        } else {
            if (accumulator > 0 && prevBinIdx >= 0) atomicAdd(&(histo_s[prevBinIdx]), accumulator);
            accumulator = 1;
            prevBinIdx = bin;
        }
    }
    if (accumulator > 0 && prevBinIdx >= 0) atomicAdd(&(histo_s[prevBinIdx]), accumulator);
    __syncthreads();
    for (unsigned int bin = threadIdx.x; bin < NUM_BINS; bin += blockDim.x) {
        unsigned int binValue = histo_s[bin];
        if (binValue > 0) atomicAdd(&(histo[bin]), binValue);
    }
}

void histogram(const unsigned char *d_text, size_t length, unsigned int *d_bins)
{
    if (length > UINT32_MAX) { fprintf(stderr, "too long\n"); exit(1); }
    histo_private_kernel<<<128, 256>>>(d_text, length, d_bins);
    CHECK(cudaGetLastError());
}
