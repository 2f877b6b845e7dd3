/* The lanes of a warp take their locks one after the other, so that none waits for a lane of its own
 * warp: then a loop that only waits is right on every GPU, also where a warp runs in lockstep. */
#include <stdint.h>

#include "cuda_check.h"
#include "reduce_by_index.h"

__device__ void update(bin_t *bin, unsigned int *lock, bin_t value)
{
    while (atomicCAS(lock, 0, 1) != 0)
        continue;
    __threadfence();
    *bin = combine(*bin, value);
    __threadfence();
    atomicExch(lock, 0);
}

__global__ void locked(const element_t *elements, size_t length, bin_t *bins, unsigned int *locks,
                       size_t num_bins)
{
    const size_t threads = (size_t)gridDim.x * blockDim.x;
    const unsigned int lane = threadIdx.x % 32;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i - lane < length; i += threads) {
        const size_t j = i < length ? index_of(elements[i], num_bins) : num_bins;
        for (unsigned int turn = 0; turn < 32; turn++) {
            if (turn == lane && j < num_bins)
                update(&bins[j], &locks[j], value_of(elements[i]));
            __syncwarp();
        }
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
    const size_t blocks = (length + 255) / 256;
    CHECK(cudaMalloc(&locks, num_bins * sizeof *locks));
    CHECK(cudaMemset(locks, 0, num_bins * sizeof *locks));
    locked<<<(unsigned int)(blocks < 264 ? blocks : 264), 256>>>(d_elements, length, d_bins, locks,
                                                                 num_bins);
    CHECK(cudaGetLastError());
    CHECK(cudaFree(locks));
}
