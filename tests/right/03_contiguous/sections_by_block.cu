/* Style: first each block gets a part, then each of its threads a part of that. Multiples of 128. */
#include <stdint.h>
#include "histogram.h"
#include "binning.h"
#include "cuda_check.h"

static inline __host__ __device__ uint64_t div_up(uint64_t a, uint64_t b) { return (a + b - 1) / b; }

__global__ void nested(const unsigned char *in, uint64_t n, unsigned int *out)
{
    uint64_t per_block = div_up(n, gridDim.x);
    uint64_t lo = per_block * blockIdx.x, hi = lo + per_block;
    if (hi > n) hi = n;
    if (lo >= hi) return;                 /* nothing left for this block */
    uint64_t per_thread = div_up(hi - lo, blockDim.x);
    uint64_t a = lo + per_thread * threadIdx.x, b = a + per_thread;
    if (b > hi) b = hi;
    while (a < b) {
        int k = bin_of(in[a++]);
        if (k >= 0) atomicAdd(&out[k], 1);
    }
}

void histogram(const unsigned char *d_text, size_t length, unsigned int *d_bins)
{
    if (length > UINT32_MAX) { fprintf(stderr, "nope\n"); exit(1); }
    if (length == 0) return;
    uint64_t blocks = div_up(length, 128 * 8);
    nested<<<(unsigned)(blocks > 2000 ? 2000 : blocks), 128>>>(d_text, length, d_bins);
    CHECK(cudaGetLastError());
}
