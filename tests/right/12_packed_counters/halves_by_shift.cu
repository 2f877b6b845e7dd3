/* Style: key / 2 chooses the word and key % 2 the half; plain codes by a comparison; blocks of 512,
 * emptied every 60 rounds. */
#include <stdint.h>
#include "binning.h"
#include "cuda_check.h"
#include "histogram.h"
#if BINS == 256
#error "pairs of letters only: build it with BINS=5 or BINS=26"
#endif

#define THREADS 512
#define KEYS (28 * 28)

__device__ unsigned int code(unsigned int c)
{
    return c >= 'a' && c <= 'z' ? c - 'a' + 1 : 0;
}

__device__ void pair(unsigned int two, unsigned int *column)
{
    const unsigned int key = code(two & 255) * 28 + code(two >> 8 & 255);
    atomicAdd(&column[key / 2 * 32], key & 1 ? 65536u : 1u);
}

__device__ void empty(unsigned int *table, unsigned int *letters)
{
    __syncthreads();
    const unsigned int lane = threadIdx.x % 32;
    for (unsigned int row = threadIdx.x / 32; row < KEYS / 2; row += THREADS / 32) {
        const unsigned int both = table[row * 32 + lane];
        table[row * 32 + lane] = 0;
        const unsigned int low = __reduce_add_sync(~0u, both & 0xffff), high = __reduce_add_sync(~0u, both >> 16);
        if (lane < 2 && (lane ? high : low) > 0) {
            const unsigned int key = 2 * row + lane;
            atomicAdd(&letters[key / 28], lane ? high : low);
            atomicAdd(&letters[key % 28], lane ? high : low);
        }
    }
    __syncthreads();
}

__global__ void __launch_bounds__(THREADS) pairs(const unsigned char *text, size_t length, unsigned int *bins)
{
    extern __shared__ unsigned int table[];
    __shared__ unsigned int letters[28];
    for (int i = threadIdx.x; i < KEYS / 2 * 32; i += THREADS) table[i] = 0;
    if (threadIdx.x < 28) letters[threadIdx.x] = 0;
    __syncthreads();
    unsigned int *column = table + threadIdx.x % 32;
    size_t head = (16 - (uintptr_t)text % 16) % 16, me = (size_t)blockIdx.x * THREADS + threadIdx.x;
    if (head > length) head = length;
    const size_t words = (length - head) / 16, tail = head + 16 * words, all = (size_t)gridDim.x * THREADS;
    int rounds = 0;
    for (size_t base = (size_t)blockIdx.x * THREADS; base < words; base += all) {
        if (base + threadIdx.x < words) {
            const uint4 w = ((const uint4 *)(text + head))[base + threadIdx.x];
            pair(w.x, column); pair(w.x >> 16, column);
            pair(w.y, column); pair(w.y >> 16, column);
            pair(w.z, column); pair(w.z >> 16, column);
            pair(w.w, column); pair(w.w >> 16, column);
        }
        if (++rounds == 60) { /* 60 x 16 warps x 8 pairs = 7,680 */
            empty(table, letters);
            rounds = 0;
        }
    }
    if (me < head) atomicAdd(&letters[code(text[me])], 1);
    if (me < length - tail) atomicAdd(&letters[code(text[tail + me])], 1);
    empty(table, letters);
    if (threadIdx.x < 26) atomicAdd(&bins[bin_of('a' + threadIdx.x)], letters[threadIdx.x + 1]);
}

void histogram(const unsigned char *d_text, size_t length, unsigned int *d_bins)
{
    if (length > UINT32_MAX) { fprintf(stderr, "too long\n"); exit(1); }
    if (length == 0) return;
    const int bytes = KEYS / 2 * 32 * sizeof(unsigned int);
    int processors;
    CHECK(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0));
    CHECK(cudaFuncSetAttribute(pairs, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    size_t blocks = (length + 16 * THREADS - 1) / (16 * THREADS);
    if (blocks > (size_t)processors) blocks = processors;
    pairs<<<(unsigned)blocks, THREADS, bytes>>>(d_text, length, d_bins);
    CHECK(cudaGetLastError());
}
