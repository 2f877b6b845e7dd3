/* Acquire in one loop, then the section, then the release. On a warp in lockstep this never ends, for
 * the lane that has the lock waits behind the loop for those that want it. A GPU since Volta lets it
 * go on: its threads are scheduled independently, and so they are here. */
#include <stdint.h>

#include "cuda_check.h"
#include "reduce_by_index.h"

struct lock {
    int held;
    __device__ void acquire()
    {
        while (atomicCAS(&held, 0, 1) != 0)
            __nanosleep(100);
        __threadfence();
    }
    __device__ void release()
    {
        __threadfence();
        atomicExch(&held, 0);
    }
};

__global__ void make_free(struct lock *locks, size_t count)
{
    for (size_t j = (size_t)blockIdx.x * blockDim.x + threadIdx.x; j < count;
         j += (size_t)gridDim.x * blockDim.x)
        locks[j].held = 0;
}

__global__ void locked(const element_t *elements, size_t length, bin_t *bins, struct lock *locks,
                       size_t num_bins)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= length || index_of(elements[i], num_bins) >= num_bins)
        return;
    const size_t j = index_of(elements[i], num_bins);
    locks[j].acquire();
    bins[j] = combine(bins[j], value_of(elements[i]));
    locks[j].release();
}

void reduce_by_index(const element_t *d_elements, size_t length, bin_t *d_bins, size_t num_bins)
{
    if (length > UINT32_MAX) {
        fprintf(stderr, "reduce_by_index: too long\n");
        exit(1);
    }
    if (length == 0 || num_bins == 0)
        return;
    struct lock *locks;
    CHECK(cudaMalloc(&locks, num_bins * sizeof *locks));
    make_free<<<(unsigned int)((num_bins + 1023) / 1024), 256>>>(locks, num_bins);
    locked<<<(unsigned int)((length + 255) / 256), 256>>>(d_elements, length, d_bins, locks, num_bins);
    CHECK(cudaGetLastError());
    CHECK(cudaFree(locks));
}
