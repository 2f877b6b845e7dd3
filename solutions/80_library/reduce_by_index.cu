/* 80. Library: a kernel becomes a function that strangers can call.
 *
 * The kernels are those of chapters 5 and 20, made short. What is new is all around them: who calls gives the memory
 * and the stream; the function chooses the kernel by what it is asked and by the device; and it finds mistakes before
 * anything is launched. */
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "cuda_check.h" // CHECK(call): for reduce_by_index(), which may end the program
#include "reduce_by_index.h"
#include "two_phase.h"

#if !OPERATION_IS(count)
#error "chapter 80 counts keys: OPERATION must be count"
#endif

enum { THREADS = 512, FEW = 4096, MOST_COPIES = 4, ALIGNMENT = 256 };

/* Counts in the block's bins, in shared memory, and commits them. */
__global__ static void count_in_shared(const unsigned int *keys, size_t length, unsigned int *bins,
                                       unsigned int num_bins)
{
    extern __shared__ unsigned int block_bins[];
    const size_t threads = (size_t)gridDim.x * blockDim.x;
    for (unsigned int j = threadIdx.x; j < num_bins; j += blockDim.x)
        block_bins[j] = 0;
    __syncthreads(); // no thread may count in a bin that another has yet to zero
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < length; i += threads)
        if (keys[i] < num_bins)
            atomicAdd(&block_bins[keys[i]], 1); // all threads of the block count there
    __syncthreads(); // no thread may commit a bin in which another still counts
    for (unsigned int j = threadIdx.x; j < num_bins; j += blockDim.x)
        if (block_bins[j] != 0)
            atomicAdd(&bins[j], block_bins[j]); // other blocks commit theirs
}

/* Counts in one of the copies of all bins; the bins themselves are one. */
__global__ static void count_in_copies(const unsigned int *keys, size_t length,
                                       unsigned int *copies, size_t num_copies, size_t num_bins)
{
    unsigned int *const mine = copies + blockIdx.x % num_copies * num_bins;
    const size_t threads = (size_t)gridDim.x * blockDim.x;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < length; i += threads)
        if (keys[i] < num_bins)
            atomicAdd(&mine[keys[i]], 1); // other blocks count in this copy, too
}

/* Adds the copies to the bins. */
__global__ static void add_copies(const unsigned int *copies, size_t num_copies, unsigned int *bins,
                                  size_t num_bins)
{
    const size_t threads = (size_t)gridDim.x * blockDim.x;
    for (size_t j = (size_t)blockIdx.x * blockDim.x + threadIdx.x; j < num_bins; j += threads)
        for (size_t copy = 0; copy < num_copies; copy++)
            bins[j] += copies[copy * num_bins + j];
}

enum place { IN_BINS, IN_SHARED, IN_COPIES };

struct plan {
    enum place where;
    unsigned int blocks;
    size_t copies, temporary_bytes;
    int shared_bytes; // that a block may have
};

/* The plan for so many keys and bins on the current device. The same question has the same answer. */
static cudaError_t choose(size_t length, size_t num_bins, struct plan *plan)
{
    const enum cudaDeviceAttr of_block = cudaDevAttrMaxSharedMemoryPerBlockOptin;
    int device = 0, multiprocessors = 0, shared_bytes = 0;
    cudaError_t error = cudaGetDevice(&device);
    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(&shared_bytes, of_block, device);
    const size_t enough = (length + THREADS - 1) / THREADS, most = 2 * (size_t)multiprocessors;
    // At least 1 byte: who allocates 0 bytes may get NULL.
    *plan =
        (struct plan){IN_BINS, (unsigned int)(enough < most ? enough : most), 0, 1, shared_bytes};
    // TODO(80.1): Fewer than FEW keys are counted in the bins. Of more, count in shared memory if this device's holds
    //             the bins; else in copies in temporary memory, one for each multiprocessor and MOST_COPIES at most.
    if (length >= FEW && num_bins <= (size_t)shared_bytes / sizeof(unsigned int))
        plan->where = IN_SHARED;
    else if (length >= FEW) {
        plan->where = IN_COPIES;
        plan->copies =
            multiprocessors < MOST_COPIES ? (size_t)multiprocessors : (size_t)MOST_COPIES;
        plan->temporary_bytes = plan->copies * num_bins * sizeof(unsigned int);
    }
    // end of TODO(80.1)
    return error;
}

static bool overlap(const void *one, size_t bytes, const void *other, size_t other_bytes)
{
    const uintptr_t a = (uintptr_t)one, b = (uintptr_t)other;
    return bytes > 0 && other_bytes > 0 && a < b + other_bytes && b < a + bytes;
}

