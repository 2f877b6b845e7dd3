/* Style: each warp has a copy of the bins, so that only its leaders meet; __syncwarp between warps'
 * own phases, one __syncthreads at the end. */
#include "binning.h"
#include "cuda_check.h"
#include "histogram.h"

#define WARPS 4

__global__ void own_copies(const unsigned char *text, size_t length, unsigned int *bins)
{
    __shared__ unsigned int copies[WARPS][NUM_BINS];
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    unsigned int *mine = copies[warp];
    for (unsigned b = lane; b < NUM_BINS; b += 32) mine[b] = 0;
    __syncwarp();
    for (size_t base = ((size_t)blockIdx.x * WARPS + warp) * 32; base < length; base += (size_t)gridDim.x * WARPS * 32) {
        const int bin = base + lane < length ? bin_of(text[base + lane]) : -1;
        const unsigned peers = __match_any_sync(~0u, bin);
        if (bin >= 0 && (peers >> lane) == 1u) /* the highest leads */
            atomicAdd(&mine[bin], __popc(peers));
        __syncwarp();
    }
    __syncthreads();
    for (unsigned b = threadIdx.x; b < NUM_BINS; b += blockDim.x) {
        unsigned int sum = 0;
        for (int w = 0; w < WARPS; w++) sum += copies[w][b];
        atomicAdd(&bins[b], sum);
    }
}

void histogram(const unsigned char *d_text, size_t length, unsigned int *d_bins)
{
    if (length > 4294967295u) { fprintf(stderr, "too long\n"); exit(1); }
    own_copies<<<30, WARPS * 32>>>(d_text, length, d_bins);
    CHECK(cudaGetLastError());
}
