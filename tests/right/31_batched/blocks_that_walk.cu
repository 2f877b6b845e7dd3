/* Style: a grid that fits the machine and walks over the parts, with 1,024 threads a block in groups
 * of 64, each with bins of its own; a dimension of the block says which. */
#include <stdint.h>
#include <string.h>
#include "cuda_check.h"
#include "reduce_by_index_batched.h"

static const size_t PART = 6000;

__device__ void merge(bin_t *target, bin_t value)
{
#if OPERATION_IS(argmax)
    auto *word = reinterpret_cast<unsigned long long *>(target);
    for (unsigned long long seen = *word;;) {
        bin_t now;
        memcpy(&now, &seen, sizeof now);
        now = combine(now, value);
        unsigned long long wanted;
        memcpy(&wanted, &now, sizeof wanted);
        const unsigned long long found = atomicCAS(word, seen, wanted);
        if (found == seen)
            return;
        seen = found;
    }
#else
    atomicAdd(target, value);
#endif
}

__global__ void walk(const element_t *elements, size_t length, size_t parts, size_t items,
                     bin_t *bins, size_t num_bins, bool own_bins)
{
    extern __shared__ bin_t memory[];
    bin_t *mine = memory + threadIdx.y * num_bins;
    for (size_t first = (size_t)blockIdx.x * blockDim.y; first < items;
         first += (size_t)gridDim.x * blockDim.y) {
        const size_t item = first + threadIdx.y, row = item / parts, part = item % parts;
        const size_t begin = length * part / parts, end = length * (part + 1) / parts;
        bin_t *into = own_bins ? mine : bins + row * num_bins;
        for (size_t j = threadIdx.x; j < num_bins && own_bins; j += blockDim.x)
            mine[j] = neutral();
        __syncthreads();
        for (size_t i = begin + threadIdx.x; i < end && item < items; i += blockDim.x) {
            element_t x = elements[row * length + i];
            size_t j = index_of(x, num_bins);
            if (j < num_bins)
                merge(into + j, value_of(x));
        }
        __syncthreads();
        for (size_t j = threadIdx.x; j < num_bins && own_bins && item < items; j += blockDim.x)
            merge(bins + row * num_bins + j, mine[j]);
        __syncthreads();
    }
}

void reduce_by_index_batched(const element_t *d_elements, size_t length, size_t batch, bin_t *d_bins,
                             size_t num_bins)
{
    if (length > 0 && batch > UINT32_MAX / length) {
        fprintf(stderr, "reduce_by_index_batched: refused\n");
        exit(EXIT_FAILURE);
    }
    if (!length || !batch || !num_bins)
        return;
    cudaDeviceProp properties;
    CHECK(cudaGetDeviceProperties(&properties, 0));
    const bool is_long = length >= PART || num_bins > 512;
    const size_t parts = is_long ? (length + PART - 1) / PART : 1;
    const dim3 block = is_long ? dim3(512, 1) : dim3(64, 16);
    const size_t bytes = block.y * num_bins * sizeof(bin_t);
    const bool own_bins = bytes <= properties.sharedMemPerBlockOptin;
    if (own_bins)
        CHECK(cudaFuncSetAttribute(walk, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes));
    const size_t wanted = (batch * parts + block.y - 1) / block.y;
    const size_t most = 2 * (size_t)properties.multiProcessorCount;
    walk<<<(unsigned int)(wanted < most ? wanted : most), block, own_bins ? bytes : 0>>>(
        d_elements, length, parts, batch * parts, d_bins, num_bins, own_bins);
    CHECK(cudaGetLastError());
}
