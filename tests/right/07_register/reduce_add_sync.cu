/* Style: __reduce_add_sync and straight to the final bins by lane 0 of each warp of a one-warp block. */
#include "binning.h"
#include "cuda_check.h"
#include "histogram.h"

__global__ void one_warp(const unsigned char *text, size_t length, unsigned int *bins)
{
    unsigned int counter[NUM_BINS] = {0};
    const size_t warps = gridDim.x;
    for (size_t base = (size_t)blockIdx.x * 32; base < length; base += warps * 32) {
        const int bin = base + threadIdx.x < length ? bin_of(text[base + threadIdx.x]) : -1;
        for (int b = 0; b < NUM_BINS; b++)
            if (b == bin) counter[b]++;
    }
    for (int b = 0; b < NUM_BINS; b++) {
        const unsigned int all = __reduce_add_sync(~0u, counter[b]);
        if (threadIdx.x == b % 32 && all != 0) atomicAdd(&bins[b], all);
    }
}

void histogram(const unsigned char *d_text, size_t length, unsigned int *d_bins)
{
    if (length > 4294967295u) { fprintf(stderr, "too long\n"); exit(1); }
    one_warp<<<160, 32>>>(d_text, length, d_bins);
    CHECK(cudaGetLastError());
}
