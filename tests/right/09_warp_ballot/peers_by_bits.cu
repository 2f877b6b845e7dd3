// Style: a helper template that narrows the peers bit by bit, for compute capabilities before 7.0;
// one character a thread, and lanes past the end vote for no bin.
#include <cstdio>
#include <cstdlib>
#include "binning.h"
#include "cuda_check.h"
#include "histogram.h"

template <int Bits> __device__ unsigned peers_of(int key)
{
    unsigned peers = ~0u;
#pragma unroll
    for (int bit = 0; bit < Bits; ++bit) {
        const unsigned ones = __ballot_sync(~0u, key >> bit & 1);
        peers &= (key >> bit & 1) ? ones : ~ones;
    }
    return peers;
}

__global__ void bitwise(const unsigned char *text, size_t length, unsigned int *bins)
{
    __shared__ unsigned s[NUM_BINS];
    for (int b = threadIdx.x; b < NUM_BINS; b += blockDim.x) s[b] = 0;
    __syncthreads();
    const size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
    const int bin = i < length ? bin_of(text[i]) : -1;
    const unsigned peers = peers_of<9>(bin + 1);
    if (bin >= 0 && __popc(peers & ((1u << threadIdx.x % 32) - 1)) == 0)
        atomicAdd(s + bin, unsigned(__popc(peers)));
    __syncthreads();
    for (int b = threadIdx.x; b < NUM_BINS; b += blockDim.x) atomicAdd(bins + b, s[b]);
}

void histogram(const unsigned char *d_text, size_t length, unsigned int *d_bins)
{
    if (length > 0xffffffffull) { std::fprintf(stderr, "too long\n"); std::exit(1); }
    if (length) {
        bitwise<<<unsigned((length + 511) / 512), 512>>>(d_text, length, d_bins);
        CHECK(cudaGetLastError());
    }
}
