/* Style: five counters by name and comparisons, for 5 bins; an array for more. A tree in shared
 * memory adds the threads up, so that no shared atomics are needed. */
#include "binning.h"
#include "cuda_check.h"
#include "histogram.h"

#define THREADS 128

__global__ void by_registers(const unsigned char *text, size_t length, unsigned int *bins)
{
    __shared__ unsigned int tree[THREADS];
    unsigned int c[NUM_BINS];
#pragma unroll
    for (int b = 0; b < NUM_BINS; b++) c[b] = 0;
    for (size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x; i < length; i += (size_t)gridDim.x * THREADS) {
        const int bin = bin_of(text[i]);
#pragma unroll
        for (int b = 0; b < NUM_BINS; b++) c[b] += bin == b ? 1 : 0;
    }
#pragma unroll
    for (int b = 0; b < NUM_BINS; b++) {
        tree[threadIdx.x] = c[b];
        __syncthreads();
        for (int s = THREADS / 2; s > 0; s /= 2) {
            if (threadIdx.x < s) tree[threadIdx.x] += tree[threadIdx.x + s];
            __syncthreads();
        }
        if (threadIdx.x == 0) atomicAdd(&bins[b], tree[0]);
        __syncthreads();
    }
}

void histogram(const unsigned char *d_text, size_t length, unsigned int *d_bins)
{
    if (length > 0xffffffffu) { fprintf(stderr, "too long\n"); exit(1); }
    by_registers<<<64, THREADS>>>(d_text, length, d_bins);
    CHECK(cudaGetLastError());
}
