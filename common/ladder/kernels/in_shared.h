/* in_shared.h - combines elements into bins in the shared memory of a block, in copies or in passes over the
 * elements; or in copies of all bins in the L2 cache. */
#ifndef LADDER_IN_SHARED_H
#define LADDER_IN_SHARED_H

#include "sample.h"

// Lanes that meet at a bin in shared memory wait for each other.
static const bool KEEPS_HOT_KEY = OPERATION_IS(sum_u32) || IS_OF_FLOATS;

/* What a register keeps, of one key: of floats, what rounding has lost as well, for there may be millions. */
struct kept {
    hardware_t sum, lost;
};

__device__ __forceinline__ static void keep(struct kept *kept, hardware_t word)
{
#if OPERATION_IS(sum_f32)
    const float exact = word - kept->lost, sum = kept->sum + exact;
    kept->lost = sum - kept->sum - exact;
    kept->sum = sum;
#else
    kept->sum = join(kept->sum, word);
#endif
}

/* Elements of one key that a thread takes one after the other, combined. */
struct key_run {
    unsigned int place; // the bin of what is kept; or NO_KEY
    struct kept kept;
};
static const bool KEEPS_RUNS = OPERATION_IS(sum_f32);

/* How the elements are taken: each by itself, or neighbors that share a key together. */
enum way { EACH_ALONE, BY_RUNS };

/* Where a bin lies in a table of shared memory. Bins that are some power of two apart would lie in one bank: so bits above
 * the last five change these. A table has whole groups of 32 bins. */
__device__ __forceinline__ static unsigned int slot_in_table(unsigned int j)
{
    return j ^ (j >> 5) * 2654435769u >> 27;
}

#if OPERATION_IS(sum_f32)
/* Lanes that add to one float wait for each other. A hot bin has sums of its own for lanes: its place in the table holds
 * no number, but says which: this pattern, which no addition leaves, and below it a number. */
static const unsigned int IS_HOT = 0xffa5c300u, HOT_MASK = 0xffffff00u;
struct hot {
    float *sums;
    unsigned int copies; // of each, a power of two; 0: no key is hot
};
#endif

/* What the loop over the elements needs: bins first to first + mine - 1, as a table in shared memory, where the
 * copies of a bin are neighbors, or, if that is NULL, as they are; and the hot key, whose elements a thread combines
 * in a register. */
struct taker {
    hardware_t *table;
    bin_t *bins;
    struct kept in_register;
    struct key_run runs[KEEPS_RUNS ? WORD_ELEMENTS : 1];
#if OPERATION_IS(sum_f32)
    struct hot hot;
#endif
    unsigned int copies, first, mine, hot_key;
};

#if OPERATION_IS(sum_f32)
/* Adds to a float of a table, or to a sum of a hot bin. Which places are tags does not change any more. */
__device__ __forceinline__ static void add_float(struct taker *taker, float *place, float value)
{
    if (taker->hot.copies > 0) { // all threads, or none
        const unsigned int bits = *(volatile unsigned int *)place;
        const unsigned int copy = threadIdx.x & (taker->hot.copies - 1);
        if ((bits & HOT_MASK) == IS_HOT)
            place = &taker->hot.sums[(bits & ~HOT_MASK) * taker->hot.copies + copy];
    }
    atomicAdd(place, value); // others may add to it now
}
#endif

__device__ __forceinline__ static void combine_word(struct taker *taker, unsigned int j,
                                                    hardware_t word)
{
    const unsigned int slot = slot_in_table(j);
    if (!taker->table)
        commit(&taker->bins[j], word);
#if OPERATION_IS(sum_f32)
    else
        add_float(taker, &taker->table[slot * taker->copies], word);
#else
    else
        update(&taker->table[KEEPS_HOT_KEY ? slot * taker->copies : slot], word);
#endif
}

/* The same for a thread's element `n` of a word, which may have the bin of that of the word before. */
__device__ __forceinline__ static void combine_run(struct taker *taker, unsigned int n,
                                                   unsigned int j, hardware_t word)
{
    struct key_run *const run = &taker->runs[n];
    if (j == run->place) {
        keep(&run->kept, word);
        return;
    }
    if (run->place != NO_KEY)
        combine_word(taker, run->place, run->kept.sum);
    run->place = j;
    run->kept.sum = word;
    run->kept.lost = nothing();
}

