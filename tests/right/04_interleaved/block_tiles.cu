/* Style: a block takes tiles of 8 x its threads, far apart; its threads go through a tile side by
 * side. The tile loop is outside, the rounds inside. */
#include "binning.h"
#include "cuda_check.h"
#include "histogram.h"

enum { T = 256, ROUNDS = 8, TILE = T * ROUNDS };

__global__ void tiles(const unsigned char *text, size_t length, unsigned int *bins)
{
    for (size_t tile = blockIdx.x; tile * TILE < length; tile += gridDim.x) {
        for (int round = 0; round < ROUNDS; round++) {
            size_t i = tile * TILE + round * T + threadIdx.x;
            if (i >= length) break;
            int bin = bin_of(text[i]);
            if (bin >= 0) atomicAdd(&bins[bin], 1);
        }
    }
}

void histogram(const unsigned char *d_text, size_t length, unsigned int *d_bins)
{
    if (length > 4294967295ul) { fprintf(stderr, "length\n"); exit(1); }
    if (length == 0) return;
    size_t n = (length + TILE - 1) / TILE;
    tiles<<<n < 1024 ? (unsigned)n : 1024u, T>>>(d_text, length, d_bins);
    CHECK(cudaGetLastError());
}
