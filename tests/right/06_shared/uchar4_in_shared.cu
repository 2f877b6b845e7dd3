/* Style: reads four characters at a time where the address allows it, head and tail by single ones;
 * the bins are in a class with methods. */
#include <stdint.h>
#include "binning.h"
#include "cuda_check.h"
#include "histogram.h"

class Bins {
  public:
    __device__ void clear() { for (int i = threadIdx.x; i < NUM_BINS; i += blockDim.x) at[i] = 0; }
    __device__ void count(unsigned char c) { int b = bin_of(c); if (b >= 0) atomicAdd(&at[b], 1); }
    __device__ void commit(unsigned int *to) const
    {
        for (int i = threadIdx.x; i < NUM_BINS; i += blockDim.x) atomicAdd(&to[i], at[i]);
    }
  private:
    unsigned int at[NUM_BINS];
};

__global__ void by_four(const unsigned char *text, size_t length, unsigned int *bins)
{
    __shared__ Bins local;
    local.clear();
    __syncthreads();
    size_t t = blockIdx.x * (size_t)blockDim.x + threadIdx.x, all = gridDim.x * (size_t)blockDim.x;
    size_t head = (4 - (uintptr_t)text % 4) % 4;
    if (head > length) head = length;
    const uchar4 *quads = reinterpret_cast<const uchar4 *>(text + head);
    size_t n = (length - head) / 4;
    for (size_t i = t; i < n; i += all) {
        uchar4 q = quads[i];
        local.count(q.x); local.count(q.y); local.count(q.z); local.count(q.w);
    }
    if (t < head) local.count(text[t]);
    size_t tail = head + 4 * n;
    if (t < length - tail) local.count(text[tail + t]);
    __syncthreads();
    local.commit(bins);
}

void histogram(const unsigned char *d_text, size_t length, unsigned int *d_bins)
{
    if (length > UINT32_MAX) { fprintf(stderr, "too long\n"); exit(1); }
    by_four<<<108, 256>>>(d_text, length, d_bins);
    CHECK(cudaGetLastError());
}
