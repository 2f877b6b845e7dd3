// Style: everything in a struct that is passed by value, with a member function; a lambda on the
// device visits the thread's character.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include "binning.h"
#include "cuda_check.h"
#include "histogram.h"

struct Job {
    const unsigned char *text;
    std::size_t length;
    unsigned int *bins;
    __device__ void add(int bin) const { if (bin >= 0) atomicAdd(bins + bin, 1u); }
};

__global__ void run(const Job job)
{
    auto visit = [&](std::size_t i) { job.add(bin_of(job.text[i])); };
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i < job.length) visit(i);
}

extern "C" void histogram(const unsigned char *d_text, size_t length, unsigned int *d_bins)
{
    if (length > UINT32_MAX) {
        std::fprintf(stderr, "length %zu\n", length);
        std::exit(1);
    }
    if (length > 0) {
        const Job job{d_text, length, d_bins};
        run<<<unsigned((length + 511) / 512), 512>>>(job);
        CHECK(cudaGetLastError());
    }
}
