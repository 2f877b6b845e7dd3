/* arrays.cu - where nvcc keeps a small array that is indexed at run time.
 *
 * register-arrays.csv holds what ptxas says of each kernel, here with 13 counters:
 *
 *   nvcc -arch=sm_90 -DCOUNTERS=13 -Xptxas -v -c arrays.cu -o arrays.o */
#include <stddef.h>

__device__ static int bin_of(unsigned char character)
{
    const int letters_per_bin = (26 + COUNTERS - 1) / COUNTERS;
    const int letter = character - 'a';
    return letter >= 0 && letter < 26 ? letter / letters_per_bin : -1;
}

__device__ static void zero(unsigned int *shared_bins)
{
    for (unsigned int bin = threadIdx.x; bin < COUNTERS; bin += blockDim.x)
        shared_bins[bin] = 0;
    __syncthreads(); // no thread may count into a bin that another has yet to zero
}

__device__ static void commit(unsigned int *bins, const unsigned int *shared_bins)
{
    __syncthreads(); // no thread may read shared_bins while another still counts into them
    for (unsigned int bin = threadIdx.x; bin < COUNTERS; bin += blockDim.x)
        atomicAdd(&bins[bin], shared_bins[bin]);
}

/* Chapter 7 as it is. */
__global__ void compared(const unsigned char *text, size_t length, unsigned int *bins)
{
    const size_t threads = (size_t)gridDim.x * blockDim.x;
    const size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    __shared__ unsigned int shared_bins[COUNTERS];
    zero(shared_bins);
    unsigned int mine[COUNTERS] = {0};
    for (size_t i = thread; i < length; i += threads) {
        const int bin = bin_of(text[i]);
#pragma unroll
        for (int b = 0; b < COUNTERS; b++)
            mine[b] += b == bin;
    }
#pragma unroll
    for (int b = 0; b < COUNTERS; b++)
        if (mine[b] > 0)
            atomicAdd(&shared_bins[b], mine[b]);
    commit(bins, shared_bins);
}

/* Chapter 7 with mine[bin]++ in the place of the comparisons. */
__global__ void indexed(const unsigned char *text, size_t length, unsigned int *bins)
{
    const size_t threads = (size_t)gridDim.x * blockDim.x;
    const size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    __shared__ unsigned int shared_bins[COUNTERS];
    zero(shared_bins);
    unsigned int mine[COUNTERS] = {0};
    for (size_t i = thread; i < length; i += threads) {
        const int bin = bin_of(text[i]);
        if (bin >= 0)
            mine[bin]++;
    }
#pragma unroll
    for (int b = 0; b < COUNTERS; b++)
        if (mine[b] > 0)
            atomicAdd(&shared_bins[b], mine[b]);
    commit(bins, shared_bins);
}

/* The same counting and nothing around it. */
__global__ void bare(const unsigned char *text, int length, unsigned int *bins)
{
    unsigned int mine[COUNTERS] = {0};
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += gridDim.x * blockDim.x)
        mine[text[i] % COUNTERS]++;
    for (int b = 0; b < COUNTERS; b++)
        if (mine[b] > 0)
            atomicAdd(&bins[b], mine[b]);
}
