/* Style: the leader loop: as long as lanes are left, the first one's bin is taken, a ballot finds
 * its peers, and they leave; 16 blocks of 128. */
#include "binning.h"
#include "cuda_check.h"
#include "histogram.h"

#define FULL 0xffffffffu

__global__ void leaders(const unsigned char *text, size_t length, unsigned int *bins)
{
    __shared__ unsigned int s[NUM_BINS];
    const int lane = threadIdx.x % 32;
    for (int b = threadIdx.x; b < NUM_BINS; b += blockDim.x) s[b] = 0;
    __syncthreads();
    size_t first = (size_t)blockIdx.x * blockDim.x + threadIdx.x - lane;
    for (; first < length; first += (size_t)gridDim.x * blockDim.x) {
        int bin = first + lane < length ? bin_of(text[first + lane]) : -1;
        unsigned left = __ballot_sync(FULL, bin >= 0);
        while (left) {
            int leader = __ffs(left) - 1;
            int theirs = __shfl_sync(FULL, bin, leader);
            unsigned peers = __ballot_sync(FULL, bin == theirs);
            if (lane == leader) atomicAdd(&s[theirs], __popc(peers));
            left &= ~peers;
        }
    }
    __syncthreads();
    for (int b = threadIdx.x; b < NUM_BINS; b += blockDim.x) atomicAdd(&bins[b], s[b]);
}

void histogram(const unsigned char *d_text, size_t length, unsigned int *d_bins)
{
    if (length > 4294967295u) { fprintf(stderr, "too long\n"); exit(1); }
    leaders<<<16, 128>>>(d_text, length, d_bins);
    CHECK(cudaGetLastError());
}
