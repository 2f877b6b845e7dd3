/* by_index.cu - the kernels of one operation, as they are launched. It is compiled once for each operation:
 * -DOPERATION=count, count_64, saturate, sum_u32, sum_f32, powers, minmax, argmax. */
#include <cuda_runtime.h>

#include "many_buckets.h"
#if IS_COUNTED
#include "count_buckets.h"
#endif

/* Notes the first call that has failed. */
static void note(cudaError_t *status, cudaError_t result)
{
    if (*status == cudaSuccess)
        *status = result;
}

static unsigned int least(size_t one, size_t other)
{
    return (unsigned int)(one < other ? one : other);
}

static size_t words_in(const struct ladder_elements *elements)
{
    return ((size_t)elements->length + elements->skipped + WORD_ELEMENTS - 1) / WORD_ELEMENTS;
}

/* Lets a kernel have all the shared memory that a block can have, beside what it has of its own. */
static void allow(cudaError_t *status, const void *kernel, size_t shared_of_block)
{
    struct cudaFuncAttributes attributes;
    note(status, cudaFuncGetAttributes(&attributes, kernel));
    if (*status == cudaSuccess)
        note(status, cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                          (int)(shared_of_block - attributes.sharedSizeBytes)));
}

static cudaError_t prepare(size_t shared_of_block)
{
    cudaError_t status = cudaSuccess;
    allow(&status, (const void *)deal, shared_of_block);
    allow(&status, (const void *)combine_many_buckets, shared_of_block);
#if OPERATION_IS(powers)
    allow(&status, (const void *)sum_in_order, shared_of_block);
#else
    allow(&status, (const void *)combine_in_shared, shared_of_block);
#endif
#if IS_COUNTED
    allow(&status, (const void *)count_buckets, shared_of_block);
#endif
    return status;
}

/* What a round needs. */
struct round {
    const struct ladder_plan *plan;
    struct ladder_elements elements;
    bin_t *bins;
    unsigned int num_bins;
    struct findings *found; // NULL if no sample is looked at
    char *memory;           // behind the findings
    cudaStream_t stream;
};

/* Straight to the bins; if there are findings of a sample, only if they say so. */
static void run_direct(const struct round *round, const struct findings *found)
{
    const size_t length = round->elements.length, words = words_in(&round->elements);
    const size_t sm = round->plan->multiprocessors;
    const bool remembers = REMEMBERS && !found && length >= LEAST_REMEMBERED * sm;
    const size_t threads = remembers ? (size_t)DIRECT_THREADS : (size_t)LADDER_FEW_THREADS;
    const size_t blocks = (words + threads - 1) / threads;
    const size_t most = remembers ? sm : found ? DIRECT_BLOCKS * sm : blocks;
    combine_direct<<<least(blocks, most), (unsigned int)threads, remembers ? MEMORY_BYTES : 0,
                     round->stream>>>(round->elements, round->bins, round->num_bins, found,
                                      remembers, TRIES_AGAIN || found || length > VERY_FEW);
}

#if OPERATION_IS(powers)
static void run_in_shared(const struct round *round)
{
    // Two blocks of half as many threads, if the plan has them, do not wait at barriers at the same time.
    const struct ladder_plan *const plan = round->plan;
    const size_t range = (round->num_bins + plan->passes - 1) / plan->passes;
    const size_t threads = SORT_THREADS / plan->copies;
    const size_t bytes = ladder_bytes_to_sort(range, threads);
    const size_t most = threads * SORT_WORDS, num_words = words_in(&round->elements);
    const size_t blocks = (size_t)plan->multiprocessors * plan->copies;
    const size_t groups = blocks > plan->passes ? blocks / plan->passes : 1;
    const size_t fair = (num_words + groups - 1) / groups, tile_words = fair < most ? fair : most;
    const size_t tiles = (num_words + tile_words - 1) / tile_words;
    sum_in_order<<<least(tiles, groups) * plan->passes, (unsigned int)threads, bytes,
                   round->stream>>>(round->elements, round->bins, round->num_bins, plan->passes,
                                    (unsigned int)tile_words);
}
#else
static void run_in_shared(const struct round *round)
{
    const struct ladder_plan *const plan = round->plan;
    const size_t range = (round->num_bins + plan->passes - 1) / plan->passes;
    const size_t rows = (range + WARP - 1) / WARP; // whole rows of a table
    const size_t words = plan->has_own ? range * LADDER_SHARED_THREADS : rows * WARP * plan->copies;
    const size_t bytes = words * sizeof(hardware_t) + plan->hot_floats * sizeof(float);
    const size_t for_words = words_in(&round->elements) / LADDER_SHARED_THREADS + 1;
    const unsigned int groups = least(
        for_words, plan->multiprocessors > plan->passes ? plan->multiprocessors / plan->passes : 1);
    combine_in_shared<<<groups * plan->passes, LADDER_SHARED_THREADS, bytes, round->stream>>>(
        round->elements, round->bins, round->num_bins,
        plan->has_own ? LADDER_SHARED_THREADS : plan->copies, plan->passes, (unsigned int)words,
        plan->hot_floats);
}
#endif