__device__ __forceinline__ static void take(element_t x, unsigned int n, size_t index,
                                            struct taker *taker)
{
    const unsigned int key = key_of(x), j = key - taker->first;
    if (j >= taker->mine)
        return;
    if (KEEPS_HOT_KEY && key == taker->hot_key)
        keep(&taker->in_register, bring(x, index));
    else if (KEEPS_RUNS)
        combine_run(taker, n, j, bring(x, index));
    else
        combine_word(taker, j, bring(x, index));
}

#if OPERATION_IS(sum_f32)
/* A block looks at a few of its own elements: how often each key is there it counts in the table, which is clear before
 * and afterwards, but for the places of hot keys: these get sums of their own, in `floats` floats. Returns whether
 * neighbors often share a key. All threads of the block call it. */
__device__ static bool look_for_hot(struct taker *taker, const struct ladder_elements *part,
                                    float *sums, unsigned int floats)
{
    enum { LEAST_TIMES = 5, MOST_HOT = 128 };
    __shared__ unsigned int num_hot;
    const unsigned int i = threadIdx.x * (part->length / blockDim.x); // there is one more
    const unsigned int key = part->keys[i], next = part->keys[i + 1];
    const unsigned int j = key - taker->first;
    const bool has_bin = j < taker->mine;
    unsigned int *const copies = (unsigned int *)taker->table -
                                 (threadIdx.x & (taker->copies - 1)) +
                                 (has_bin ? slot_in_table(j) : 0) * taker->copies;
    for (unsigned int k = threadIdx.x; k < floats; k += blockDim.x)
        sums[k] = 0;
    if (threadIdx.x == 0)
        num_hot = 0;
    __syncthreads(); // no thread may count in a place that another has yet to clear
    if (has_bin)
        atomicAdd(copies, 1); // others may have the same key
    __syncthreads();          // no thread may read a number to which another still adds
    const unsigned int times = has_bin ? *copies : 0;
    const bool has_runs = __syncthreads_count(has_bin && key == next) >= (int)blockDim.x / 3;
    // Of those with one key the first takes the number away, and gives the key its sums. A number is no tag.
    if (times > 0 && atomicCAS(copies, times, 0) == times && times >= LEAST_TIMES) {
        const unsigned int n = atomicAdd(&num_hot, 1); // other threads give sums to other keys
        if (n < MOST_HOT && n + 1 < floats)
            for (unsigned int copy = 0; copy < taker->copies; copy++)
                atomicExch(&copies[copy], IS_HOT | n); // others may still try to take the number
    }
    __syncthreads(); // no thread may add to a place that another has yet to tag, or read num_hot before
    const unsigned int number = num_hot < MOST_HOT ? num_hot : MOST_HOT;
    taker->hot.sums = sums;
    taker->hot.copies = number > 0 && floats > 1 ? WARP : 0;
    while (taker->hot.copies * number > floats && taker->hot.copies > 1)
        taker->hot.copies /= 2;
    return has_runs;
}

/* What a place of the table stands for. */
__device__ __forceinline__ static float end_hot(const struct hot *hot, float held)
{
    const unsigned int bits = __float_as_uint(held), own = threadIdx.x;
    float sum = 0;
    if ((bits & HOT_MASK) != IS_HOT)
        return held;
    for (unsigned int k = 0; k < hot->copies; k++)
        sum += hot->sums[(bits & ~HOT_MASK) * hot->copies + ((own + k) & (hot->copies - 1))];
    return sum;
}

