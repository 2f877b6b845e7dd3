/* Style: the lesson's exercise, an increment by atomicCAS.
 * Refused: a compare-and-swap loop makes one for each attempt */
#include <stdint.h>
#include "binning.h"
#include "cuda_check.h"
#include "histogram.h"

__device__ void add_one(unsigned int *address)
{
    unsigned int old = *address, assumed;
    do {
        assumed = old;
        old = atomicCAS(address, assumed, assumed + 1);
    } while (old != assumed);
}

__global__ void histogram_kernel(const unsigned char *text, size_t length, unsigned int *bins)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < length) {
        const int bin = bin_of(text[i]);
        if (bin >= 0)
            add_one(&bins[bin]);
    }
}

void histogram(const unsigned char *d_text, size_t length, unsigned int *d_bins)
{
    if (length > UINT32_MAX) {
        fprintf(stderr, "histogram: %zu characters; at most 4294967295 can be counted\n", length);
        exit(1);
    }
    if (length == 0)
        return;
    histogram_kernel<<<(unsigned)((length + 255) / 256), 256>>>(d_text, length, d_bins);
    CHECK(cudaGetLastError());
}
