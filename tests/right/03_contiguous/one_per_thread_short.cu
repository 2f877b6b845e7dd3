/* Style: at least 8 characters a thread, and as many blocks of 96 threads as that needs; a do-while. */
#include "binning.h"
#include "cuda_check.h"
#include "histogram.h"

#define PER_THREAD 8ull
#define BLOCK 96

__global__ void eight(const unsigned char *t, size_t n, unsigned int *h)
{
    size_t i = PER_THREAD * ((size_t)blockIdx.x * BLOCK + threadIdx.x), stop = i + PER_THREAD;
    if (i >= n) return;
    if (stop > n) stop = n;
    do {
        int b = bin_of(t[i]);
        if (b >= 0) atomicAdd(&h[b], 1);
    } while (++i < stop);
}

void histogram(const unsigned char *d_text, size_t length, unsigned int *d_bins)
{
    if (length > 4294967295ull) { fprintf(stderr, "too long\n"); exit(1); }
    if (length) {
        eight<<<(unsigned)((length + PER_THREAD * BLOCK - 1) / (PER_THREAD * BLOCK)), BLOCK>>>(d_text, length, d_bins);
        CHECK(cudaGetLastError());
    }
}
