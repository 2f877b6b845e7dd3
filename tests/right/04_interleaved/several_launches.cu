/* Style: the host cuts the text into pieces of 2^28 characters and launches a kernel for each; an
 * index inside a piece is an int, and never wraps. */
#include "binning.h"
#include "cuda_check.h"
#include "histogram.h"

#define PIECE (1u << 28)

__global__ void piece_kernel(const unsigned char *piece, int count, unsigned int *bins)
{
    int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += stride) {
        int bin = bin_of(piece[i]);
        if (bin >= 0) atomicAdd(&bins[bin], 1);
    }
}

void histogram(const unsigned char *d_text, size_t length, unsigned int *d_bins)
{
    if (length > 4294967295u) { fprintf(stderr, "too long\n"); exit(1); }
    for (size_t done = 0; done < length; done += PIECE) {
        size_t count = length - done < PIECE ? length - done : PIECE;
        piece_kernel<<<1024, 128>>>(d_text + done, (int)count, d_bins);
        CHECK(cudaGetLastError());
    }
}
