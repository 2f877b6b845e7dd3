/* 31, further. Batched, and a histogram of a warp waits for no other one.
 *
 * The work is cut into parts: a long histogram into several, a short one is a part as a whole. A part
 * belongs to a team of threads, with bins of its own in shared memory. A team is a whole block where
 * parts are long, and an eighth of one, a warp, where they are short: then a block has eight of them
 * at the same time. */
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda_check.h" // CHECK(call): a call that fails ends the program with one line
#include "reduce_by_index_batched.h"

#if OPERATION_WORD_BITS == 0
#error "a bin of this operation is no word of 32 or 64 bits; chapter 22 has a lock for such"
#endif

enum { WARP = 32, THREADS_PER_BLOCK = 256, ELEMENTS_PER_THREAD = 16 };

/* Combines a value into a bin that other threads update, too: chapters 20 and 21. */
__device__ static void update(bin_t *bin, bin_t value)
{
#if OPERATION_HAS_ATOMIC
    atomic_combine(bin, value);
#else
    word_t *word = (word_t *)bin;
    word_t held = *word, expected, next;
    do {
        bin_t combined;
        memcpy(&combined, &held, sizeof combined);
        combined = combine(combined, value);
        memcpy(&next, &combined, sizeof next);
        expected = held;
        if (next == expected)
            return; // the bin stays as it is
        held = atomicCAS(word, expected, next);
    } while (held != expected);
#endif
}

/* Waits for the threads of a team. A warp alone needs no barrier of the block. */
__device__ static void wait_for_team(unsigned int team_threads)
{
    if (team_threads == WARP)
        __syncwarp();
    else
        __syncthreads(); // all teams of the block come here, with work or without
}

/* How the work is cut. */
struct cut {
    size_t batch, length, num_bins;
    size_t parts;              // of each histogram
    unsigned int team_threads; // of each part
    bool in_shared_memory;     // the bins of a part; otherwise it has none of its own
};

/* Combines one part of one histogram into `bins`, by the threads of a team. */
__device__ static void count_part(const element_t *elements, const struct cut *cut,
                                  size_t histogram, size_t part, bin_t *bins)
{
    const size_t section = (cut->length + cut->parts - 1) / cut->parts;
    const size_t begin = part * section;
    const size_t end = begin + section < cut->length ? begin + section : cut->length;
    const element_t *own = elements + histogram * cut->length;
    for (size_t i = begin + threadIdx.x % cut->team_threads; i < end; i += cut->team_threads) {
        const element_t element = own[i];
        const size_t j = index_of(element, cut->num_bins);
        if (j < cut->num_bins)
            update(&bins[j], value_of(element));
    }
}

__global__ void __launch_bounds__(THREADS_PER_BLOCK)
    batched_kernel(const element_t *elements, bin_t *bins, const struct cut cut)
{
    extern __shared__ bin_t shared_bins[];
    const unsigned int teams = blockDim.x / cut.team_threads;
    const unsigned int team = threadIdx.x / cut.team_threads;
    size_t histogram = 0, part = 0;
    const size_t number = (size_t)blockIdx.x * teams + team; // of the part, among all of them
    histogram = number / cut.parts;
    part = number % cut.parts;
    const bool has_work = histogram < cut.batch;
    bin_t *row = bins + histogram * cut.num_bins;

    if (!cut.in_shared_memory) { // then a team is a block
        if (has_work)
            count_part(elements, &cut, histogram, part, row);
        return;
    }
    bin_t *team_bins = shared_bins + team * cut.num_bins;
    for (size_t j = threadIdx.x % cut.team_threads; j < cut.num_bins; j += cut.team_threads)
        team_bins[j] = neutral();
    wait_for_team(cut.team_threads);
    if (has_work)
        count_part(elements, &cut, histogram, part, team_bins);
    wait_for_team(cut.team_threads);
    if (!has_work)
        return;
    for (size_t j = threadIdx.x % cut.team_threads; j < cut.num_bins; j += cut.team_threads) {
        if (cut.parts > 1)
            update(&row[j], team_bins[j]);
        else
            row[j] = combine(row[j], team_bins[j]);
    }
}

/* Parts of each histogram: as many as give all multiprocessors work, but none so short that it would
 * take longer to commit its bins than to read its elements. */
size_t parts_for(size_t length, size_t batch, size_t num_bins, size_t blocks_at_once)
{
    size_t parts = 1;
    const size_t shortest = num_bins > THREADS_PER_BLOCK * ELEMENTS_PER_THREAD
                                ? num_bins
                                : THREADS_PER_BLOCK * ELEMENTS_PER_THREAD;
    parts = (blocks_at_once + batch - 1) / batch;
    if (parts > length / shortest)
        parts = length / shortest;
    if (parts == 0)
        parts = 1;
    return parts;
}

/* A team of 32 to 256 threads: about one for ELEMENTS_PER_THREAD elements of a part, and so many that
 * the bins of all teams of a block fit into `bytes`. */
static unsigned int team_threads_for(size_t part, size_t bytes_of_bins, size_t bytes)
{
    unsigned int threads = WARP;
    while (threads < THREADS_PER_BLOCK && (threads * ELEMENTS_PER_THREAD < part ||
                                           THREADS_PER_BLOCK / threads * bytes_of_bins > bytes))
        threads *= 2;
    return threads;
}

void reduce_by_index_batched(const element_t *d_elements, size_t length, size_t batch,
                             bin_t *d_bins, size_t num_bins)
{
    enum { BLOCKS_PER_MULTIPROCESSOR = 8, SHARED_BYTES = 16 << 10 };
    if (batch > 0 && length > UINT32_MAX / batch) {
        fprintf(stderr,
                "reduce_by_index_batched: %zu x %zu elements; at most 4294967295 are taken\n",
                batch, length);
        exit(1);
    }
    if (length == 0 || batch == 0 || num_bins == 0)
        return;
    int device, multiprocessors, capacity;
    CHECK(cudaGetDevice(&device));
    CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    CHECK(cudaDeviceGetAttribute(&capacity, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));

    const size_t bytes_of_bins = num_bins * sizeof *d_bins;
    struct cut cut = {batch, length, num_bins, 1, THREADS_PER_BLOCK, false};
    cut.parts =
        parts_for(length, batch, num_bins, BLOCKS_PER_MULTIPROCESSOR * (size_t)multiprocessors);
    cut.in_shared_memory = bytes_of_bins <= (size_t)capacity;
    if (cut.in_shared_memory)
        cut.team_threads =
            team_threads_for((length + cut.parts - 1) / cut.parts, bytes_of_bins, SHARED_BYTES);
    const size_t teams = THREADS_PER_BLOCK / cut.team_threads;
    const size_t bytes = cut.in_shared_memory ? teams * bytes_of_bins : 0;
    CHECK(cudaFuncSetAttribute(batched_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               (int)bytes));
    const size_t blocks = (batch * cut.parts + teams - 1) / teams;
    batched_kernel<<<(unsigned int)blocks, THREADS_PER_BLOCK, bytes>>>(d_elements, d_bins, cut);
    CHECK(cudaGetLastError());
}
