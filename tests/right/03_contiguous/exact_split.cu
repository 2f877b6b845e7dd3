/* Style: thread t of T reads from t*n/T to (t+1)*n/T, in 64 bits: no section is more than one
 * longer than another. A fixed grid of 30 blocks of 192 threads. */
#include "binning.h"
#include "cuda_check.h"
#include "histogram.h"

__global__ void split(const unsigned char *text, unsigned long long n, unsigned int *bins)
{
    const unsigned long long T = gridDim.x * blockDim.x;
    const unsigned long long t = blockIdx.x * blockDim.x + threadIdx.x;
    for (unsigned long long i = t * n / T; i < (t + 1) * n / T; i++) {
        const int bin = bin_of(text[i]);
        if (bin < 0) continue;
        atomicAdd(&bins[bin], 1u);
    }
}

void histogram(const unsigned char *d_text, size_t length, unsigned int *d_bins)
{
    if (length > 4294967295u) {
        fprintf(stderr, "%zu is more than 2^32 - 1\n", length);
        exit(1);
    }
    split<<<30, 192>>>(d_text, length, d_bins);
    CHECK(cudaGetLastError());
}
