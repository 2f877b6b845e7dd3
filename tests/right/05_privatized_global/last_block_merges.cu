// Style: threadFenceReduction: the block that finishes last adds up all copies; it knows by a ticket.
#include "binning.h"
#include "cuda_check.h"
#include "histogram.h"

__device__ unsigned int tickets = 0;

__global__ void last_one_sums(const unsigned char *text, size_t length, unsigned int *bins,
                              unsigned int *copies)
{
    __shared__ bool is_last;
    unsigned int *mine = copies + blockIdx.x * NUM_BINS;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < length;
         i += (size_t)gridDim.x * blockDim.x) {
        const int bin = bin_of(text[i]);
        if (bin >= 0)
            atomicAdd(&mine[bin], 1);
    }
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        is_last = atomicAdd(&tickets, 1) == gridDim.x - 1;
    __syncthreads();
    if (!is_last)
        return;
    __threadfence();
    for (int bin = threadIdx.x; bin < NUM_BINS; bin += blockDim.x) {
        unsigned int sum = 0;
        for (unsigned int block = 0; block < gridDim.x; block++)
            sum += ((volatile unsigned int *)copies)[block * NUM_BINS + bin];
        bins[bin] += sum;
    }
    if (threadIdx.x == 0)
        atomicExch(&tickets, 0);
}

void histogram(const unsigned char *d_text, size_t length, unsigned int *d_bins)
{
    if (length > 4294967295u) { fprintf(stderr, "too long\n"); exit(1); }
    if (length == 0) return;
    const unsigned int blocks = length < 65536 ? 4 : 128;
    unsigned int *copies;
    CHECK(cudaMalloc(&copies, blocks * NUM_BINS * sizeof(unsigned int)));
    CHECK(cudaMemset(copies, 0, blocks * NUM_BINS * sizeof(unsigned int)));
    last_one_sums<<<blocks, 256>>>(d_text, length, d_bins, copies);
    CHECK(cudaGetLastError());
    CHECK(cudaFree(copies));
}
