/* Style: NVIDIA's histogram sample: partial histograms of all blocks go to memory, a second kernel
 * adds them up; so no global atomics at all. */
#include "binning.h"
#include "cuda_check.h"
#include "histogram.h"

#define PARTIALS 48

__global__ void histogramPartial(const unsigned char *d_Data, size_t count, unsigned int *d_Partial)
{
    __shared__ unsigned int s_Hist[NUM_BINS];
    for (unsigned pos = threadIdx.x; pos < NUM_BINS; pos += blockDim.x) s_Hist[pos] = 0;
    __syncthreads();
    for (size_t pos = (size_t)blockIdx.x * blockDim.x + threadIdx.x; pos < count;
         pos += (size_t)blockDim.x * gridDim.x) {
        int bin = bin_of(d_Data[pos]);
        if (bin >= 0) atomicAdd(s_Hist + bin, 1);
    }
    __syncthreads();
    for (unsigned pos = threadIdx.x; pos < NUM_BINS; pos += blockDim.x)
        d_Partial[blockIdx.x * NUM_BINS + pos] = s_Hist[pos];
}

__global__ void mergeHistogram(unsigned int *d_Histogram, const unsigned int *d_Partial)
{
    __shared__ unsigned int data[64];
    unsigned sum = 0;
    for (unsigned i = threadIdx.x; i < PARTIALS; i += 64) sum += d_Partial[blockIdx.x + i * NUM_BINS];
    data[threadIdx.x] = sum;
    for (unsigned stride = 32; stride > 0; stride >>= 1) {
        __syncthreads();
        if (threadIdx.x < stride) data[threadIdx.x] += data[threadIdx.x + stride];
    }
    if (threadIdx.x == 0) d_Histogram[blockIdx.x] += data[0];
}

void histogram(const unsigned char *d_text, size_t length, unsigned int *d_bins)
{
    if (length > 0xffffffffu) { fprintf(stderr, "too long\n"); exit(1); }
    unsigned int *partial;
    CHECK(cudaMalloc(&partial, PARTIALS * NUM_BINS * sizeof *partial));
    histogramPartial<<<PARTIALS, 192>>>(d_text, length, partial);
    mergeHistogram<<<NUM_BINS, 64>>>(d_bins, partial);
    CHECK(cudaGetLastError());
    CHECK(cudaFree(partial));
}