/* A word of each lane of a warp, whose neighbors often share a key: lanes side by side join first. */
__device__ __forceinline__ static void take_runs_of_lanes(const struct word *word,
                                                          struct taker *taker)
{
    const unsigned int lane = threadIdx.x % WARP;
    const unsigned int before_it = word->x[0].key, key = word->x[1].key;
    float sum = __uint_as_float(word->x[1].value);
    if (before_it == key)
        sum += __uint_as_float(word->x[0].value);
    else if (before_it - taker->first < taker->mine)
        combine_run(taker, 0, before_it - taker->first, __uint_as_float(word->x[0].value));
    const unsigned int of_lane_before = __shfl_up_sync(ALL_LANES, key, 1);
    const bool begins = lane == 0 || key != of_lane_before;
    const unsigned int beginnings = __ballot_sync(ALL_LANES, begins);
    const unsigned int behind = beginnings & ~((2u << lane) - 1);
    const unsigned int last = behind ? (unsigned int)__ffs((int)behind) - 2 : WARP - 1;
#pragma unroll
    for (unsigned int distance = 1; distance < WARP; distance *= 2) {
        const float other = __shfl_down_sync(ALL_LANES, sum, distance);
        sum += lane + distance <= last ? other : 0;
    }
    if (begins && key - taker->first < taker->mine)
        combine_run(taker, 1, key - taker->first, sum);
}
#endif

#if OPERATION_IS(argmax)
/* The elements of a word of each lane. All bins are looked at before there is a branch: most elements lose, and none
 * has to wait for another one. Where many lanes win in one bin, the warp joins them first. */
__device__ __forceinline__ static void take_maxima(const struct word *word, size_t index,
                                                   struct taker *taker)
{
    enum { TOO_MANY = 4 }; // of a warp, in one bin
    bool wins[WORD_ELEMENTS], any = false;
#pragma unroll
    for (unsigned int n = 0; n < WORD_ELEMENTS; n++) {
        const unsigned int j = word->x[n].key - taker->first;
        hardware_t before = ~(hardware_t)0;
        if (j < taker->mine) // volatile, so that it is read now. What is there only grows.
            before = *(volatile hardware_t *)(taker->table ? &taker->table[slot_in_table(j)]
                                                           : &taker->bins[j]);
        wins[n] = bring(word->x[n], index + n) > before;
        any |= wins[n];
    }
    if (!__any_sync(ALL_LANES, any)) // all lanes, or none
        return;
#pragma unroll
    for (unsigned int n = 0; n < WORD_ELEMENTS; n++) {
        const unsigned int winners = __ballot_sync(ALL_LANES, wins[n]);
        if (winners == 0)
            continue;
        unsigned int place = wins[n] ? word->x[n].key - taker->first : NO_KEY;
        hardware_t mine = bring(word->x[n], index + n);
        const unsigned int common = __shfl_sync(ALL_LANES, place, __ffs((int)winners) - 1);
        if (__popc(__ballot_sync(ALL_LANES, place == common)) >= TOO_MANY)
            place = join_equals(&mine, place);
        if (place != NO_KEY)
            combine_word(taker, place, mine);
    }
}
#endif

/* The elements of a word. */
__device__ __forceinline__ static void take_word(const struct word *word, unsigned int first,
                                                 unsigned int base, struct taker *taker,
                                                 enum way way)
{
#if OPERATION_IS(sum_f32)
    if (way == BY_RUNS) {
        take_runs_of_lanes(word, taker);
        return;
    }
#elif OPERATION_IS(argmax)
    take_maxima(word, base + first, taker);
    return;
#endif
    (void)way;
#pragma unroll
    for (unsigned int n = 0; n < WORD_ELEMENTS; n++)
        take(word->x[n], n, base + first + n, taker);
}

/* Takes each element, in one thread of the `groups` blocks; this block is number `group` of them. While a thread
 * takes a word, its next words are on their way. All threads of a block go through the loop equally often. */
__device__ __forceinline__ static void take_all(const struct ladder_elements *elements,
                                                unsigned int group, unsigned int groups,
                                                struct taker *taker, enum way way)
{
    const unsigned int threads = groups * blockDim.x, num_words = words_of(elements);
    struct word ring[LOADS_IN_FLIGHT];
#pragma unroll
    for (unsigned int k = 0; k < LOADS_IN_FLIGHT; k++)
        ring[k] = load_word(elements, group * blockDim.x + threadIdx.x + k * threads, true);
    for (unsigned int from = group * blockDim.x; from < num_words;
         from += LOADS_IN_FLIGHT * threads)
#pragma unroll
        for (unsigned int k = 0; k < LOADS_IN_FLIGHT; k++) {
            const unsigned int i = from + threadIdx.x + k * threads;
            const struct word here = ring[k];
            ring[k] = load_word(elements, i + LOADS_IN_FLIGHT * threads, true);
            take_word(&here, first_of_word(elements, i), elements->base, taker, way);
        }
}

