// Style: C++ iterators: a pair of pointers from a helper that returns a struct; auto everywhere.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include "binning.h"
#include "cuda_check.h"
#include "histogram.h"

struct Range {
    const unsigned char *first, *last;
    __device__ const unsigned char *begin() const { return first; }
    __device__ const unsigned char *end() const { return last; }
};

template <class T> __device__ T smaller(T a, T b) { return a < b ? a : b; }

__device__ Range my_range(const unsigned char *text, size_t length)
{
    const size_t workers = size_t(gridDim.x) * blockDim.x;
    const size_t me = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
    const size_t each = length / workers + (length % workers != 0);
    return {text + smaller(me * each, length), text + smaller((me + 1) * each, length)};
}

__global__ void walk(const unsigned char *text, size_t length, unsigned int *bins)
{
    for (auto character : my_range(text, length))
        if (auto bin = bin_of(character); bin >= 0)
            atomicAdd(bins + bin, 1u);
}

void histogram(const unsigned char *d_text, size_t length, unsigned int *d_bins)
{
    if (length > 0xffffffffull) {
        std::fprintf(stderr, "histogram: text too long\n");
        std::exit(1);
    }
    if (length == 0) return;
    const size_t blocks = std::min<size_t>(512, (length + 4095) / 4096);
    walk<<<static_cast<unsigned>(blocks), 512>>>(d_text, length, d_bins);
    CHECK(cudaGetLastError());
}
