/* Style: each row's sum goes straight to the final bins, one atomic a row.
 * Refused: each row of the table is committed by itself */
#include <stdint.h>
#include "binning.h"
#include "cuda_check.h"
#include "histogram.h"

enum { THREADS = 512, LANES = 32 };

__device__ void put(unsigned int four, unsigned int *column)
{
    for (int k = 0; k < 4; k++) atomicAdd(&column[(four >> (8 * k) & 255) * LANES], 1);
}

__global__ void lanes(const unsigned char *text, size_t length, unsigned int *bins)
{
    __shared__ unsigned int table[256][LANES];
    for (unsigned i = threadIdx.x; i < 256 * LANES; i += THREADS) table[i / LANES][i % LANES] = 0;
    __syncthreads();
    const unsigned lane = threadIdx.x % LANES;
    unsigned int *column = &table[0][lane];
    const size_t me = (size_t)blockIdx.x * THREADS + threadIdx.x, all = (size_t)gridDim.x * THREADS;
    size_t head = (16 - (uintptr_t)text % 16) % 16;
    if (head > length) head = length;
    const size_t words = (length - head) / 16, tail = head + 16 * words;
    for (size_t i = me; i < words; i += all) {
        const uint4 w = ((const uint4 *)(text + head))[i];
        put(w.x, column); put(w.y, column); put(w.z, column); put(w.w, column);
    }
    if (me < head) atomicAdd(&column[text[me] * LANES], 1);
    if (me < length - tail) atomicAdd(&column[text[tail + me] * LANES], 1);
    __syncthreads();
    for (unsigned row = threadIdx.x / LANES; row < 256; row += THREADS / LANES) {
        const unsigned sum = __reduce_add_sync(0xffffffffu, table[row][lane]);
        const int bin = bin_of((unsigned char)row);
        if (lane == 0 && bin >= 0) atomicAdd(&bins[bin], sum);
    }
}

void histogram(const unsigned char *d_text, size_t length, unsigned int *d_bins)
{
    if (length > UINT32_MAX) { fprintf(stderr, "too long\n"); exit(1); }
    if (length == 0) return;
    size_t blocks = (length + 16383) / 16384;
    lanes<<<(unsigned)(blocks < 132 ? blocks : 132), THREADS>>>(d_text, length, d_bins);
    CHECK(cudaGetLastError());
}
