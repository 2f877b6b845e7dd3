// Style: a class template for the table, loads in an array of two, 1,024 threads, the flush in a
// lambda; the emptied words by atomicExch.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include "binning.h"
#include "cuda_check.h"
#include "histogram.h"
#if BINS == 256
#error "28 codes of letters: build it with BINS=5 or BINS=26"
#endif

template <unsigned Codes> struct Pairs {
    static constexpr unsigned rows = Codes * Codes / 2;
    static constexpr size_t bytes = size_t(rows) * 32 * 4;
    unsigned *words;
    __device__ static unsigned code(unsigned char c) { return unsigned(c - 'a') < 26u ? c - 'a' + 1u : 0u; }
    __device__ void count(unsigned two) const
    {
        const unsigned key = code(two) + Codes * code(two >> 8);
        atomicAdd(words + (key >> 1) * 32 + threadIdx.x % 32, 1u << 16 * (key & 1));
    }
    __device__ void count(uint4 w) const
    {
        const unsigned v[4] = {w.x, w.y, w.z, w.w};
#pragma unroll
        for (int k = 0; k < 8; ++k) count(v[k / 2] >> 16 * (k % 2) & 0xffffu);
    }
};

__global__ void __launch_bounds__(1024) kernel(const unsigned char *text, size_t length, unsigned int *bins)
{
    extern __shared__ unsigned words[];
    __shared__ unsigned letters[28];
    const Pairs<28> table{words};
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (unsigned i = threadIdx.x; i < table.rows * 32; i += 1024) words[i] = 0;
    if (threadIdx.x < 28) letters[threadIdx.x] = 0;
    __syncthreads();
    auto flush = [&] {
        __syncthreads();
        for (unsigned row = warp; row < table.rows; row += 32) {
            const unsigned word = atomicExch(&words[row * 32 + lane], 0u);
            const unsigned even = __reduce_add_sync(~0u, word & 0xffffu), odd = __reduce_add_sync(~0u, word >> 16);
            if (lane == 0 && even) { atomicAdd(&letters[2 * row % 28], even); atomicAdd(&letters[2 * row / 28], even); }
            if (lane == 1 && odd) { atomicAdd(&letters[(2 * row + 1) % 28], odd); atomicAdd(&letters[(2 * row + 1) / 28], odd); }
        }
        __syncthreads();
    };
    const size_t me = size_t(blockIdx.x) * 1024 + threadIdx.x, step = size_t(gridDim.x) * 1024;
    size_t head = (16 - reinterpret_cast<uintptr_t>(text) % 16) % 16;
    head = head < length ? head : length;
    const auto *in = reinterpret_cast<const uint4 *>(text + head);
    const size_t n = (length - head) / 16;
    unsigned since = 0;
    for (size_t first = size_t(blockIdx.x) * 1024; first < n; first += 2 * step) {
        uint4 w[2];
        const size_t i = first + threadIdx.x;
        if (i < n) w[0] = in[i];
        if (i + step < n) w[1] = in[i + step];
        if (i < n) table.count(w[0]);
        if (i + step < n) table.count(w[1]);
        since += 2 * 8 * 32;
        if (since > 65535 - 2 * 8 * 32) { flush(); since = 0; }
    }
    if (me < head) atomicAdd(&letters[table.code(text[me])], 1u);
    if (head + 16 * n + me < length) atomicAdd(&letters[table.code(text[head + 16 * n + me])], 1u);
    flush();
    if (threadIdx.x < 26) atomicAdd(bins + bin_of((unsigned char)('a' + threadIdx.x)), letters[threadIdx.x + 1]);
}

void histogram(const unsigned char *d_text, size_t length, unsigned int *d_bins)
{
    if (length > 0xffffffffull) { std::fprintf(stderr, "too long\n"); std::exit(1); }
    if (length == 0) return;
    cudaDeviceProp properties;
    CHECK(cudaGetDeviceProperties(&properties, 0));
    CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, int(Pairs<28>::bytes)));
    const size_t wanted = (length + 16383) / 16384, most = properties.multiProcessorCount;
    kernel<<<unsigned(wanted < most ? wanted : most), 1024, Pairs<28>::bytes>>>(d_text, length, d_bins);
    CHECK(cudaGetLastError());
}
