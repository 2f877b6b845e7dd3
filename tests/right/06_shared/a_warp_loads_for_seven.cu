// Style: one warp of eight brings characters to shared memory, and the other seven count them.
#include <stdint.h>

#include "binning.h"
#include "cuda_check.h"
#include "histogram.h"

/* One warp of eight loads words for all; the other seven count. */
enum { WARPS = 8, THREADS = WARPS * 32, STAGE = 32 * 28 };
__global__ void __launch_bounds__(THREADS) specialized(const unsigned char *text, size_t length, unsigned int *bins)
{
    __shared__ unsigned int local[NUM_BINS];
    __shared__ unsigned char stage[STAGE];
    for (unsigned int b = threadIdx.x; b < NUM_BINS; b += THREADS)
        local[b] = 0;
    for (size_t at = (size_t)blockIdx.x * STAGE; at < length; at += (size_t)gridDim.x * STAGE) {
        const unsigned int n = (unsigned int)(length - at < STAGE ? length - at : STAGE);
        __syncthreads();
        if (threadIdx.x < 32)
            for (unsigned int k = threadIdx.x; k < n; k += 32)
                stage[k] = text[at + k];
        __syncthreads();
        if (threadIdx.x >= 32)
            for (unsigned int k = threadIdx.x - 32; k < n; k += THREADS - 32)
                if (const int b = bin_of(stage[k]); b >= 0)
                    atomicAdd(&local[b], 1);
    }
    __syncthreads();
    for (unsigned int b = threadIdx.x; b < NUM_BINS; b += THREADS)
        atomicAdd(&bins[b], local[b]);
}
void histogram(const unsigned char *d_text, size_t length, unsigned int *d_bins)
{
    if (length > UINT32_MAX) {
        fprintf(stderr, "histogram: %zu characters are too many\n", length);
        exit(1);
    }
    if (length == 0)
        return;

    size_t blocks = (length + STAGE - 1) / STAGE;
    specialized<<<(unsigned int)(blocks < 264 ? blocks : 264), THREADS>>>(d_text, length, d_bins);
    CHECK(cudaGetLastError());
}
