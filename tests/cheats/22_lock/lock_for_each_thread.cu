/* Tries: every thread takes a lock of its own, and combines in a row of its own.
 * Refused: locks were taken */
#include <stdint.h>

#include "cuda_check.h"
#include "reduce_by_index.h"

enum { BLOCKS = 2, THREADS = 128, MOST_BINS = 1024 };

__device__ static void update(bin_t *bin, unsigned int *lock, bin_t value)
{
    for (bool done = false; !done;)
        if (atomicCAS(lock, 0, 1) == 0) {
            __threadfence();
            *bin = combine(*bin, value);
            __threadfence();
            atomicExch(lock, 0);
            done = true;
        }
}

__global__ void in_rows(const element_t *elements, size_t length, bin_t *rows, bin_t *bins,
                        unsigned int *locks, size_t num_bins)
{
    const size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    const bool has_row = num_bins <= MOST_BINS;
    bin_t *row = rows + thread * num_bins;
    for (size_t j = 0; has_row && j < num_bins; j++)
        row[j] = neutral();
    for (size_t i = thread; i < length; i += BLOCKS * THREADS) {
        const size_t j = index_of(elements[i], num_bins);
        if (j < num_bins && has_row)
            update(&row[j], &locks[thread], value_of(elements[i]));
        else if (j < num_bins)
            update(&bins[j], &locks[j], value_of(elements[i]));
    }
}

__global__ void add_rows(const bin_t *rows, bin_t *bins, size_t num_bins)
{
    for (size_t j = threadIdx.x; j < num_bins; j += blockDim.x)
        for (size_t row = 0; row < BLOCKS * THREADS; row++)
            bins[j] = combine(bins[j], rows[row * num_bins + j]);
}

void reduce_by_index(const element_t *d_elements, size_t length, bin_t *d_bins, size_t num_bins)
{
    if (length > UINT32_MAX)
        exit(1);
    if (length == 0 || num_bins == 0)
        return;
    const bool has_row = num_bins <= MOST_BINS;
    const size_t words = (has_row ? 0 : num_bins) + BLOCKS * THREADS;
    unsigned int *locks;
    bin_t *rows = NULL;
    CHECK(cudaMalloc(&locks, words * sizeof *locks));
    CHECK(cudaMemset(locks, 0, words * sizeof *locks));
    if (has_row)
        CHECK(cudaMalloc(&rows, BLOCKS * THREADS * num_bins * sizeof *rows));
    in_rows<<<BLOCKS, THREADS>>>(d_elements, length, rows, d_bins, locks, num_bins);
    CHECK(cudaGetLastError());
    if (has_row)
        add_rows<<<1, THREADS>>>(rows, d_bins, num_bins);
    CHECK(cudaGetLastError());
    CHECK(cudaFree(locks));
    CHECK(cudaFree(rows));
}
