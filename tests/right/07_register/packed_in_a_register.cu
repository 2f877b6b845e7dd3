// Style: contiguous sections, and for 5 bins counters of 12 bits in one 64-bit register, which are
// emptied after 4,000 characters; a macro for more bins.
#include <stdint.h>
#include "binning.h"
#include "cuda_check.h"
#include "histogram.h"

#if BINS > 5
#error "five counters of 12 bits: build it with BINS=5"
#endif

__device__ void empty(uint64_t &packed, unsigned int *mine)
{
#pragma unroll
    for (int b = 0; b < NUM_BINS; b++) mine[b] += (unsigned)(packed >> (12 * b)) & 4095u;
    packed = 0;
}

__global__ void packed_kernel(const unsigned char *text, size_t length, unsigned int *bins)
{
    __shared__ unsigned int s[NUM_BINS];
    if (threadIdx.x < NUM_BINS) s[threadIdx.x] = 0;
    __syncthreads();
    const size_t threads = (size_t)gridDim.x * blockDim.x, t = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    const size_t section = (length + threads - 1) / threads;
    uint64_t packed = 0;
    unsigned int mine[NUM_BINS] = {0}, since = 0;
    for (size_t i = t * section; i < (t + 1) * section && i < length; i++) {
        const int bin = bin_of(text[i]);
        packed += (uint64_t)(bin >= 0) << (12 * (bin & 7));
        if (++since == 4000) { empty(packed, mine); since = 0; }
    }
    empty(packed, mine);
#pragma unroll
    for (int b = 0; b < NUM_BINS; b++) atomicAdd(&s[b], mine[b]);
    __syncthreads();
    if (threadIdx.x < NUM_BINS) atomicAdd(&bins[threadIdx.x], s[threadIdx.x]);
}

void histogram(const unsigned char *d_text, size_t length, unsigned int *d_bins)
{
    if (length > UINT32_MAX) { fprintf(stderr, "too long\n"); exit(1); }
    packed_kernel<<<100, 64>>>(d_text, length, d_bins);
    CHECK(cudaGetLastError());
}
