/* Style: for each bin one ballot, and lane b keeps the number of bin b and adds it at once; with 5
 * bins five ballots a load, with more a loop. */
#include "binning.h"
#include "cuda_check.h"
#include "histogram.h"

__global__ void each_bin(const unsigned char *text, size_t length, unsigned int *bins)
{
    __shared__ unsigned int s[NUM_BINS];
    for (unsigned b = threadIdx.x; b < NUM_BINS; b += blockDim.x) s[b] = 0;
    __syncthreads();
    const unsigned lane = threadIdx.x % 32, warps = blockDim.x / 32 * gridDim.x;
    const unsigned warp = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    for (size_t w = warp; w * 32 < length; w += warps) {
        const int bin = w * 32 + lane < length ? bin_of(text[w * 32 + lane]) : -1;
        for (unsigned b = 0; b < NUM_BINS; b++) {
            const unsigned have_it = __ballot_sync(0xffffffffu, bin == (int)b);
            if (lane == b % 32 && have_it) atomicAdd(&s[b], __popc(have_it));
        }
    }
    __syncthreads();
    for (unsigned b = threadIdx.x; b < NUM_BINS; b += blockDim.x) atomicAdd(&bins[b], s[b]);
}

void histogram(const unsigned char *d_text, size_t length, unsigned int *d_bins)
{
    if (length > 0xffffffffu) { fprintf(stderr, "too long\n"); exit(1); }
    if (length == 0) return;
    unsigned blocks = (unsigned)(length / 8192 + 1);
    each_bin<<<blocks < 300 ? blocks : 300, 256>>>(d_text, length, d_bins);
    CHECK(cudaGetLastError());
}
