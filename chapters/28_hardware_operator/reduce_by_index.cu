/* 28. Hardware operator: say it so that hardware can do it.
 *
 * No atomic function of CUDA takes the larger of two pairs, or adds up to a limit. Both can be said in words that one
 * does:
 *
 *   argmax      the larger of two 64-bit words, when a pair is written as value, then ~index;
 *   saturate    a sum that is cut at the end.
 *
 * No thread tries an update twice, and nothing depends on their order. */
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "cuda_check.h" // CHECK(call): a call that fails ends the program with one line
#include "given/device.h"
#include "reduce_by_index.h"

#if !OPERATION_IS(saturate) && !OPERATION_IS(argmax)
#error "chapter 28 takes saturate and argmax"
#endif

/* A call takes the elements in parts of at most so many. Of saturate a part finds at most 2^24 - 1 in a
 * bin and adds at most 2^31, before the sum is cut: 32 bits hold that. */
static const size_t MOST_ELEMENTS = (size_t)1 << 31;

enum { THREADS_PER_BLOCK = 1024 };

#if OPERATION_IS(saturate)

typedef unsigned int hardware_t; // what hardware combines

__device__ static hardware_t to_hardware(bin_t bin)
{
    return bin;
}

__device__ static bin_t from_hardware(hardware_t sum)
{
    bin_t bin = sum;
    // TODO(28.1): A bin holds at most 2^24 - 1; the sum may have passed it.
    // end of TODO(28.1)
    return bin;
}

/* Combines `word` into *bin, as any thread may do now. */
__device__ static void combine_in_hardware(hardware_t *bin, hardware_t word)
{
    atomicAdd(bin, word);
}

#else // argmax

typedef unsigned long long hardware_t; // what hardware combines

__device__ static hardware_t to_hardware(bin_t bin)
{
    hardware_t word = 0;
    // TODO(28.2): One number that is larger when the value is, and of equal values, when the index is
    //             smaller.
    // end of TODO(28.2)
    return word;
}

__device__ static bin_t from_hardware(hardware_t word)
{
    bin_t bin = neutral();
    // TODO(28.3): The pair that to_hardware() has made this word of.
    // end of TODO(28.3)
    return bin;
}

/* Combines `word` into *bin, as any thread may do now. */
__device__ static void combine_in_hardware(hardware_t *bin, hardware_t word)
{
    // Volatile, so that it is read now. What is there only grows: a word that loses to what was there
    // a moment ago loses to what is there now.
    const hardware_t before = *(volatile hardware_t *)bin;
    // TODO(28.4): Leave the larger one in *bin; make an atomic only if word can win.
    // end of TODO(28.4)
}

#endif

/* What the loop over the elements needs: where it combines. */
struct taker {
    hardware_t *bins;
    unsigned int num_bins;
};

__device__ __forceinline__ static void take(element_t x, struct taker *taker)
{
    const unsigned int j = (unsigned int)index_of(x, taker->num_bins);
    if (j < taker->num_bins)
        combine_in_hardware(&taker->bins[j], to_hardware(value_of(x)));
}

#include "given/each_element.h" // for_each_element(), which calls take()

/* All blocks combine into the final bins, which are in the L2 cache. */
__global__ void __launch_bounds__(THREADS_PER_BLOCK, 1)
    combine_in_cache(const element_t *elements, size_t length, hardware_t *bins,
                     unsigned int num_bins)
{
    struct taker taker = {bins, num_bins};
    for_each_element(elements, length, blockIdx.x, gridDim.x, &taker);
}

/* Each bin becomes a word, in its place, or a bin again. */
__global__ void convert(bin_t *bins, size_t num_bins, bool to)
{
    const size_t j = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    hardware_t *words = (hardware_t *)bins;
    if (j < num_bins && to)
        words[j] = to_hardware(bins[j]);
    else if (j < num_bins)
        bins[j] = from_hardware(words[j]);
}

/* Each block combines its elements in shared memory, and then its bins into the final ones. */
__global__ void __launch_bounds__(THREADS_PER_BLOCK, 1)
    combine_in_shared(const element_t *elements, size_t length, hardware_t *bins,
                      unsigned int num_bins)
{
    extern __shared__ hardware_t block_bins[];
    struct taker taker = {block_bins, num_bins};
    for (unsigned int j = threadIdx.x; j < num_bins; j += blockDim.x)
        block_bins[j] = to_hardware(neutral());
    __syncthreads(); // no thread may combine into a bin that another has yet to clear
    for_each_element(elements, length, blockIdx.x, gridDim.x, &taker);
    __syncthreads(); // no thread may read a bin that another still combines into
    for (unsigned int j = threadIdx.x; j < num_bins; j += blockDim.x)
        if (block_bins[j] != to_hardware(neutral()))
            combine_in_hardware(&bins[j], block_bins[j]);
}

static void reduce(const element_t *d_elements, size_t length, bin_t *d_bins, size_t num_bins)
{
    // A block for each multiprocessor, or as many as give each thread a load.
    const size_t enough = length / (THREADS_PER_BLOCK * ELEMENTS_PER_LOAD) + 1;
    const size_t most = device_has(cudaDevAttrMultiProcessorCount);
    const unsigned int blocks = (unsigned int)(enough < most ? enough : most);
    const unsigned int n = (unsigned int)num_bins, for_bins = (n - 1) / THREADS_PER_BLOCK + 1;
    const size_t bytes = num_bins * sizeof(hardware_t);
    hardware_t *words = (hardware_t *)d_bins;
    convert<<<for_bins, THREADS_PER_BLOCK>>>(d_bins, num_bins, true);
    if (fits((const void *)combine_in_shared, bytes))
        combine_in_shared<<<blocks, THREADS_PER_BLOCK, bytes>>>(d_elements, length, words, n);
    else
        combine_in_cache<<<blocks, THREADS_PER_BLOCK>>>(d_elements, length, words, n);
    convert<<<for_bins, THREADS_PER_BLOCK>>>(d_bins, num_bins, false);
    CHECK(cudaGetLastError());
}

void reduce_by_index(const element_t *d_elements, size_t length, bin_t *d_bins, size_t num_bins)
{
    if (length > UINT32_MAX) {
        fprintf(stderr, "reduce_by_index: %zu elements; at most 4294967295 can be reduced\n",
                length);
        exit(1);
    }
    if (num_bins == 0)
        return;
    for (size_t done = 0; done < length; done += MOST_ELEMENTS) {
        const size_t left = length - done;
        reduce(d_elements + done, left < MOST_ELEMENTS ? left : MOST_ELEMENTS, d_bins, num_bins);
    }
}
