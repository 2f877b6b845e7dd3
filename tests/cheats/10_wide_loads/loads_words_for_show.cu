/* Tries: loads words of 16 and drops them, then reads byte by byte.
 * Refused: with 16 characters a load */
#include <stdint.h>

#include "binning.h"
#include "cuda_check.h"
#include "histogram.h"

__global__ void both(const unsigned char *text, size_t length, unsigned int *bins)
{
    __shared__ unsigned int shared_bins[NUM_BINS];
    for (unsigned int bin = threadIdx.x; bin < NUM_BINS; bin += blockDim.x)
        shared_bins[bin] = 0;
    __syncthreads();
    const size_t threads = (size_t)gridDim.x * blockDim.x;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < length; i += threads)
        if (bin_of(text[i]) >= 0)
            atomicAdd(&shared_bins[bin_of(text[i])], 1);
    const uint4 *words = (const uint4 *)(((uintptr_t)text + 15) / 16 * 16);
    const size_t count = length < 16 ? 0 : (length - ((uintptr_t)words - (uintptr_t)text)) / 16;
    unsigned int sum = 0;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += threads) {
        const uint4 word = words[i];
        sum += word.x ^ word.y ^ word.z ^ word.w;
    }
    if (sum == 1234567)
        shared_bins[0] += 0;
    __syncthreads();
    for (unsigned int bin = threadIdx.x; bin < NUM_BINS; bin += blockDim.x)
        atomicAdd(&bins[bin], shared_bins[bin]);
}

void histogram(const unsigned char *d_text, size_t length, unsigned int *d_bins)
{
    if (length > UINT32_MAX)
        exit(1);
    both<<<256, 256>>>(d_text, length, d_bins);
    CHECK(cudaGetLastError());
}
