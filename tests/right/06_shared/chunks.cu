/* Style: each thread reads chunks of 16 neighbors, as aggregation does, and adds each character by
 * itself. docs/results/sim/aggregation-5.csv has its counters. */
#include "binning.h"
#include "cuda_check.h"
#include "histogram.h"

enum { THREADS = 256, CHUNK = 16, MAX_BLOCKS = 1024 };

__global__ void count_chunks(const unsigned char *text, size_t length, unsigned int *bins)
{
    const size_t threads = (size_t)gridDim.x * blockDim.x;
    const size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    __shared__ unsigned int shared_bins[NUM_BINS];
    for (unsigned int bin = threadIdx.x; bin < NUM_BINS; bin += blockDim.x)
        shared_bins[bin] = 0;
    __syncthreads();
    for (size_t chunk = thread * CHUNK; chunk < length; chunk += threads * CHUNK)
        for (size_t i = chunk; i < chunk + CHUNK && i < length; i++) {
            const int bin = bin_of(text[i]);
            if (bin >= 0)
                atomicAdd(&shared_bins[bin], 1);
        }
    __syncthreads();
    for (unsigned int bin = threadIdx.x; bin < NUM_BINS; bin += blockDim.x)
        atomicAdd(&bins[bin], shared_bins[bin]);
}

void histogram(const unsigned char *d_text, size_t length, unsigned int *d_bins)
{
    if (length > UINT32_MAX) {
        fprintf(stderr, "histogram: %zu characters are too many\n", length);
        exit(1);
    }
    size_t blocks = (length + THREADS * CHUNK - 1) / (THREADS * CHUNK);
    if (blocks > MAX_BLOCKS)
        blocks = MAX_BLOCKS;
    if (blocks == 0)
        return;
    count_chunks<<<(unsigned int)blocks, THREADS>>>(d_text, length, d_bins);
    CHECK(cudaGetLastError());
}
