// Style: 2-D blocks of 16 x 16 in a 2-D grid, as in image code; the grid has more threads than
// there are characters.
#include "binning.h"
#include "cuda_check.h"
#include "histogram.h"

#define TILE 16
#define GRID_WIDTH 4096

__global__ void hist2d(const unsigned char *pixels, size_t n, unsigned int *bins)
{
    size_t width = (size_t)gridDim.x * blockDim.x;
    size_t x = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t y = (size_t)blockIdx.y * blockDim.y + threadIdx.y;
    size_t at = y * width + x;
    if (at >= n) return;
    const int which = bin_of(pixels[at]);
    if (which >= 0) atomicAdd(bins + which, 1);
}

void histogram(const unsigned char *d_text, size_t length, unsigned int *d_bins)
{
    if (length > 0xffffffffu) { fprintf(stderr, "histogram: too long\n"); exit(1); }
    if (length == 0) return;
    const size_t per_block = TILE * TILE;
    const size_t blocks = (length + per_block - 1) / per_block;
    dim3 threads(TILE, TILE);
    dim3 grid((unsigned)(blocks < GRID_WIDTH ? blocks : GRID_WIDTH),
              (unsigned)((blocks + GRID_WIDTH - 1) / GRID_WIDTH));
    hist2d<<<grid, threads>>>(d_text, length, d_bins);
    CHECK(cudaGetLastError());
}
