/* One kernel after the filling: the block that is done last folds. */
#include <stdint.h>
#include <string.h>

#include "cuda_check.h"
#include "reduce_by_index.h"

__device__ void into(bin_t *bin, bin_t value)
{
#if OPERATION_HAS_ATOMIC
    atomic_combine(bin, value);
#else
    word_t *word = (word_t *)bin, old = *word, assumed;
    do {
        assumed = old;
        bin_t now;
        memcpy(&now, &assumed, sizeof now);
        now = combine(now, value);
        word_t wanted;
        memcpy(&wanted, &now, sizeof wanted);
        old = atomicCAS(word, assumed, wanted);
    } while (old != assumed);
#endif
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

__global__ void start(bin_t *copies, size_t words, unsigned *done)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < words;
         i += (size_t)gridDim.x * blockDim.x)
        copies[i] = neutral();
    if (blockIdx.x == 0 && threadIdx.x == 0)
        *done = 0;
}

__global__ void update(const element_t *x, size_t length, bin_t *copies, bin_t *bins,
                       size_t num_bins, size_t m, unsigned *done)
{
    const size_t thread = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    bin_t *copy = copies + thread % m * num_bins;
    for (size_t i = thread; i < length; i += (size_t)gridDim.x * blockDim.x) {
        const size_t j = index_of(x[i], num_bins);
        if (j < num_bins)
            into(copy + j, value_of(x[i]));
    }
    __shared__ bool last;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        last = atomicAdd(done, 1) == gridDim.x - 1;
    __syncthreads();
    if (!last)
        return;
    __threadfence();
    for (size_t j = threadIdx.x; j < num_bins; j += blockDim.x) {
        bin_t sum = bins[j];
        for (size_t c = 0; c < m; c++)
            sum = combine(sum, copies[c * num_bins + j]);
        bins[j] = sum;
    }
}

void reduce_by_index(const element_t *d_elements, size_t length, bin_t *d_bins, size_t num_bins)
{
    if (length > UINT32_MAX) {
        fprintf(stderr, "reduce_by_index: too long\n");
        exit(1);
    }
    if (!length || !num_bins)
        return;
    cudaDeviceProp gpu;
    CHECK(cudaGetDeviceProperties(&gpu, 0));
    const unsigned blocks = (unsigned)smaller((length + 2047) / 2048, 512);
    size_t m = smaller((size_t)gpu.l2CacheSize / 5 * 2 / (num_bins * sizeof(bin_t)),
                       length / (2 * num_bins));
    m = smaller(m, blocks * (size_t)128);
    m = m ? m : 1;
    char *memory;
    const size_t words = m * num_bins;
    CHECK(cudaMallocAsync(&memory, words * sizeof(bin_t) + sizeof(unsigned), 0));
    bin_t *copies = (bin_t *)memory;
    unsigned *done = (unsigned *)(memory + words * sizeof(bin_t));
    start<<<64, 256>>>(copies, words, done);
    update<<<blocks, 128>>>(d_elements, length, copies, d_bins, num_bins, m, done);
    CHECK(cudaGetLastError());
    CHECK(cudaFreeAsync(memory, 0));
}
