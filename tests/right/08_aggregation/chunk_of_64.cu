/* Style: chunks of 64, one a thread and no outer loop: the grid grows; last run inside the same
 * condition. */
#include "binning.h"
#include "cuda_check.h"
#include "histogram.h"

#define CHUNK 64
#define BLOCK 64

__global__ void chunked(const unsigned char *text, size_t length, unsigned int *bins)
{
    __shared__ unsigned int s[NUM_BINS];
    for (int b = threadIdx.x; b < NUM_BINS; b += BLOCK) s[b] = 0;
    __syncthreads();
    size_t i = ((size_t)blockIdx.x * BLOCK + threadIdx.x) * CHUNK;
    size_t end = i + CHUNK < length ? i + CHUNK : length;
    while (i < end) {
        int bin = bin_of(text[i]);
        unsigned int n = 1;
        while (i + n < end && bin_of(text[i + n]) == bin) n++;
        if (bin >= 0) atomicAdd(&s[bin], n);
        i += n;
    }
    __syncthreads();
    for (int b = threadIdx.x; b < NUM_BINS; b += BLOCK) if (s[b]) atomicAdd(&bins[b], s[b]);
}

void histogram(const unsigned char *d_text, size_t length, unsigned int *d_bins)
{
    if (length > 4294967295u) { fprintf(stderr, "too long\n"); exit(1); }
    if (length == 0) return;
    chunked<<<(unsigned)((length + CHUNK * BLOCK - 1) / (CHUNK * BLOCK)), BLOCK>>>(d_text, length, d_bins);
    CHECK(cudaGetLastError());
}
