/* Style: blocks of 256 in a large fixed grid; each zeroes and folds a table of its own. A thread
 * folds a row, and begins at a column of its own, so that no two lanes meet in a bank. */
#include <stdint.h>
#include "binning.h"
#include "cuda_check.h"
#include "histogram.h"

__device__ void put(unsigned int four, unsigned int *column)
{
#pragma unroll
    for (int k = 0; k < 4; k++) atomicAdd(&column[(four >> (8 * k) & 255) * 32], 1);
}

__global__ void lanes(const unsigned char *text, size_t length, unsigned int *bins)
{
    __shared__ unsigned int table[256 * 32], block_bins[NUM_BINS];
    for (int i = threadIdx.x; i < 256 * 32; i += blockDim.x) table[i] = 0;
    for (int i = threadIdx.x; i < NUM_BINS; i += blockDim.x) block_bins[i] = 0;
    __syncthreads();
    unsigned int *column = table + threadIdx.x % 32;
    const size_t me = (size_t)blockIdx.x * blockDim.x + threadIdx.x, all = (size_t)gridDim.x * blockDim.x;
    size_t head = (16 - (uintptr_t)text % 16) % 16;
    if (head > length) head = length;
    const size_t words = (length - head) / 16, tail = head + 16 * words;
    const uint4 *in = (const uint4 *)(text + head);
    for (size_t i = me; i < words; i += 2 * all) {
        const bool two = i + all < words;
        const uint4 a = in[i], b = two ? in[i + all] : make_uint4(0, 0, 0, 0);
        put(a.x, column); put(a.y, column); put(a.z, column); put(a.w, column);
        if (two) { put(b.x, column); put(b.y, column); put(b.z, column); put(b.w, column); }
    }
    if (me < head) atomicAdd(&column[text[me] * 32], 1);
    if (me < length - tail) atomicAdd(&column[text[tail + me] * 32], 1);
    __syncthreads();
    unsigned int sum = 0;
    for (int k = 0; k < 32; k++) sum += table[threadIdx.x * 32 + (k + threadIdx.x) % 32];
    const int bin = bin_of((unsigned char)threadIdx.x);
    if (bin >= 0 && sum > 0) atomicAdd(&block_bins[bin], sum);
    __syncthreads();
    for (int i = threadIdx.x; i < NUM_BINS; i += blockDim.x) atomicAdd(&bins[i], block_bins[i]);
}

void histogram(const unsigned char *d_text, size_t length, unsigned int *d_bins)
{
    if (length > UINT32_MAX) { fprintf(stderr, "too long\n"); exit(1); }
    lanes<<<132, 256>>>(d_text, length, d_bins);
    CHECK(cudaGetLastError());
}
