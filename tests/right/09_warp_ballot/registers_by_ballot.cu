/* Style: lane b counts bin b of its whole warp in a register, by ballots, and adds once at the end:
 * votes without any leader. With at most 32 bins. */
#include "binning.h"
#include "cuda_check.h"
#include "histogram.h"
#if BINS > 32
#error "a lane for each bin: build it with BINS=5 or BINS=26"
#endif

__global__ void lane_counts(const unsigned char *text, size_t length, unsigned int *bins)
{
    __shared__ unsigned int s[NUM_BINS];
    if (threadIdx.x < NUM_BINS) s[threadIdx.x] = 0;
    __syncthreads();
    const unsigned lane = threadIdx.x & 31;
    unsigned int mine = 0;
    for (size_t base = (size_t)blockIdx.x * blockDim.x + (threadIdx.x - lane); base < length; base += (size_t)gridDim.x * blockDim.x) {
        const int bin = base + lane < length ? bin_of(text[base + lane]) : -1;
#pragma unroll
        for (int b = 0; b < NUM_BINS; b++) {
            const unsigned votes = __ballot_sync(0xffffffffu, bin == b);
            if (lane == b) mine += __popc(votes);
        }
    }
    if (lane < NUM_BINS && mine) atomicAdd(&s[lane], mine);
    __syncthreads();
    if (threadIdx.x < NUM_BINS) atomicAdd(&bins[threadIdx.x], s[threadIdx.x]);
}

void histogram(const unsigned char *d_text, size_t length, unsigned int *d_bins)
{
    if (length > 0xffffffffu) { fprintf(stderr, "too long\n"); exit(1); }
    lane_counts<<<64, 64>>>(d_text, length, d_bins);
    CHECK(cudaGetLastError());
}