/* What a block has before the first element. */
__device__ __forceinline__ static struct taker begin_taker(hardware_t *table, bin_t *bins,
                                                           unsigned int first, unsigned int mine,
                                                           const struct findings *found)
{
    struct taker taker;
    taker.table = table;
    taker.bins = bins;
    taker.copies = 1;
    taker.in_register.sum = taker.in_register.lost = nothing();
    taker.first = first;
    taker.mine = mine;
    taker.hot_key = KEEPS_HOT_KEY && found ? found->hot_key : NO_KEY;
#if OPERATION_IS(sum_f32)
    taker.hot.copies = 0;
#endif
#pragma unroll
    for (unsigned int n = 0; KEEPS_RUNS && n < WORD_ELEMENTS; n++)
        taker.runs[n].place = NO_KEY;
    return taker;
}

/* The last runs of each thread; those of one bin are joined in the warp, since the threads of a block end at the
 * same time. Then one lane of each warp combines what the registers of its lanes hold. */
__device__ __forceinline__ static void end_taker(struct taker *taker)
{
    if (KEEPS_RUNS)
#pragma unroll
        for (unsigned int n = 0; n < WORD_ELEMENTS; n++) {
            struct key_run *const run = &taker->runs[n];
            hardware_t sum = run->place == NO_KEY ? nothing() : run->kept.sum;
            const unsigned int place = join_equals(&sum, run->place);
            if (place != NO_KEY)
                combine_word(taker, place, sum);
        }
    if (!KEEPS_HOT_KEY)
        return;
    const hardware_t of_the_warp = join_warp(taker->in_register.sum);
    const unsigned int j = taker->hot_key - taker->first;
    if (j < taker->mine && threadIdx.x % WARP == 0 && !is_nothing(of_the_warp))
        combine_word(taker, j, of_the_warp);
}

/* A bin of a block's table: the sum of its copies, from the one of this thread's lane on, so that the lanes of a warp
 * read from different banks. */
__device__ __forceinline__ static hardware_t join_copies(const hardware_t *tables,
                                                         unsigned int copies, unsigned int j)
{
    const unsigned int last = copies - 1, own = threadIdx.x & last, slot = slot_in_table(j);
    hardware_t sum = tables[slot * copies + own];
    for (unsigned int copy = 1; copy < copies; copy++)
        sum = join(sum, tables[slot * copies + ((own + copy) & last)]);
    return sum;
}

/* What a block has found for bin j of its range. */
__device__ __forceinline__ static hardware_t found_for(const hardware_t *tables,
                                                       const struct taker *taker, unsigned int j)
{
#if OPERATION_IS(sum_f32)
    const float held = tables[slot_in_table(j) * taker->copies];
    if (taker->hot.copies > 0 && (__float_as_uint(held) & HOT_MASK) == IS_HOT)
        return end_hot(&taker->hot, held);
#endif
    return KEEPS_HOT_KEY ? join_copies(tables, taker->copies, j) : tables[slot_in_table(j)];
}

#if !OPERATION_IS(powers)
/* The bins are dealt to `passes` ranges, and the blocks to ranges. Each block combines what belongs to its range in
 * shared memory, in `copies` copies, a power of two; `hot_at` words behind their begin is room for so many floats of
 * hot keys. */
