// Style: a templated grid_stride range for a for loop, as in modern C++ posts.
#include <cstdio>
#include <cstdlib>
#include "binning.h"
#include "cuda_check.h"
#include "histogram.h"

template <typename T>
struct grid_stride {
    T last;
    struct iterator {
        T at, step;
        __device__ T operator*() const { return at; }
        __device__ iterator &operator++() { at += step; return *this; }
        __device__ bool operator!=(const iterator &other) const { return at < other.at; }
    };
    __device__ explicit grid_stride(T n) : last(n) {}
    __device__ iterator begin() const
    {
        return {T(blockIdx.x) * blockDim.x + threadIdx.x, T(gridDim.x) * blockDim.x};
    }
    __device__ iterator end() const { return {last, 0}; }
};

__global__ void histogram_kernel(const unsigned char *text, size_t length, unsigned int *bins)
{
    for (auto i : grid_stride<size_t>(length)) {
        auto b = bin_of(text[i]);
        if (b >= 0) atomicAdd(bins + b, 1u);
    }
}

void histogram(const unsigned char *d_text, size_t length, unsigned int *d_bins)
{
    if (length > 0xffffffffull) {
        fprintf(stderr, "too long\n");
        exit(1);
    }
    if (length != 0) {
        auto blocks = length < 100000 ? 20u : 400u;
        histogram_kernel<<<blocks, 160>>>(d_text, length, d_bins);
        CHECK(cudaGetLastError());
    }
}
