// Style: a cooperative launch: all blocks zero, wait for the grid, count, wait again, and block 0
// alone adds the copies to the bins.
#include <cooperative_groups.h>
#include "binning.h"
#include "cuda_check.h"
#include "histogram.h"

namespace cg = cooperative_groups;
enum { BLOCKS = 24, THREADS = 128 };

__global__ void three_steps(const unsigned char *text, size_t length, unsigned int *bins,
                            unsigned int *copies)
{
    cg::grid_group grid = cg::this_grid();
    for (unsigned i = grid.thread_rank(); i < gridDim.x * NUM_BINS; i += grid.size()) copies[i] = 0;
    grid.sync();
    for (size_t i = grid.thread_rank(); i < length; i += grid.size()) {
        int bin = bin_of(text[i]);
        if (bin >= 0) atomicAdd(&copies[blockIdx.x * NUM_BINS + bin], 1);
    }
    grid.sync();
    if (blockIdx.x == 0)
        for (int bin = threadIdx.x; bin < NUM_BINS; bin += blockDim.x) {
            unsigned total = 0;
            for (unsigned b = 0; b < gridDim.x; b++) total += copies[b * NUM_BINS + bin];
            bins[bin] += total;
        }
}

void histogram(const unsigned char *d_text, size_t length, unsigned int *d_bins)
{
    if (length > 0xffffffffu) { fprintf(stderr, "too long\n"); exit(1); }
    unsigned int *copies;
    CHECK(cudaMalloc(&copies, BLOCKS * NUM_BINS * sizeof(unsigned int)));
    void *arguments[] = {&d_text, &length, &d_bins, &copies};
    CHECK(cudaLaunchCooperativeKernel((void *)three_steps, BLOCKS, THREADS, arguments, 0, 0));
    CHECK(cudaFree(copies));
}
