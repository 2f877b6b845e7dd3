/* Style: C++ with a template on the block size and auto; 1,024 threads; synchronizes itself. */
#include <limits>
#include <iostream>
#include <cstdlib>
#include "binning.h"
#include "cuda_check.h"
#include "histogram.h"

template <int BLOCK, typename Count>
__global__ void __launch_bounds__(BLOCK) naive(const unsigned char *text, size_t length, Count *bins)
{
    const auto i = static_cast<size_t>(blockIdx.x) * BLOCK + threadIdx.x;
    if (i < length)
        if (const auto bin = bin_of(text[i]); bin >= 0)
            atomicAdd(&bins[bin], Count{1});
}

namespace {
constexpr int kBlock = 1024;
constexpr auto ceil_div = [](size_t a, size_t b) { return (a + b - 1) / b; };
}

void histogram(const unsigned char *d_text, size_t length, unsigned int *d_bins)
{
    if (length > std::numeric_limits<unsigned int>::max()) {
        std::cerr << "histogram: " << length << " characters are too many" << std::endl;
        std::exit(EXIT_FAILURE);
    }
    if (length == 0) return;
    naive<kBlock><<<static_cast<unsigned>(ceil_div(length, kBlock)), kBlock>>>(d_text, length, d_bins);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
}
