// Style: each block reads one stretch of the keys, from its beginning to its end; bins are zeroed 16
// bytes at a time; blocks begin their commit at different bins; a typed pointer into raw bytes.
#include <stdint.h>

#include "cuda_check.h"
#include "reduce_by_index.h"

#if !OPERATION_IS(count)
#error "this kernel counts keys: OPERATION must be count"
#endif

__global__ void sections(const element_t *keys, size_t length, bin_t *bins, unsigned int num_bins)
{
    extern __shared__ __align__(16) unsigned char raw[];
    uint4 *fours = (uint4 *)raw;
    bin_t *mine = (bin_t *)raw;
    for (unsigned int i = threadIdx.x; i < (num_bins + 3) / 4; i += blockDim.x)
        fours[i] = make_uint4(0, 0, 0, 0);
    __syncthreads();
    const size_t begin = length * blockIdx.x / gridDim.x;
    const size_t end = length * (blockIdx.x + 1) / gridDim.x;
    for (size_t i = begin + threadIdx.x; i < end; i += blockDim.x) {
        const element_t key = keys[i];
        if (key < num_bins)
            atomicInc(&mine[key], UINT32_MAX);
    }
    __syncthreads();
    const unsigned int first = (unsigned int)((size_t)num_bins * blockIdx.x / gridDim.x);
    for (unsigned int i = threadIdx.x; i < num_bins; i += blockDim.x) {
        const unsigned int bin = (i + first) % num_bins;
        const bin_t found = mine[bin];
        if (found > 0)
            atomicAdd(&bins[bin], found);
    }
}

__global__ void one_by_one(const element_t *keys, size_t length, bin_t *bins, size_t num_bins)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < length;
         i += (size_t)gridDim.x * blockDim.x)
        if (keys[i] < num_bins)
            atomicAdd(&bins[keys[i]], 1);
}

void reduce_by_index(const element_t *d_elements, size_t length, bin_t *d_bins, size_t num_bins)
{
    if (length > 0xffffffffu) {
        fprintf(stderr, "more elements than 4294967295: %zu\n", length);
        exit(1);
    }
    if (length == 0 || num_bins == 0)
        return;
    int device, most, multiprocessors;
    CHECK(cudaGetDevice(&device));
    CHECK(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
    CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    const size_t bytes = (num_bins + 3) / 4 * sizeof(uint4);
    if (bytes > (size_t)most) {
        one_by_one<<<2 * multiprocessors, 256>>>(d_elements, length, d_bins, num_bins);
    } else {
        CHECK(cudaFuncSetAttribute(sections, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                   (int)bytes));
        sections<<<multiprocessors, 768, bytes>>>(d_elements, length, d_bins,
                                                  (unsigned int)num_bins);
    }
    CHECK(cudaGetLastError());
}
