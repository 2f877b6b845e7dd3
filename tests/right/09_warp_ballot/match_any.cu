// Style: __match_any_sync and the lowest peer leads; 16 blocks of 128.
#include "binning.h"
#include "cuda_check.h"
#include "histogram.h"

__global__ void match_kernel(const unsigned char *text, size_t length, unsigned int *bins)
{
    __shared__ unsigned int s[NUM_BINS];
    for (int b = threadIdx.x; b < NUM_BINS; b += blockDim.x) s[b] = 0;
    __syncthreads();
    const unsigned lane = threadIdx.x & 31;
    const size_t step = (size_t)gridDim.x * blockDim.x;
    for (size_t base = (size_t)blockIdx.x * blockDim.x + (threadIdx.x & ~31u); base < length; base += step) {
        const int bin = base + lane < length ? bin_of(text[base + lane]) : -1;
        const unsigned peers = __match_any_sync(0xffffffffu, bin);
        if (bin >= 0 && lane == (unsigned)__ffs(peers) - 1) atomicAdd(&s[bin], __popc(peers));
    }
    __syncthreads();
    for (int b = threadIdx.x; b < NUM_BINS; b += blockDim.x) atomicAdd(&bins[b], s[b]);
}

void histogram(const unsigned char *d_text, size_t length, unsigned int *d_bins)
{
    if (length > 0xffffffffu) { fprintf(stderr, "too long\n"); exit(1); }
    match_kernel<<<16, 128>>>(d_text, length, d_bins);
    CHECK(cudaGetLastError());
}
