/* lock_kernels.h - what the tests of locks share: bins, locks, and what a critical section does. */
#ifndef LOCK_KERNELS_H
#define LOCK_KERNELS_H

#include <criterion/criterion.h>
#include <cuda_runtime.h>
#include <time.h>

#include "capture.h"
#include "self_checked.h"
#include "sim.h"

enum { KEYS = 20000, WORDS = 64 };

struct bin {
    int sum, updates;
};
typedef void lock_kernel(struct bin *bins, int *locks, int length);

/* All 0 at first. */
static struct bin *bins;
static int *locks;

static inline void set_up(void)
{
    cr_assert_eq(cudaMalloc(&bins, WORDS * sizeof *bins), cudaSuccess);
    cr_assert_eq(cudaMalloc(&locks, WORDS * sizeof *locks), cudaSuccess);
    cudaMemset(bins, 0, WORDS * sizeof *bins);
    cudaMemset(locks, 0, WORDS * sizeof *locks);
}

__device__ static inline int thread_number()
{
    return (int)(blockIdx.x * blockDim.x + threadIdx.x);
}

__device__ static inline void update(struct bin *bin)
{
    bin->sum += 2;
    bin->updates += 1;
}

/* Time that the machine gave us: it may be busy with other things. */
static inline double seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

/* What is promised; a simulator that checks itself (make selfcheck) is slower. */
static inline double seconds_allowed(void)
{
    return is_self_checked() ? 60 : 5;
}

#endif
