/* Style: one word a thread, blocks of 1,024, so that the grid follows the length; the fold is done
 * by four threads a row with shuffles. */
#include <stdint.h>
#include "binning.h"
#include "cuda_check.h"
#include "histogram.h"

__global__ void __launch_bounds__(1024) k(const unsigned char *text, size_t length, unsigned int *bins)
{
    __shared__ unsigned int c[256][32], h[NUM_BINS];
    for (int i = threadIdx.x; i < 256 * 32; i += 1024) (&c[0][0])[i] = 0;
    if (threadIdx.x < NUM_BINS) h[threadIdx.x] = 0;
    __syncthreads();
    const int lane = threadIdx.x & 31;
    size_t head = (16 - (uintptr_t)text % 16) % 16, me = (size_t)blockIdx.x * 1024 + threadIdx.x;
    if (head > length) head = length;
    const size_t words = (length - head) / 16, tail = head + 16 * words;
    if (me < words) {
        const uint4 w = ((const uint4 *)(text + head))[me];
        const unsigned int parts[4] = {w.x, w.y, w.z, w.w};
#pragma unroll
        for (int k = 0; k < 16; k++) atomicAdd(&c[parts[k / 4] >> (k % 4 * 8) & 255][lane], 1);
    }
    if (me < head) atomicAdd(&c[text[me]][lane], 1);
    if (me < length - tail) atomicAdd(&c[text[tail + me]][lane], 1);
    __syncthreads();
    const int row = threadIdx.x >> 2, part = threadIdx.x & 3;
    unsigned int sum = 0;
    for (int k = 0; k < 8; k++) sum += c[row][part * 8 + k];
    sum += __shfl_xor_sync(~0u, sum, 1);
    sum += __shfl_xor_sync(~0u, sum, 2);
    const int bin = bin_of((unsigned char)row);
    if (part == 0 && bin >= 0 && sum) atomicAdd(&h[bin], sum);
    __syncthreads();
    if (threadIdx.x < NUM_BINS) atomicAdd(&bins[threadIdx.x], h[threadIdx.x]);
}

void histogram(const unsigned char *d_text, size_t length, unsigned int *d_bins)
{
    if (length > UINT32_MAX) { fprintf(stderr, "too long\n"); exit(1); }
    if (length == 0) return;
    k<<<(unsigned)(length / 16384 + 1), 1024>>>(d_text, length, d_bins);
    CHECK(cudaGetLastError());
}
