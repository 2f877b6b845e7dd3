/* The first lane of each group asks the others one by one. */
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
    const unsigned lane = threadIdx.x % 32;
    const size_t threads = (size_t)gridDim.x * blockDim.x;
    const size_t rounds = (length + threads - 1) / threads;
    for (size_t r = 0; r < rounds; r++) {
        const size_t i = r * threads + blockIdx.x * (size_t)blockDim.x + threadIdx.x;
        long long key = -1;
        bin_t value = neutral();
        if (i < length && index_of(x[i], num_bins) < num_bins) {
            key = (long long)index_of(x[i], num_bins);
            value = value_of(x[i]);
        }
        const unsigned group = __match_any_sync(all, key);
        unsigned rest = group & (group - 1);
        bin_t sum = value;
        for (; __any_sync(all, rest); rest &= rest - 1) {
            const bin_t one = get(value, rest ? __ffs(rest) - 1 : 0);
            if (rest)
                sum = combine(sum, one);
        }
        if (key >= 0 && lane == (unsigned)__ffs(group) - 1)
            into(&bins[key], sum);
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
