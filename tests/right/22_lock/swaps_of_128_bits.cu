/* Bins of 16 bytes need no lock on an H200, whose compare-and-swap takes 128 bits; nor do words. What
 * is larger has one. Right, and the idea of chapter 21.
 * Refused: held sections of locks */
#include <stdint.h>
#include <string.h>

#include "cuda_check.h"
#include "reduce_by_index.h"

#if OPERATION_IS(minmax)
struct alignas(16) both {
    unsigned long long low, high;
};

__device__ static bool differ(both one, both other)
{
    return one.low != other.low || one.high != other.high;
}
#elif OPERATION_WORD_BITS
typedef word_t both;

__device__ static bool differ(both one, both other)
{
    return one != other;
}
#endif

__device__ static void update(bin_t *bin, unsigned int *lock, bin_t value)
{
#if OPERATION_IS(minmax) || OPERATION_WORD_BITS
    both held, expected, wanted;
    memset(&held, 0, sizeof held); // a guess
    do {
        bin_t now;
        expected = held;
        memcpy(&now, &expected, sizeof now);
        now = combine(now, value);
        memcpy(&wanted, &now, sizeof wanted);
        held = atomicCAS((both *)bin, expected, wanted);
    } while (differ(held, expected));
#else
    for (bool done = false; !done;)
        if (atomicCAS(lock, 0, 1) == 0) {
            __threadfence();
            *bin = combine(*bin, value);
            __threadfence();
            atomicExch(lock, 0);
            done = true;
        }
#endif
}

__global__ void locked(const element_t *elements, size_t length, bin_t *bins, unsigned int *locks,
                       size_t num_bins)
{
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < length;
         i += (size_t)gridDim.x * blockDim.x) {
        const size_t j = index_of(elements[i], num_bins);
        if (j < num_bins)
            update(&bins[j], &locks[j], value_of(elements[i]));
    }
}

void reduce_by_index(const element_t *d_elements, size_t length, bin_t *d_bins, size_t num_bins)
{
    if (length > UINT32_MAX) {
        fprintf(stderr, "reduce_by_index: too long\n");
        exit(1);
    }
    if (length == 0 || num_bins == 0)
        return;
    unsigned int *locks;
    CHECK(cudaMalloc(&locks, num_bins * sizeof *locks));
    CHECK(cudaMemset(locks, 0, num_bins * sizeof *locks));
    locked<<<2, 128>>>(d_elements, length, d_bins, locks, num_bins);
    CHECK(cudaGetLastError());
    CHECK(cudaFree(locks));
}
