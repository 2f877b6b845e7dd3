/* as_planned.h - combines elements into bins where the model of chapter 29 has planned it: in shared memory, in copies
 * or in passes; in buckets; or in the L2 cache, in copies. Given code of chapters 23 to 26.
 *
 * Whoever includes it has defined, before that, what is planned, struct plan; what a sample tells, struct findings;
 * what the operation is, IS_SORTED, KEEPS_HOT_KEY and HAS_COPIES; THREADS of a block; and least() of two sizes. */
#ifndef AS_PLANNED_H
#define AS_PLANNED_H

#include <stddef.h>
#include <stdlib.h>

#include "cuda_check.h"
#include "device.h"
#include "many_buckets.h"
#include "sample_table.h"
#if OPERATION_IS(count) || OPERATION_IS(saturate)
#include "buckets.h"
#endif

/* What a register keeps, of a hot key: of floats, what rounding has lost as well, for there may be millions. */
struct kept {
    hardware_t sum, lost;
};

__device__ __forceinline__ static void keep(struct kept *kept, hardware_t word)
{
#if OPERATION_IS(float_sum)
    const float exact = word - kept->lost, sum = kept->sum + exact;
    kept->lost = sum - kept->sum - exact;
    kept->sum = sum;
#else
    kept->sum = join(kept->sum, word);
#endif
}

// Where to update a bin in shared memory is a loop, elements with one key that a thread takes one after the other are
// combined in a register: each element of a load with that of the load before, since two keys may alternate.
static const bool KEEPS_RUNS = OPERATION_IS(float_sum);
struct key_run {
    unsigned int place; // the bin of what is kept; or NO_PLACE
    struct kept kept;
};

/* What the loop over the elements needs: the bins of this block, first to first + mine - 1 of all, as a table in
 * shared memory, where the copies of a bin are neighbors, or, if that is NULL, as they are; and the hot key, whose
 * elements a thread combines in a register. */
struct taker {
    hardware_t *table;
    bin_t *bins;
    struct kept in_register;
    struct key_run runs[KEEPS_RUNS ? WORD_ELEMENTS : 1];
    unsigned int copies, first, mine, hot_key, num_bins;
};

__device__ __forceinline__ static void combine_word(struct taker *taker, unsigned int j,
                                                    hardware_t word)
{
    if (taker->table)
        update(&taker->table[HAS_COPIES ? j * taker->copies : j], word);
    else
        commit(&taker->bins[j], word);
}

/* The same for element `n` of a load, which may have the bin of that of the load before. */
__device__ __forceinline__ static void combine_run(struct taker *taker, unsigned int n,
                                                   unsigned int j, hardware_t word)
{
    struct key_run *const run = &taker->runs[n];
    if (j == run->place) {
        keep(&run->kept, word);
        return;
    }
    if (run->place != NO_PLACE)
        combine_word(taker, run->place, run->kept.sum);
    run->place = j;
    run->kept.sum = word;
    run->kept.lost = encode(neutral());
}

/* Combines an element, number n of its load. */
__device__ __forceinline__ static void take_at(element_t x, unsigned int n, struct taker *taker)
{
    const unsigned int key = (unsigned int)index_of(x, taker->num_bins), j = key - taker->first;
    if (j >= taker->mine)
        return;
    if (KEEPS_HOT_KEY && key == taker->hot_key)
        keep(&taker->in_register, encode(value_of(x)));
    else if (KEEPS_RUNS)
        combine_run(taker, n, j, encode(value_of(x)));
    else
        combine_word(taker, j, encode(value_of(x)));
}

__device__ __forceinline__ static void take(element_t x, struct taker *taker)
{
    take_at(x, 0, taker);
}

#if OPERATION_IS(float_sum)
#define TAKES_LOADS
__device__ __forceinline__ static void take_load(const element_t *x, struct taker *taker)
{
#pragma unroll
    for (unsigned int n = 0; n < WORD_ELEMENTS; n++)
        take_at(x[n], n, taker);
}
#endif

#if OPERATION_IS(argmax)
#define TAKES_LOADS
/* The elements of a load at once: all bins are looked at before there is a branch, for most elements
 * lose, and then none has to wait for another one. */
__device__ __forceinline__ static void take_load(const element_t *x, struct taker *taker)
{
    bool wins = false;
#pragma unroll
    for (int n = 0; n < (int)(sizeof(uint4) / sizeof *x); n++) {
        const unsigned int j = (unsigned int)index_of(x[n], taker->num_bins) - taker->first;
        hardware_t before = ~(hardware_t)0;
        if (j < taker->mine) // volatile, so that it is read now. What is there only grows.
            before =
                taker->table ? *(volatile hardware_t *)&taker->table[j] : word_of(&taker->bins[j]);
        wins |= encode(value_of(x[n])) > before;
    }
    if (wins)
#pragma unroll
        for (int n = 0; n < (int)(sizeof(uint4) / sizeof *x); n++)
            take(x[n], taker);
}
#endif

