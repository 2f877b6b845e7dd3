/* Style: two kernels: a warp for each short histogram, and a grid of two dimensions, histogram by
 * part, for long ones. Bins in static shared memory, of more bins in global memory. */
#include <stdint.h>
#include <string.h>
#include "cuda_check.h"
#include "reduce_by_index_batched.h"

#define FEW 256
#define WARPS 4

__device__ void put(bin_t *at, bin_t value)
{
#if OPERATION_HAS_ATOMIC
    atomic_combine(at, value);
#else
    unsigned long long seen = *(unsigned long long *)at, before;
    do {
        bin_t now;
        before = seen;
        memcpy(&now, &before, sizeof now);
        now = combine(now, value);
        unsigned long long wanted;
        memcpy(&wanted, &now, sizeof wanted);
        seen = atomicCAS((unsigned long long *)at, before, wanted);
    } while (seen != before);
#endif
}

__global__ void warps(const element_t *all, size_t length, size_t batch, bin_t *rows, size_t num_bins)
{
    __shared__ bin_t counted[WARPS][FEW];
    const unsigned int lane = threadIdx.x;
    const size_t which = (size_t)blockIdx.x * WARPS + threadIdx.y;
    bin_t *mine = counted[threadIdx.y];
    if (which >= batch)
        return;
    for (size_t j = lane; j < num_bins; j += 32)
        mine[j] = neutral();
    __syncwarp();
    for (size_t i = lane; i < length; i += 32) {
        const element_t x = all[which * length + i];
        if (index_of(x, num_bins) < num_bins)
            put(&mine[index_of(x, num_bins)], value_of(x));
    }
    __syncwarp();
    for (size_t j = lane; j < num_bins; j += 32)
        rows[which * num_bins + j] = combine(mine[j], rows[which * num_bins + j]);
}

__global__ void parts(const element_t *all, size_t length, bin_t *rows, size_t num_bins)
{
    __shared__ bin_t counted[FEW];
    bin_t *row = rows + blockIdx.x * num_bins, *mine = num_bins <= FEW ? counted : row;
    for (size_t j = threadIdx.x; j < num_bins && mine != row; j += blockDim.x)
        mine[j] = neutral();
    __syncthreads();
    for (size_t i = blockIdx.y * (size_t)blockDim.x + threadIdx.x; i < length;
         i += (size_t)gridDim.y * blockDim.x) {
        const element_t x = all[blockIdx.x * length + i];
        if (index_of(x, num_bins) < num_bins)
            put(&mine[index_of(x, num_bins)], value_of(x));
    }
    __syncthreads();
    for (size_t j = threadIdx.x; j < num_bins && mine != row; j += blockDim.x)
        put(&row[j], mine[j]);
}

void reduce_by_index_batched(const element_t *d_elements, size_t length, size_t batch, bin_t *d_bins,
                             size_t num_bins)
{
    if (batch != 0 && length > 0xffffffffu / batch) {
        fprintf(stderr, "too many elements\n");
        exit(1);
    }
    if (length == 0 || batch == 0 || num_bins == 0)
        return;
    if (length <= 1024 && num_bins <= FEW)
        warps<<<(unsigned int)((batch + WARPS - 1) / WARPS), dim3(32, WARPS)>>>(
            d_elements, length, batch, d_bins, num_bins);
    else
        parts<<<dim3((unsigned int)batch, (unsigned int)(length / 8192 + 1)), 256>>>(
            d_elements, length, d_bins, num_bins);
    CHECK(cudaGetLastError());
}
