/* Style: 8 blocks of 128, the solution's idea with pointers; the counters fold in one thread after the
 * other without atomics: each thread owns a row of a table in shared memory. */
#include "binning.h"
#include "cuda_check.h"
#include "histogram.h"

__global__ void rows(const unsigned char *p, size_t n, unsigned int *bins)
{
    __shared__ unsigned int table[NUM_BINS][128 + 1];
    const unsigned char *end = p + n;
    unsigned int r[NUM_BINS] = {0};
    for (p += blockIdx.x * blockDim.x + threadIdx.x; p < end; p += gridDim.x * blockDim.x) {
        int bin = bin_of(*p);
#pragma unroll
        for (int b = 0; b < NUM_BINS; b++) r[b] += bin == b;
    }
#pragma unroll
    for (int b = 0; b < NUM_BINS; b++) table[b][threadIdx.x] = r[b];
    __syncthreads();
    for (int b = threadIdx.x; b < NUM_BINS; b += blockDim.x) {
        unsigned int sum = 0;
        for (int t = 0; t < 128; t++) sum += table[b][t];
        atomicAdd(&bins[b], sum);
    }
}

void histogram(const unsigned char *d_text, size_t length, unsigned int *d_bins)
{
    if (length > 4294967295u) { fprintf(stderr, "too long\n"); exit(1); }
    rows<<<8, 128>>>(d_text, length, d_bins);
    CHECK(cudaGetLastError());
}