#include "each_element.h" // for_each_element(), which calls take(), or take_load()

/* What a block has before the first element. */
__device__ static struct taker begin_taker(hardware_t *table, bin_t *bins, unsigned int first,
                                           unsigned int mine, unsigned int num_bins,
                                           const struct findings *found)
{
    struct taker taker;
    taker.table = table;
    taker.bins = bins;
    taker.copies = 1;
    taker.in_register.sum = taker.in_register.lost = encode(neutral());
    taker.first = first;
    taker.mine = mine;
    taker.hot_key = found ? found->hot_key : NO_KEY;
    taker.num_bins = num_bins;
    for (unsigned int n = 0; KEEPS_RUNS && n < WORD_ELEMENTS; n++)
        taker.runs[n].place = NO_PLACE;
    return taker;
}

/* The last runs of each thread; those of one bin are joined in the warp, since the threads of a block end at the
 * same time. */
__device__ __forceinline__ static void take_runs(struct taker *taker)
{
    for (unsigned int n = 0; KEEPS_RUNS && n < WORD_ELEMENTS; n++) {
        struct key_run *const run = &taker->runs[n];
        hardware_t sum = run->place == NO_PLACE ? encode(neutral()) : run->kept.sum;
        const unsigned int place = join_equals(&sum, run->place);
        if (place != NO_PLACE)
            combine_word(taker, place, sum);
    }
}

/* One lane of each warp combines what the registers of its lanes hold. */
__device__ __forceinline__ static void take_registers(struct taker *taker)
{
    const hardware_t of_the_warp = join_warp(taker->in_register.sum);
    const unsigned int j = taker->hot_key - taker->first;
    if (j < taker->mine && threadIdx.x % LANES == 0)
        combine_word(taker, j, of_the_warp);
}

#if OPERATION_IS(argmax)
/* Each bin as a word, in its place, or as a bin again. */
__global__ void turn_bins(bin_t *bins, size_t num_bins, bool into_words)
{
    const size_t j = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (j < num_bins && into_words)
        ((hardware_t *)bins)[j] = encode(bins[j]);
    else if (j < num_bins)
        bins[j] = decode(((hardware_t *)bins)[j]);
}
#endif

/* A bin of a block's table: the sum of its copies, from the one of this thread's lane on, so that the lanes of a
 * warp read from different banks. */
__device__ __forceinline__ static hardware_t join_copies(const hardware_t *tables,
                                                         unsigned int copies, unsigned int j)
{
    const unsigned int last = copies - 1, own = threadIdx.x & last;
    hardware_t sum = tables[j * copies + own];
    for (unsigned int copy = 1; copy < copies; copy++)
        sum = join(sum, tables[j * copies + ((own + copy) & last)]);
    return sum;
}

/* The bins are dealt to `passes` ranges, and the blocks to ranges. Each block combines what belongs to its
 * range in shared memory, in `copies` copies, a power of two. */
__global__ void __launch_bounds__(THREADS, 1)
    reduce_in_shared(const element_t *elements, size_t length, bin_t *bins, unsigned int num_bins,
                     unsigned int copies, unsigned int passes, const struct findings *found)
{
    extern __shared__ uint4 shared_memory[];
    hardware_t *const tables = (hardware_t *)shared_memory;
    const unsigned int range = (num_bins + passes - 1) / passes,
                       first = blockIdx.x % passes * range;
    const unsigned int left = first < num_bins ? num_bins - first : 0;
    const unsigned int mine = left < range ? left : range;
    struct taker taker =
        begin_taker(tables + (threadIdx.x & (copies - 1)), NULL, first, mine, num_bins, found);
    taker.copies = copies;
    for (unsigned int i = threadIdx.x; i < mine * copies; i += blockDim.x)
        tables[i] = encode(neutral());
    __syncthreads(); // no thread may combine into a bin that another has yet to clear
    const unsigned int group = blockIdx.x / passes, groups = gridDim.x / passes;
    if (KEEPS_RUNS && passes == 1) { // neighbors to one block: its threads have long runs
        const size_t of_a_warp = LANES * ELEMENTS_PER_LOAD;
        const size_t share = (length / groups / of_a_warp + 1) * of_a_warp, from = group * share;
        if (from < length)
            for_each_element(elements + from, length - from < share ? length - from : share, 0, 1,
                             &taker);
    } else {
        for_each_element(elements, length, group, groups, &taker);
    }
    take_runs(&taker);
    take_registers(&taker);
    __syncthreads(); // no thread may read a bin that another still combines into
    for (unsigned int j = threadIdx.x; j < mine; j += blockDim.x) {
        const hardware_t sum = HAS_COPIES ? join_copies(tables, copies, j) : tables[j];
        if (!is_nothing(sum))
            commit_turned(&bins[first + j], sum);
    }
}

