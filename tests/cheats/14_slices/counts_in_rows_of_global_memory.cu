/* Tries: no shared atomic but to fold, and no register either: plain stores to global memory.
 * Refused: stores to global memory */
#include <stdint.h>

#include "binning.h"
#include "cuda_check.h"
#include "histogram.h"

/* A row of counters in global memory for each thread. */
__global__ void rows(const unsigned char *text, size_t length, unsigned int *bins, unsigned int *rows)
{
    __shared__ unsigned int shared_bins[NUM_BINS];
    for (unsigned int bin = threadIdx.x; bin < NUM_BINS; bin += blockDim.x)
        shared_bins[bin] = 0;
    __syncthreads();
    const size_t threads = (size_t)gridDim.x * blockDim.x;
    const size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    unsigned int *row = rows + thread * NUM_BINS;
    for (size_t i = thread; i < length; i += threads)
        if (bin_of(text[i]) >= 0)
            row[bin_of(text[i])]++;
    for (unsigned int bin = 0; bin < NUM_BINS; bin++)
        if (row[bin] > 0)
            atomicAdd(&shared_bins[bin], row[bin]);
    __syncthreads();
    for (unsigned int bin = threadIdx.x; bin < NUM_BINS; bin += blockDim.x)
        atomicAdd(&bins[bin], shared_bins[bin]);
}

static unsigned int blocks_for(size_t length)
{
    const size_t blocks = (length + 4095) / 4096;
    return (unsigned int)(blocks < 1024 ? blocks : 1024);
}

void histogram(const unsigned char *d_text, size_t length, unsigned int *d_bins)
{
    if (length > UINT32_MAX) {
        fprintf(stderr, "histogram: too long\n");
        exit(1);
    }
    if (length == 0)
        return;
    unsigned int *d_rows;
    const size_t bytes = (size_t)blocks_for(length) * 256 * NUM_BINS * sizeof *d_rows;
    CHECK(cudaMalloc(&d_rows, bytes));
    CHECK(cudaMemset(d_rows, 0, bytes));
    rows<<<blocks_for(length), 256>>>(d_text, length, d_bins, d_rows);
    CHECK(cudaGetLastError());
    CHECK(cudaFree(d_rows));
    CHECK(cudaGetLastError());
}