__global__ static void __launch_bounds__(LADDER_SHARED_THREADS, 1)
    combine_in_shared(struct ladder_elements elements, bin_t *bins, unsigned int num_bins,
                      unsigned int copies, unsigned int passes, unsigned int hot_at,
                      unsigned int hot_floats, const struct findings *found)
{
    extern __shared__ uint4 shared_memory[];
    hardware_t *const tables = (hardware_t *)shared_memory;
    const unsigned int range = (num_bins + passes - 1) / passes,
                       first = blockIdx.x % passes * range;
    const unsigned int left = first < num_bins ? num_bins - first : 0;
    const unsigned int mine = left < range ? left : range;
    struct taker taker =
        begin_taker(tables + (threadIdx.x & (copies - 1)), NULL, first, mine, found);
    taker.copies = copies;
    for (unsigned int i = threadIdx.x; i < (mine + WARP - 1) / WARP * WARP * copies;
         i += blockDim.x)
        tables[i] = nothing();
    const unsigned int group = blockIdx.x / passes, groups = gridDim.x / passes;
    struct ladder_elements part = elements;
    bool is_some = true, by_runs = false;
    if (passes == 1) {
        // Neighbors to one block: its threads have long runs, and of sorted keys it has few bins.
        const unsigned int step = WARP * WORD_ELEMENTS;
        const unsigned int share = (elements.length / groups / step + 1) * step;
        is_some = (size_t)group * share < elements.length;
        if (is_some)
            part = part_of(&elements, group * share, share);
    }
#if OPERATION_IS(sum_f32)
    if (is_some && hot_floats > 0 && part.length >= 2 * LADDER_SHARED_THREADS) // all, or none
        by_runs = look_for_hot(&taker, &part, tables + hot_at, hot_floats);
#else
    (void)hot_at, (void)hot_floats;
#endif
    __syncthreads(); // no thread may combine into a bin that another has yet to clear
    const unsigned int of_all = passes == 1 ? 0 : group, in_all = passes == 1 ? 1 : groups;
    // Said twice, so that no element waits for a branch.
    if (is_some && by_runs)
        take_all(&part, of_all, in_all, &taker, BY_RUNS);
    else if (is_some)
        take_all(&part, of_all, in_all, &taker, EACH_ALONE);
    end_taker(&taker);
    __syncthreads(); // no thread may read a bin that another still combines into
    // Each block begins at another bin, so that they do not all commit to one at the same time.
    const unsigned int turn = mine > 0 ? (unsigned int)((size_t)mine * group / groups) : 0;
    for (unsigned int i = threadIdx.x; i < mine; i += blockDim.x) {
        const unsigned int j = i + turn < mine ? i + turn : i + turn - mine;
        const hardware_t sum = found_for(tables, &taker, j);
        if (!is_nothing(sum))
            commit(&bins[first + j], sum);
    }
}

#endif

/* Each block combines into one of the copies of all bins in the cache: the bins themselves are copy 0. */
__global__ static void __launch_bounds__(LADDER_SHARED_THREADS, 1)
    combine_in_cache(struct ladder_elements elements, bin_t *bins, unsigned int num_bins,
                     bin_t *more_copies, const struct findings *found)
{
    if (found && found->is_direct)
        return; // they go straight to their bins
    struct taker taker = begin_taker(NULL, bins, 0, num_bins, found);
    const unsigned int copy = more_copies ? blockIdx.x % found->copies : 0;
    if (copy > 0)
        taker.bins = more_copies + (size_t)(copy - 1) * num_bins;
    if (KEEPS_RUNS && found && found->has_runs)
        take_all(&elements, blockIdx.x, gridDim.x, &taker, BY_RUNS);
    else
        take_all(&elements, blockIdx.x, gridDim.x, &taker, EACH_ALONE);
    end_taker(&taker);
}

#if OPERATION_IS(sum_f32)
/* The copies in the cache but the first, with nothing in them. */
__global__ static void begin_copies(bin_t *more_copies, unsigned int num_bins,
                                    const struct findings *found)
{
    const size_t threads = (size_t)gridDim.x * blockDim.x;
    const size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    for (size_t i = thread; i < (size_t)(found->copies - 1) * num_bins; i += threads)
        more_copies[i] = 0;
}

/* The copies joined. */
__global__ static void end_copies(bin_t *bins, unsigned int num_bins, const bin_t *more_copies,
                                  const struct findings *found)
{
    const size_t threads = (size_t)gridDim.x * blockDim.x;
    const unsigned int copies = found->copies;
    if (copies == 1)
        return;
    for (size_t j = (size_t)blockIdx.x * blockDim.x + threadIdx.x; j < num_bins; j += threads) {
        bin_t sum = bins[j];
#pragma unroll 4
        for (unsigned int copy = 1; copy < copies; copy++) // four are on their way at once
            sum += more_copies[(size_t)(copy - 1) * num_bins + j];
        bins[j] = sum;
    }
}
#endif

#endif
