/* 22, further. Fewer locks than bins.
 *
 * A lock may guard many bins: threads then wait for each other more often, and never for ever, since
 * each of them holds one lock at a time. There are as many as the threads of a large GPU seldom hold
 * at a time, whatever the number of bins. */
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "cuda_check.h" // CHECK(call): a call that fails ends the program with one line
#include "reduce_by_index.h"

enum { THREADS_PER_BLOCK = 1024, LOCKS = 1024 };

enum { FREE, HELD }; // what a lock is

/* Combines a value into a bin that other threads update, too.
 * All of them use its lock, which is free when none of them is here. */
__device__ static void update(bin_t *bin, unsigned int *lock, bin_t value)
{
    bool done = false;
    while (!done) {
        // The lane that gets the lock releases it in this turn: lanes of its warp may wait for it.
        if (atomicCAS(lock, FREE, HELD) == FREE) {
            __threadfence(); // what the last holder wrote is read below, and nothing older
            *bin = combine(*bin, value);
            __threadfence(); // it is written before anyone finds the lock free
            atomicExch(lock, FREE);
            done = true;
        }
    }
}

__global__ void __launch_bounds__(THREADS_PER_BLOCK)
    reduce_kernel(const element_t *elements, size_t length, bin_t *bins, unsigned int *locks,
                  size_t num_bins)
{
    const size_t threads = (size_t)gridDim.x * blockDim.x;
    const size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    for (size_t i = thread; i < length; i += threads) {
        const element_t element = elements[i];
        const size_t j = index_of(element, num_bins);
        if (j < num_bins)
            update(&bins[j], &locks[j % LOCKS], value_of(element));
    }
}

void reduce_by_index(const element_t *d_elements, size_t length, bin_t *d_bins, size_t num_bins)
{
    if (length > UINT32_MAX) {
        fprintf(stderr, "reduce_by_index: %zu elements; at most 4294967295 are taken\n", length);
        exit(1);
    }
    if (length == 0 || num_bins == 0)
        return;
    int device, multiprocessors;
    CHECK(cudaGetDevice(&device));
    CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    const size_t most = 2 * (size_t)multiprocessors;
    const size_t blocks = (length + THREADS_PER_BLOCK - 1) / THREADS_PER_BLOCK;

    unsigned int *d_locks = NULL;
    CHECK(cudaMalloc(&d_locks, LOCKS * sizeof *d_locks));
    CHECK(cudaMemset(d_locks, FREE, LOCKS * sizeof *d_locks));
    reduce_kernel<<<(unsigned int)(blocks < most ? blocks : most), THREADS_PER_BLOCK>>>(
        d_elements, length, d_bins, d_locks, num_bins);
    CHECK(cudaGetLastError());
    CHECK(cudaFree(d_locks)); // may wait for the kernel
}