/* Looks at the arguments of a call that has temporary memory, before anything is launched. */
static enum count_status check(const void *temporary, size_t temporary_bytes, size_t needed,
                               const unsigned int *keys, size_t length, const unsigned int *bins,
                               size_t num_bins)
{
    // TODO(80.2): Return what is wrong: a pointer that is NULL, an address, too few bytes, or memory that overlaps.
    if (!bins || (!keys && length > 0))
        return COUNT_NULL;
    if ((uintptr_t)temporary % ALIGNMENT != 0 || (uintptr_t)keys % sizeof *keys != 0 ||
        (uintptr_t)bins % sizeof *bins != 0)
        return COUNT_MISALIGNED;
    if (temporary_bytes < needed)
        return COUNT_SHORT;
    const size_t keys_bytes = length * sizeof *keys, bins_bytes = num_bins * sizeof *bins;
    if (overlap(bins, bins_bytes, keys, keys_bytes) ||
        overlap(temporary, needed, bins, bins_bytes) ||
        overlap(temporary, needed, keys, keys_bytes))
        return COUNT_OVERLAP;
    // end of TODO(80.2)
    return COUNT_OK;
}

static cudaError_t run(const struct plan *plan, void *temporary, const unsigned int *keys,
                       size_t length, unsigned int *bins, size_t num_bins, cudaStream_t stream)
{
    unsigned int *const copies = (unsigned int *)temporary;
    const size_t bytes = num_bins * sizeof *bins; // of a copy
    cudaError_t error = cudaSuccess;
    // TODO(80.3): Launch what the plan says, all of it in the stream: a kernel that needs much shared memory asks for
    //             it, copies are zeroed, and each call that fails is told in `error`.
    if (plan->where == IN_BINS)
        count_in_copies<<<plan->blocks, THREADS, 0, stream>>>(keys, length, bins, 1, num_bins);
    if (plan->where == IN_SHARED) {
        error = cudaFuncSetAttribute(count_in_shared, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                     plan->shared_bytes); // another thread may need more than we
        if (error == cudaSuccess)
            count_in_shared<<<plan->blocks, THREADS, bytes, stream>>>(keys, length, bins,
                                                                      (unsigned int)num_bins);
    }
    if (plan->where == IN_COPIES) {
        error = cudaMemsetAsync(copies, 0, plan->copies * bytes, stream);
        count_in_copies<<<plan->blocks, THREADS, 0, stream>>>(keys, length, copies, plan->copies,
                                                              num_bins);
        add_copies<<<plan->blocks, THREADS, 0, stream>>>(copies, plan->copies, bins, num_bins);
    }
    if (error == cudaSuccess)
        error = cudaGetLastError();
    // end of TODO(80.3)
    return error;
}

enum count_status count_keys(void *temporary, size_t *temporary_bytes, const unsigned int *keys,
                             size_t length, unsigned int *bins, size_t num_bins,
                             cudaStream_t stream)
{
    struct plan plan;
    enum count_status status = COUNT_FAILED;
    if (!temporary_bytes)
        return COUNT_NULL;
    if (choose(length, num_bins, &plan) != cudaSuccess)
        return COUNT_FAILED;
    // TODO(80.4): The first phase answers how many bytes are needed. The second one checks, and runs if all is well and
    //             there are keys. Return what came of it.
    if (!temporary) {
        *temporary_bytes = plan.temporary_bytes;
        return COUNT_OK;
    }
    status = check(temporary, *temporary_bytes, plan.temporary_bytes, keys, length, bins, num_bins);
    if (status == COUNT_OK && length > 0 &&
        run(&plan, temporary, keys, length, bins, num_bins, stream) != cudaSuccess)
        status = COUNT_FAILED;
    // end of TODO(80.4)
    return status;
}

/* A caller of it, who owns the memory. */
void reduce_by_index(const element_t *elements, size_t length, bin_t *bins, size_t num_bins)
{
    void *temporary = NULL;
    size_t bytes = 0;
    if (length > UINT32_MAX) {
        fprintf(stderr, "reduce_by_index: %zu elements; at most 4294967295 can be reduced\n",
                length);
        exit(1);
    }
    if (length == 0 || num_bins == 0)
        return;
    enum count_status status = count_keys(NULL, &bytes, elements, length, bins, num_bins, 0);
    CHECK(cudaMallocAsync(&temporary, bytes, 0));
    if (status == COUNT_OK)
        status = count_keys(temporary, &bytes, elements, length, bins, num_bins, 0);
    if (status != COUNT_OK)
        fprintf(stderr, "count_keys: status %d\n", (int)status);
    CHECK(cudaFreeAsync(temporary, 0));
    if (status != COUNT_OK)
        exit(1);
}