#if IS_COUNTED
static void run_in_32_buckets(const struct round *round)
{
    const struct ladder_plan *const plan = round->plan;
    const size_t of_tile = LADDER_SPLIT_TILE / WORD_ELEMENTS;
    const size_t tiles = (words_in(&round->elements) + of_tile - 1) / of_tile;
    const size_t places = ladder_places_of(round->num_bins);
    const size_t sm = plan->multiprocessors;
    uint4 *const store = (uint4 *)round->memory;
    segment *const segments = (segment *)(round->memory + plan->segments_at);
    unsigned int *const work = (unsigned int *)(round->memory + plan->work_at);
    const unsigned int split_blocks = least(tiles, 2 * sm), count_blocks = least(2 * tiles, sm);
    split<<<split_blocks, SPLIT_THREADS, 0, round->stream>>>(
        round->elements, round->num_bins, (unsigned int)tiles, store, segments, work,
        (unsigned int)places, round->found);
    count_buckets<<<count_blocks, COUNT_THREADS, (places + 1) * sizeof(unsigned int),
                    round->stream>>>(store, segments, work, split_blocks, (unsigned int)tiles,
                                     round->bins, (unsigned int)places, round->found);
}
#endif

static void run_in_buckets(const struct round *round, cudaError_t *status)
{
    const struct ladder_plan *const plan = round->plan;
    const struct ladder_dealing *const dealing = &plan->dealing;
    const size_t tiles =
        (words_in(&round->elements) + dealing->tile_words - 1) / dealing->tile_words;
    vector_t *const store = (vector_t *)round->memory;
    segment *const segments = (segment *)(round->memory + plan->segments_at);
    unsigned int *const work = (unsigned int *)(round->memory + plan->work_at);
#if OPERATION_IS(powers)
    const size_t to_combine = ladder_bytes_to_sort((size_t)1 << dealing->bits, DEAL_THREADS);
#else
    const size_t to_combine = (((size_t)1 << dealing->bits) + SENDS_PLACES) * sizeof(hardware_t);
#endif
    note(status, cudaMemsetAsync(work, 0, dealing->buckets * sizeof *work, round->stream));
    const size_t to_deal = ladder_bytes_to_deal(dealing, sizeof(vector_t)) + HOT_DEAL_BYTES;
    deal<<<least(tiles, dealing->blocks), dealing->threads, to_deal, round->stream>>>(
        round->elements, *dealing, (unsigned int)tiles, round->found, store, segments, work,
        round->bins);
    combine_many_buckets<<<plan->multiprocessors, DEAL_THREADS, to_combine, round->stream>>>(
        store, segments, work, *dealing, (unsigned int)tiles, round->bins,
        round->elements.base - round->elements.skipped, round->found);
}

static cudaError_t run(const struct ladder_plan *plan, const struct ladder_elements *elements,
                       void *bins, size_t num_bins, void *temporary, cudaStream_t stream)
{
    struct findings *const found = plan->inspects ? (struct findings *)temporary : NULL;
    const struct round round = {plan,          *elements,
                                (bin_t *)bins, (unsigned int)num_bins,
                                found,         (char *)temporary + LADDER_FINDINGS_BYTES,
                                stream};
    cudaError_t status = cudaSuccess;
    if (found)
        inspect<<<1, SAMPLE_THREADS, 0, stream>>>(round.elements, round.num_bins,
                                                  plan->most_sectors, plan->most_hot, found);
    switch (plan->memory) {
    case LADDER_AS_THEY_ARE:
        run_direct(&round, NULL);
        break;
    case LADDER_IN_SHARED:
        run_in_shared(&round);
        break;
    case LADDER_IN_32_BUCKETS:
#if IS_COUNTED
        run_in_32_buckets(&round);
#endif
        break;
    case LADDER_IN_BUCKETS:
        run_in_buckets(&round, &status);
        break;
    }
    if (plan->may_be_direct)
        run_direct(&round, found);
    note(&status, cudaPeekAtLastError());
    return status;
}

/* What an empty bin holds. */
__device__ __forceinline__ static bin_t empty_bin(void)
{
    bin_t bin;
#if OPERATION_IS(minmax)
    bin.smallest = __longlong_as_double(0x7ff0000000000000ll); // infinity
    bin.largest = -bin.smallest;
#elif OPERATION_IS(powers)
    bin = nothing();
#else
    bin = 0;
#endif
    return bin;
}

__global__ static void __launch_bounds__(LADDER_FEW_THREADS)
    clear_bins(bin_t *bins, size_t num_bins)
{
    const size_t threads = (size_t)gridDim.x * LADDER_FEW_THREADS;
    for (size_t j = (size_t)blockIdx.x * LADDER_FEW_THREADS + threadIdx.x; j < num_bins;
         j += threads)
        bins[j] = empty_bin();
}

static cudaError_t clear(void *bins, size_t num_bins, unsigned int multiprocessors,
                         cudaStream_t stream)
{
    const size_t blocks = (num_bins + LADDER_FEW_THREADS - 1) / LADDER_FEW_THREADS;
    clear_bins<<<least(blocks, 8 * (size_t)multiprocessors), LADDER_FEW_THREADS, 0, stream>>>(
        (bin_t *)bins, num_bins);
    return cudaPeekAtLastError();
}

extern "C" const struct ladder_kernels PASTED(ladder_kernels_, OPERATION) = {prepare, run, clear};
