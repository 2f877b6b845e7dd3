/* Style: slices gathered by products: a multiplication brings one bit of each of four characters
 * together; a set for each bin, and no bounds. 512 threads. */
#include <stdint.h>
#include "binning.h"
#include "cuda_check.h"
#include "histogram.h"
#if BINS != 5
#error "build it with BINS=5"
#endif

/* Bits b of the four bytes of w, as the lowest four bits. */
__device__ unsigned int nibble(unsigned int w, int b)
{
    return ((w >> b & 0x01010101u) * 0x10204080u) >> 28;
}

/* Slice b of eight words. */
__device__ unsigned int slice_of(const unsigned int *w, int b)
{
    unsigned int s = 0;
#pragma unroll
    for (int k = 0; k < 8; k++) s |= nibble(w[k], b) << 4 * k;
    return s;
}

struct seen { unsigned int bin[NUM_BINS]; };

__device__ void see(uint4 p, uint4 q, struct seen *seen)
{
    const unsigned int w[8] = {p.x, p.y, p.z, p.w, q.x, q.y, q.z, q.w};
    unsigned int s[8];
#pragma unroll
    for (int b = 0; b < 8; b++) s[b] = slice_of(w, b);
    const unsigned int letter = ~s[7] & s[6] & s[5];
    const unsigned int g = s[4] | s[3] | (s[2] & s[1] & s[0]), m = s[4] | (s[3] & s[2] & (s[1] | s[0]));
    const unsigned int x = s[4] & (s[3] | s[2] | (s[1] & s[0])), y = s[4] & s[3] & (s[2] | s[1] | s[0]);
    const unsigned int some = s[4] | s[3] | s[2] | s[1] | s[0], over = s[4] & s[3] & (s[2] | (s[1] & s[0]));
    seen->bin[0] += __popc(letter & some & ~g);
    seen->bin[1] += __popc(letter & g & ~m);
    seen->bin[2] += __popc(letter & m & ~x);
    seen->bin[3] += __popc(letter & x & ~y);
    seen->bin[4] += __popc(letter & y & ~over);
}

__global__ void __launch_bounds__(512) gathered(const unsigned char *text, size_t length, unsigned int *bins)
{
    __shared__ unsigned int s[NUM_BINS];
    if (threadIdx.x < NUM_BINS) s[threadIdx.x] = 0;
    __syncthreads();
    struct seen seen = {};
    const size_t me = (size_t)blockIdx.x * 512 + threadIdx.x, all = (size_t)gridDim.x * 512;
    size_t head = (16 - (uintptr_t)text % 16) % 16;
    if (head > length) head = length;
    const uint4 *in = (const uint4 *)(text + head), none = make_uint4(0, 0, 0, 0);
    const size_t n = (length - head) / 16, tail = head + 16 * n;
    for (size_t i = me; i < n; i += 2 * all) see(in[i], i + all < n ? in[i + all] : none, &seen);
    if (me < head) see(make_uint4(text[me], 0, 0, 0), none, &seen);
    if (me < length - tail) see(make_uint4(text[tail + me], 0, 0, 0), none, &seen);
    for (int b = 0; b < NUM_BINS; b++) {
        const unsigned int sum = __reduce_add_sync(~0u, seen.bin[b]);
        if (threadIdx.x % 32 == 0) atomicAdd(&s[b], sum);
    }
    __syncthreads();
    if (threadIdx.x < NUM_BINS) atomicAdd(&bins[threadIdx.x], s[threadIdx.x]);
}

void histogram(const unsigned char *d_text, size_t length, unsigned int *d_bins)
{
    if (length > UINT32_MAX) { fprintf(stderr, "too long\n"); exit(1); }
    if (length == 0) return;
    size_t blocks = length / 16384 + 1;
    int processors;
    CHECK(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0));
    if (blocks > 2 * (size_t)processors) blocks = 2 * (size_t)processors;
    gathered<<<(unsigned int)blocks, 512>>>(d_text, length, d_bins);
    CHECK(cudaGetLastError());
}
