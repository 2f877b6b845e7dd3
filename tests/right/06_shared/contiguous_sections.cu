/* Style: shared bins, but each thread counts a section of the text; sections of the grid; a struct
 * in shared memory. */
#include <stdint.h>
#include "binning.h"
#include "cuda_check.h"
#include "histogram.h"

struct block_state {
    unsigned int bins[NUM_BINS];
    size_t section;
};

__global__ void sections(const unsigned char *text, size_t length, unsigned int *bins)
{
    __shared__ struct block_state state;
    if (threadIdx.x == 0) {
        const size_t threads = (size_t)gridDim.x * blockDim.x;
        state.section = (length + threads - 1) / threads;
        for (int b = 0; b < NUM_BINS; b++) state.bins[b] = 0;
    }
    __syncthreads();
    size_t begin = state.section * ((size_t)blockIdx.x * blockDim.x + threadIdx.x);
    for (size_t i = begin; i < begin + state.section && i < length; i++) {
        int bin = bin_of(text[i]);
        if (bin >= 0) atomicAdd(&state.bins[bin], 1);
    }
    __syncthreads();
    if (threadIdx.x == 0)
        for (int b = 0; b < NUM_BINS; b++) atomicAdd(&bins[b], state.bins[b]);
}

void histogram(const unsigned char *d_text, size_t length, unsigned int *d_bins)
{
    if (length > UINT32_MAX) { fprintf(stderr, "too long\n"); exit(1); }
    sections<<<16, 128>>>(d_text, length, d_bins);
    CHECK(cudaGetLastError());
}
