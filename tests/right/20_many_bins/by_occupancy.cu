// Style: one key a load, a grid-stride loop, and as many blocks of 512 threads as the runtime says fit
// beside each other; C++ names; the table is asked for as the attribute's most, whatever is needed.

#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "cuda_check.h"
#include "reduce_by_index.h"

#if !OPERATION_IS(count)
#error "this kernel counts keys: OPERATION must be count"
#endif

extern __shared__ unsigned table[];

__global__ void tally(const element_t *keys, size_t n, bin_t *bins, size_t num_bins)
{
    for (size_t b = threadIdx.x; b < num_bins; b += blockDim.x)
        table[b] = 0;
    __syncthreads();
    const size_t step = size_t(gridDim.x) * blockDim.x;
    for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step)
        if (const size_t b = index_of(keys[i], num_bins); b < num_bins)
            atomicAdd(table + b, value_of(keys[i]));
    __syncthreads();
    for (size_t b = threadIdx.x; b < num_bins; b += blockDim.x)
        atomic_combine(bins + b, table[b]);
}

__global__ void far_too_many(const element_t *keys, size_t n, bin_t *bins, size_t num_bins)
{
    const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < n && index_of(keys[i], num_bins) < num_bins)
        atomic_combine(bins + index_of(keys[i], num_bins), value_of(keys[i]));
}

void reduce_by_index(const element_t *d_elements, size_t length, bin_t *d_bins, size_t num_bins)
{
    if (length > UINT32_MAX) {
        std::fprintf(stderr, "%zu elements are too many\n", length);
        std::exit(1);
    }
    if (length == 0 || num_bins == 0)
        return;
    constexpr unsigned threads = 512;
    int device = 0, fit = 0;
    cudaDeviceProp properties;
    CHECK(cudaGetDevice(&device));
    CHECK(cudaGetDeviceProperties(&properties, device));
    const size_t bytes = num_bins * sizeof(bin_t), most = properties.sharedMemPerBlockOptin;
    if (bytes > most) {
        far_too_many<<<unsigned((length + threads - 1) / threads), threads>>>(d_elements, length,
                                                                              d_bins, num_bins);
        CHECK(cudaGetLastError());
        return;
    }
    CHECK(cudaFuncSetAttribute(tally, cudaFuncAttributeMaxDynamicSharedMemorySize, int(most)));
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fit, tally, threads, bytes));
    const size_t useful = (length + threads - 1) / threads;
    const size_t resident = size_t(fit) * properties.multiProcessorCount;
    tally<<<unsigned(useful < resident ? useful : resident), threads, bytes>>>(d_elements, length,
                                                                               d_bins, num_bins);
    CHECK(cudaGetLastError());
}
