// Style: a template for each counter, and __reduce_add_sync of a warp.
#include <stdint.h>

#include "binning.h"
#include "cuda_check.h"
#include "histogram.h"

template <int B> struct counters {
    counters<B - 1> rest;
    unsigned int mine = 0;
    __device__ void see(int bin) { mine += bin == B - 1; rest.see(bin); }
    __device__ void fold(unsigned int *local) const
    {
        const unsigned int sum = __reduce_add_sync(0xffffffffu, mine);
        if ((threadIdx.x & 31) == 0 && sum)
            atomicAdd(local + (B - 1), sum);
        rest.fold(local);
    }
};
template <> struct counters<0> {
    __device__ void see(int) {}
    __device__ void fold(unsigned int *) const {}
};
__global__ void __launch_bounds__(160) in_registers(const unsigned char *text, size_t length, unsigned int *bins)
{
    __shared__ unsigned int local[NUM_BINS];
    if (threadIdx.x < NUM_BINS)
        local[threadIdx.x] = 0;
    counters<NUM_BINS> own;
    for (size_t i = (size_t)blockIdx.x * 160 + threadIdx.x; i < length; i += (size_t)gridDim.x * 160)
        own.see(bin_of(text[i]));
    __syncthreads();
    own.fold(local);
    __syncthreads();
    if (threadIdx.x < NUM_BINS)
        atomicAdd(bins + threadIdx.x, local[threadIdx.x]);
}
void histogram(const unsigned char *d_text, size_t length, unsigned int *d_bins)
{
    if (length > UINT32_MAX) {
        fprintf(stderr, "histogram: %zu characters are too many\n", length);
        exit(1);
    }
    if (length == 0)
        return;

    const size_t blocks = (length + 160 * 32 - 1) / (160 * 32);
    in_registers<<<(unsigned)(blocks < 400 ? blocks : 400), 160>>>(d_text, length, d_bins);
    CHECK(cudaGetLastError());
}
