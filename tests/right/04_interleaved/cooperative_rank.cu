// Style: cooperative groups: thread_rank() and size() of the grid.
#include <cooperative_groups.h>
#include <cstdio>
#include <cstdlib>
#include "binning.h"
#include "cuda_check.h"
#include "histogram.h"

namespace cg = cooperative_groups;

__global__ void count(const unsigned char *text, size_t length, unsigned int *bins)
{
    const cg::grid_group grid = cg::this_grid();
    for (size_t i = grid.thread_rank(); i < length; i += grid.size()) {
        const int bin = bin_of(text[i]);
        if (bin >= 0)
            atomicAdd(&bins[bin], 1);
    }
}

void histogram(const unsigned char *d_text, size_t length, unsigned int *d_bins)
{
    if (length > 0xffffffffull) {
        std::fprintf(stderr, "at most 4294967295 characters\n");
        std::exit(1);
    }
    count<<<132, 256>>>(d_text, length, d_bins);
    CHECK(cudaGetLastError());
}