/* Each block combines into one of the copies of all bins in the cache: the bins themselves are copy 0. */
__global__ void __launch_bounds__(THREADS, 1)
    reduce_in_cache(const element_t *elements, size_t length, bin_t *bins, unsigned int num_bins,
                    bin_t *more_copies, const struct findings *found)
{
    struct taker taker = begin_taker(NULL, bins, 0, num_bins, num_bins, found);
    const unsigned int copy = more_copies ? blockIdx.x % found->copies : 0;
    if (copy > 0)
        taker.bins = more_copies + (size_t)(copy - 1) * num_bins;
    for_each_element(elements, length, blockIdx.x, gridDim.x, &taker);
    take_runs(&taker);
    take_registers(&taker);
}

/* The copies in the cache but the first, with nothing in them. */
__global__ void begin(bin_t *more_copies, size_t num_bins, const struct findings *found)
{
    const size_t threads = (size_t)gridDim.x * blockDim.x;
    const size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    for (size_t i = thread; i < (found->copies - 1) * num_bins; i += threads)
        more_copies[i] = neutral();
}

/* The copies joined. */
__global__ void end(bin_t *bins, size_t num_bins, const bin_t *more_copies,
                    const struct findings *found)
{
    const size_t threads = (size_t)gridDim.x * blockDim.x;
    const unsigned int copies = found->copies;
    for (size_t j = (size_t)blockIdx.x * blockDim.x + threadIdx.x; j < num_bins; j += threads) {
        bin_t sum = bins[j];
#pragma unroll 4
        for (unsigned int copy = 1; copy < copies; copy++) // four are on their way at once
            sum = combine(sum, more_copies[(copy - 1) * num_bins + j]);
        bins[j] = sum;
    }
}

/* Returns false, and has done nothing, if there is no memory for buckets. */
static bool reduce_in_buckets(const element_t *d_elements, size_t length, bin_t *d_bins,
                              const struct dealing *dealing, size_t shared_bytes,
                              const unsigned int *hot_key)
{
#if OPERATION_IS(count) || OPERATION_IS(saturate)
    if (bytes_of_a_bucket(dealing->num_bins) <= shared_bytes) {
        count_in_buckets(d_elements, length, d_bins, dealing->num_bins);
        return true;
    }
#else
    (void)shared_bytes;
#endif
    return combine_in_many_buckets(d_elements, length, d_bins, dealing, hot_key);
}

static void reduce_in_shared_memory(const element_t *d_elements, size_t length, bin_t *d_bins,
                                    size_t num_bins, const struct plan *plan, unsigned int sm,
                                    const struct findings *found)
{
#if OPERATION_IS(vector_sum)
    (void)found;
    sum_few_bins(d_elements, length, d_bins, num_bins, plan->passes, sm);
#else
    const size_t range = (num_bins + plan->passes - 1) / plan->passes;
    const size_t bytes = range * plan->copies * sizeof(hardware_t);
    const size_t for_elements = length / (THREADS * ELEMENTS_PER_LOAD) + 1;
    const unsigned int groups = least(for_elements, sm > plan->passes ? sm / plan->passes : 1);
    if (!fits((const void *)reduce_in_shared, bytes))
        exit(1); // never: the model has seen to it
    reduce_in_shared<<<groups * plan->passes, THREADS, bytes>>>(
        d_elements, length, d_bins, (unsigned int)num_bins, plan->copies, plan->passes, found);
#endif
}

static void reduce_in_copies(const element_t *d_elements, size_t length, bin_t *d_bins,
                             size_t num_bins, const struct plan *plan, unsigned int sm,
                             const struct findings *found)
{
    const size_t for_elements = length / (THREADS * ELEMENTS_PER_LOAD) + 1;
    const unsigned int for_bins = least((num_bins + THREADS - 1) / THREADS, sm);
    bin_t *more_copies = NULL;
    if (plan->most_copies > 1) {
        CHECK(
            cudaMallocAsync(&more_copies, (plan->most_copies - 1) * num_bins * sizeof *d_bins, 0));
        begin<<<for_bins, THREADS>>>(more_copies, num_bins, found);
    }
    reduce_in_cache<<<least(for_elements, sm), THREADS>>>(
        d_elements, length, d_bins, (unsigned int)num_bins, more_copies, found);
    if (more_copies) {
        end<<<for_bins, THREADS>>>(d_bins, num_bins, more_copies, found);
        CHECK(cudaFreeAsync(more_copies, 0));
    }
}

/* Makes the bins of an argmax words, or bins again. */
static void turn(bin_t *d_bins, size_t num_bins, bool into_words)
{
#if OPERATION_IS(argmax)
    turn_bins<<<(unsigned int)((num_bins + THREADS - 1) / THREADS), THREADS>>>(d_bins, num_bins,
                                                                               into_words);
    CHECK(cudaGetLastError());
#else
    (void)d_bins, (void)num_bins, (void)into_words;
#endif
}

#endif
