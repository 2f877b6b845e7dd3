// Style: chunks are uint4 words, cast from the text, and a class counts the runs in them.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include "binning.h"
#include "cuda_check.h"
#include "histogram.h"

class Run {
    unsigned *bins_;
    int bin_ = -1;
    unsigned count_ = 0;
  public:
    __device__ explicit Run(unsigned *bins) : bins_(bins) {}
    __device__ void see(unsigned char c)
    {
        const int b = bin_of(c);
        if (b == bin_) { ++count_; return; }
        flush();
        bin_ = b;
        count_ = 1;
    }
    __device__ void see4(unsigned w) { for (int k = 0; k < 4; ++k) see((w >> 8 * k) & 0xff); }
    __device__ void flush() { if (bin_ >= 0) atomicAdd(bins_ + bin_, count_); }
};

__global__ void by_words(const unsigned char *text, size_t length, unsigned int *bins)
{
    __shared__ unsigned s[NUM_BINS];
    for (int b = threadIdx.x; b < NUM_BINS; b += blockDim.x) s[b] = 0;
    __syncthreads();
    const size_t t = size_t(blockIdx.x) * blockDim.x + threadIdx.x, all = size_t(gridDim.x) * blockDim.x;
    size_t head = (16 - reinterpret_cast<uintptr_t>(text) % 16) % 16;
    head = head < length ? head : length;
    const uint4 *words = reinterpret_cast<const uint4 *>(text + head);
    const size_t n = (length - head) / 16;
    Run run(s);
    for (size_t i = t; i < n; i += all) {
        const uint4 w = words[i];
        run.see4(w.x); run.see4(w.y); run.see4(w.z); run.see4(w.w);
    }
    if (t == 0) {
        for (size_t i = 0; i < head; ++i) run.see(text[i]);
        for (size_t i = head + 16 * n; i < length; ++i) run.see(text[i]);
    }
    run.flush();
    __syncthreads();
    for (int b = threadIdx.x; b < NUM_BINS; b += blockDim.x) atomicAdd(bins + b, s[b]);
}

void histogram(const unsigned char *d_text, size_t length, unsigned int *d_bins)
{
    if (length > 0xffffffffull) { std::fprintf(stderr, "too long\n"); std::exit(1); }
    by_words<<<96, 256>>>(d_text, length, d_bins);
    CHECK(cudaGetLastError());
}
