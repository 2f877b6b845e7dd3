/* Each block swaps in a copy in global memory; a second kernel gives each bin a thread, which
 * combines the copies and stores the bin, for it is the only one who has it. */
#include <stdint.h>
#include <string.h>

#include "cuda_check.h"
#include "reduce_by_index.h"

enum { THREADS = 256, COPIES = 4 };

template <typename To, typename From> __device__ static To as(From from)
{
    To to;
    memcpy(&to, &from, sizeof to);
    return to;
}

__global__ void make_neutral(bin_t *copies, size_t count)
{
    for (size_t j = (size_t)blockIdx.x * blockDim.x + threadIdx.x; j < count;
         j += (size_t)gridDim.x * blockDim.x)
        copies[j] = neutral();
}

__global__ void into_copies(const element_t *elements, size_t length, bin_t *copies,
                            size_t num_bins)
{
    bin_t *copy = copies + blockIdx.x % COPIES * num_bins;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < length;
         i += (size_t)gridDim.x * blockDim.x) {
        const size_t j = index_of(elements[i], num_bins);
        if (j >= num_bins)
            continue;
        for (word_t seen = as<word_t>(copy[j]);;) {
            const bin_t now = combine(value_of(elements[i]), as<bin_t>(seen));
            const word_t found = atomicCAS((word_t *)&copy[j], seen, as<word_t>(now));
            if (found == seen)
                break;
            seen = found;
        }
    }
}

__global__ void merge(const bin_t *copies, bin_t *bins, size_t num_bins)
{
    for (size_t j = (size_t)blockIdx.x * blockDim.x + threadIdx.x; j < num_bins;
         j += (size_t)gridDim.x * blockDim.x) {
        bin_t all = bins[j];
        for (size_t copy = 0; copy < COPIES; copy++)
            all = combine(all, copies[copy * num_bins + j]);
        bins[j] = all;
    }
}

static unsigned int blocks_for(size_t work)
{
    const size_t blocks = (work + THREADS - 1) / THREADS;
    return (unsigned int)(blocks < 16 ? blocks : 16);
}

void reduce_by_index(const element_t *d_elements, size_t length, bin_t *d_bins, size_t num_bins)
{
    if (length > UINT32_MAX) {
        fprintf(stderr, "reduce_by_index: too long\n");
        exit(1);
    }
    if (length == 0 || num_bins == 0)
        return;
    bin_t *copies;
    CHECK(cudaMalloc(&copies, COPIES * num_bins * sizeof *copies));
    make_neutral<<<blocks_for(num_bins), THREADS>>>(copies, COPIES * num_bins);
    into_copies<<<blocks_for(length), THREADS>>>(d_elements, length, copies, num_bins);
    merge<<<blocks_for(num_bins), THREADS>>>(copies, d_bins, num_bins);
    CHECK(cudaGetLastError());
    CHECK(cudaFree(copies));
}
