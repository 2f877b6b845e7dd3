// Style: warps stride, not threads: warp w of W reads words of 32 characters w, w + W, ...
// Kommentare auf Deutsch: jede Warp liest 32 benachbarte Zeichen.
#include "binning.h"
#include "cuda_check.h"
#include "histogram.h"

__global__ void warps(const unsigned char *zeichen, size_t anzahl, unsigned int *klassen)
{
    const unsigned lane = threadIdx.x & 31, warps_je_block = blockDim.x >> 5;
    const size_t alle = (size_t)gridDim.x * warps_je_block;
    size_t warp = (size_t)blockIdx.x * warps_je_block + (threadIdx.x >> 5);
    for (; warp * 32 < anzahl; warp += alle) {
        const size_t i = warp * 32 + lane;
        if (i < anzahl) {
            const int k = bin_of(zeichen[i]);
            if (k >= 0) atomicAdd(klassen + k, 1);
        }
    }
}

void histogram(const unsigned char *d_text, size_t length, unsigned int *d_bins)
{
    if (length > 0xffffffffu) { fprintf(stderr, "zu lang\n"); exit(1); }
    if (length == 0) return;
    size_t blocks = (length + 1023) / 1024;
    warps<<<(unsigned)(blocks > 256 ? 256 : blocks), 64>>>(d_text, length, d_bins);
    CHECK(cudaGetLastError());
}
