/* No match: the first lane that is left names its key, those who have it fold by halves, and leave. */
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda_check.h"
#include "reduce_by_index.h"

__device__ void into(bin_t *bin, bin_t value)
{
#if OPERATION_HAS_ATOMIC
    atomic_combine(bin, value);
#else
    word_t *word = (word_t *)bin, old = *word, assumed;
    do {
        assumed = old;
        bin_t now;
        memcpy(&now, &assumed, sizeof now);
        now = combine(now, value);
        word_t wanted;
        memcpy(&wanted, &now, sizeof wanted);
        old = atomicCAS(word, assumed, wanted);
    } while (old != assumed);
#endif
}

__device__ bin_t get(bin_t value, int lane)
{
    word_t word;
    memcpy(&word, &value, sizeof word);
    word = __shfl_sync(0xffffffffu, word, lane);
    memcpy(&value, &word, sizeof value);
    return value;
}

__global__ void kernel(const element_t *x, size_t length, bin_t *bins, size_t num_bins)
{
    const unsigned all = 0xffffffffu;
    const int lane = threadIdx.x & 31;
    const size_t first = blockIdx.x * (size_t)blockDim.x + threadIdx.x - lane;
    for (size_t i = first; i < length; i += (size_t)gridDim.x * blockDim.x) {
        size_t key = num_bins;
        bin_t value = neutral();
        if (i + lane < length) {
            element_t e = x[i + lane];
            key = index_of(e, num_bins);
            value = value_of(e);
        }
        unsigned left = __ballot_sync(all, key < num_bins);
        while (left) {
            const int leader = __ffs(left) - 1;
            const size_t wanted = __shfl_sync(all, (unsigned long long)key, leader);
            const bool mine = key == wanted;
            bin_t sum = mine ? value : neutral();
            for (int half = 16; half > 0; half /= 2)
                sum = combine(sum, get(sum, lane ^ half));
            if (lane == leader)
                into(&bins[wanted], sum);
            left &= ~__ballot_sync(all, mine);
        }
    }
}

void reduce_by_index(const element_t *d_elements, size_t length, bin_t *d_bins, size_t num_bins)
{
    if (length > UINT32_MAX) {
        fprintf(stderr, "reduce_by_index: too long\n");
        exit(1);
    }
    if (!length || !num_bins)
        return;
    const size_t blocks = (length + 4095) / 4096;
    kernel<<<(unsigned)(blocks < 1056 ? blocks : 1056), 256>>>(d_elements, length, d_bins, num_bins);
    CHECK(cudaGetLastError());
}
