// Style: byte counters in registers, four a word, emptied after 63 words; shuffles fold; 256 threads.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include "binning.h"
#include "cuda_check.h"
#include "histogram.h"
#if BINS != 5
#error "build it with BINS=5"
#endif

struct Tally {
    unsigned packed[6] = {}, full[6] = {}, since = 0;
    __device__ void see(unsigned w)
    {
        const unsigned first[6] = {'a', 'g', 'm', 's', 'y', '{'};
#pragma unroll
        for (int k = 0; k < 6; ++k) packed[k] += __vcmpgeu4(w, first[k] * 0x01010101u) & 0x01010101u;
    }
    __device__ void see(uint4 w)
    {
        see(w.x); see(w.y); see(w.z); see(w.w);
        if (++since == 63) empty(); // 4 x 63 = 252 in a byte
    }
    __device__ void empty()
    {
#pragma unroll
        for (int k = 0; k < 6; ++k) {
            const unsigned p = packed[k];
            full[k] += (p & 255) + (p >> 8 & 255) + (p >> 16 & 255) + (p >> 24);
            packed[k] = 0;
        }
        since = 0;
    }
};

__global__ void bytes(const unsigned char *text, size_t length, unsigned int *bins)
{
    __shared__ unsigned s[NUM_BINS];
    if (threadIdx.x < NUM_BINS) s[threadIdx.x] = 0;
    __syncthreads();
    Tally tally;
    const size_t me = size_t(blockIdx.x) * blockDim.x + threadIdx.x, step = size_t(gridDim.x) * blockDim.x;
    size_t head = (16 - reinterpret_cast<uintptr_t>(text) % 16) % 16;
    head = head < length ? head : length;
    const auto *in = reinterpret_cast<const uint4 *>(text + head);
    const size_t n = (length - head) / 16;
    for (size_t i = me; i < n; i += step) tally.see(in[i]);
    tally.empty();
    if (me < head) tally.see(unsigned(text[me]));
    if (head + 16 * n + me < length) tally.see(unsigned(text[head + 16 * n + me]));
    tally.empty();
#pragma unroll
    for (int b = 0; b < NUM_BINS; ++b) {
        unsigned sum = tally.full[b] - tally.full[b + 1];
        for (int d = 16; d; d /= 2) sum += __shfl_xor_sync(~0u, sum, d);
        if (threadIdx.x % 32 == 0 && sum) atomicAdd(s + b, sum);
    }
    __syncthreads();
    if (threadIdx.x < NUM_BINS) atomicAdd(bins + threadIdx.x, s[threadIdx.x]);
}

void histogram(const unsigned char *d_text, size_t length, unsigned int *d_bins)
{
    if (length > 0xffffffffull) { std::fprintf(stderr, "too long\n"); std::exit(1); }
    bytes<<<60, 256>>>(d_text, length, d_bins);
    CHECK(cudaGetLastError());
}
