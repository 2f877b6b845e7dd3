// Style: __ldg through a reinterpret_cast, a template on the number of loads, blocks of 1,024.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include "binning.h"
#include "cuda_check.h"
#include "histogram.h"

template <int K> __global__ void loads(const unsigned char *__restrict__ text, size_t length, unsigned *bins)
{
    __shared__ unsigned s[NUM_BINS];
    auto count = [&](unsigned c) { if (int b = bin_of((unsigned char)c); b >= 0) atomicAdd(s + b, 1u); };
    auto count4 = [&](unsigned w) { for (int k = 0; k < 32; k += 8) count(w >> k & 0xffu); };
    for (int b = threadIdx.x; b < NUM_BINS; b += blockDim.x) s[b] = 0;
    __syncthreads();
    const size_t off = reinterpret_cast<uintptr_t>(text) % 16;
    const size_t head = off == 0 ? 0 : (16 - off < length ? 16 - off : length);
    const auto *words = reinterpret_cast<const uint4 *>(text + head);
    const size_t n = (length - head) / 16, me = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
    const size_t step = size_t(gridDim.x) * blockDim.x;
    for (size_t base = me; base < n; base += K * step) {
        uint4 v[K];
#pragma unroll
        for (int k = 0; k < K; ++k) if (base + k * step < n) v[k] = __ldg(words + base + k * step);
#pragma unroll
        for (int k = 0; k < K; ++k)
            if (base + k * step < n) { count4(v[k].x); count4(v[k].y); count4(v[k].z); count4(v[k].w); }
    }
    if (me < head) count(text[me]);
    if (head + n * 16 + me < length) count(text[head + n * 16 + me]);
    __syncthreads();
    for (int b = threadIdx.x; b < NUM_BINS; b += blockDim.x) atomicAdd(bins + b, s[b]);
}

void histogram(const unsigned char *d_text, size_t length, unsigned int *d_bins)
{
    if (length > 0xffffffffull) { std::fprintf(stderr, "too long\n"); std::exit(1); }
    loads<4><<<16, 1024>>>(d_text, length, d_bins);
    CHECK(cudaGetLastError());
}
