/* layouts.cu - reading and counting by sections and by strides, in any number of blocks. */
#include "layouts.h"

#include <cuda_runtime.h>

#include "binning.h"
#include "errors.h"

/* The part of `units` that belongs to this thread. */
struct share {
    size_t first, end, step;
};

template <enum layout LAYOUT> __device__ struct share share_of(size_t units)
{
    const size_t threads = (size_t)gridDim.x * blockDim.x;
    const size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (LAYOUT == STRIDES)
        return {thread, units, threads};
    const size_t section = (units + threads - 1) / threads, first = thread * section;
    return {first, first + section < units ? first + section : units, 1};
}

template <enum layout LAYOUT>
__global__ void bytes_kernel(const unsigned char *text, size_t length, unsigned int *sink)
{
    const struct share mine = share_of<LAYOUT>(length);
    unsigned int sum = 0x9e3779b9u;
    for (size_t i = mine.first; i < mine.end; i += mine.step)
        sum += text[i];
    if (sum == 0)
        *sink = sum;
}

template <enum layout LAYOUT>
__global__ void words_kernel(const uint4 *text, size_t words, unsigned int *sink)
{
    const struct share mine = share_of<LAYOUT>(words);
    unsigned int sum = 0x9e3779b9u;
    for (size_t i = mine.first; i < mine.end; i += mine.step) {
        const uint4 word = text[i];
        sum ^= word.x ^ word.y ^ word.z ^ word.w;
    }
    if (sum == 0)
        *sink = sum;
}

void read_bytes(enum layout layout, const unsigned char *text, size_t length, unsigned int *sink,
                unsigned int blocks)
{
    if (layout == SECTIONS)
        bytes_kernel<SECTIONS><<<blocks, LAYOUT_THREADS>>>(text, length, sink);
    else
        bytes_kernel<STRIDES><<<blocks, LAYOUT_THREADS>>>(text, length, sink);
    must(cudaGetLastError(), "bytes_kernel");
}

void read_words(enum layout layout, const unsigned char *text, size_t length, unsigned int *sink,
                unsigned int blocks)
{
    const uint4 *words = (const uint4 *)text;
    const size_t count = length / sizeof *words;
    if (layout == SECTIONS)
        words_kernel<SECTIONS><<<blocks, LAYOUT_THREADS>>>(words, count, sink);
    else
        words_kernel<STRIDES><<<blocks, LAYOUT_THREADS>>>(words, count, sink);
    must(cudaGetLastError(), "words_kernel");
}

/* Counts this thread's share in the block's bins, and adds them to the bins when all have. */
template <enum layout LAYOUT>
__device__ void count_and_merge(const unsigned char *text, size_t length, unsigned int *block_bins,
                                unsigned int *bins)
{
    const struct share mine = share_of<LAYOUT>(length);
    for (size_t i = mine.first; i < mine.end; i += mine.step) {
        const int bin = bin_of(text[i]);
        // Atomic, because any thread of this block may add to the same bin now.
        if (bin >= 0)
            atomicAdd(&block_bins[bin], 1);
    }
    __syncthreads(); // no thread may read block_bins while another still counts into them
    for (unsigned int bin = threadIdx.x; bin < NUM_BINS; bin += blockDim.x)
        // Atomic, because other blocks may merge into the same bin now.
        atomicAdd(&bins[bin], block_bins[bin]);
}

template <enum layout LAYOUT>
__global__ void shared_kernel(const unsigned char *text, size_t length, unsigned int *bins)
{
    __shared__ unsigned int shared_bins[NUM_BINS];
    for (unsigned int bin = threadIdx.x; bin < NUM_BINS; bin += blockDim.x)
        shared_bins[bin] = 0;
    __syncthreads(); // no thread may count into a bin that another has yet to zero
    count_and_merge<LAYOUT>(text, length, shared_bins, bins);
}

__global__ void global_kernel(const unsigned char *text, size_t length, unsigned int *bins,
                              unsigned int *copies)
{
    count_and_merge<STRIDES>(text, length, copies + (size_t)blockIdx.x * NUM_BINS, bins);
}

void count_in_shared(enum layout layout, const unsigned char *text, size_t length,
                     unsigned int *bins, unsigned int blocks)
{
    if (layout == SECTIONS)
        shared_kernel<SECTIONS><<<blocks, LAYOUT_THREADS>>>(text, length, bins);
    else
        shared_kernel<STRIDES><<<blocks, LAYOUT_THREADS>>>(text, length, bins);
    must(cudaGetLastError(), "shared_kernel");
}

void count_in_global(const unsigned char *text, size_t length, unsigned int *bins,
                     unsigned int *copies, unsigned int blocks)
{
    const size_t bytes = (size_t)blocks * NUM_BINS * sizeof *copies;
    must(cudaMemsetAsync(copies, 0, bytes, 0), "cudaMemsetAsync");
    global_kernel<<<blocks, LAYOUT_THREADS>>>(text, length, bins, copies);
    must(cudaGetLastError(), "global_kernel");
}
