/* in_shared.h - combines elements into bins in the shared memory of a block, in copies or in passes over the
 * elements. */
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

/* How the elements are taken: each by itself; neighbors that share a key together; or each into the thread's own bins,
 * which need no atomics. */
enum way { EACH_ALONE, BY_RUNS, INTO_OWN };

/* Where a bin lies in a table of shared memory, and which bin lies there. Bins that are some power of two apart would lie
 * in one bank: so bits above the last five change these. A table has whole rows of 32 bins. */
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
 * copies of a bin are neighbors; and the hot key, whose elements a thread combines in a register. */
struct taker {
    hardware_t *table;
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
#if OPERATION_IS(sum_f32)
    add_float(taker, &taker->table[slot * taker->copies], word);
#else
    update(&taker->table[KEEPS_HOT_KEY ? slot * taker->copies : slot], word);
#endif
}

__device__ __forceinline__ static void take(element_t x, size_t index, struct taker *taker,
                                            enum way way)
{
    const unsigned int key = key_of(x), j = key - taker->first;
    if (j >= taker->mine)
        return;
    if (way == INTO_OWN)
        taker->table[j * LADDER_SHARED_THREADS] =
            join(taker->table[j * LADDER_SHARED_THREADS], bring(x, index));
    else if (KEEPS_HOT_KEY && key == taker->hot_key)
        keep(&taker->in_register, bring(x, index));
    else
        combine_word(taker, j, bring(x, index));
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

#if OPERATION_IS(sum_u32) || OPERATION_IS(sum_f32)
enum {
    LEAST_TO_LOOK = OPERATION_IS(sum_f32) ? 2 : 8, // elements of each thread
    LEAST_KEPT = LADDER_SHARED_THREADS / 16, // times that a key is seen whose sum a register keeps
    LEAST_TIMES = 5,                         // ... that has sums of its own
    LEAST_REPEATS = WARP,                    // of a neighbor's key, to join them first
};

/* A block looks at a few of its own elements: how often each key is there it counts in the table, which is clear before
 * and afterwards. The most frequent key is kept in registers if it is frequent; of floats the places of other hot keys
 * are tagged: these get sums of their own, in `floats` floats. Returns whether neighbors often share another key. All
 * threads of the block call it. */
__device__ static bool look_for_hot(struct taker *taker, const struct ladder_elements *part,
                                    float *sums, unsigned int floats)
{
    __shared__ unsigned int num_hot, most;
    const unsigned int step = part->length / blockDim.x;
    const unsigned int key = part->keys[threadIdx.x * step]; // there is one more
    const unsigned int next = part->keys[threadIdx.x * step + 1], j = key - taker->first;
    const bool has_bin = j < taker->mine;
    hardware_t *const tables = taker->table - (threadIdx.x & (taker->copies - 1));
    unsigned int *const place =
        (unsigned int *)&tables[(has_bin ? slot_in_table(j) : 0) * taker->copies];
    for (unsigned int k = threadIdx.x; k < floats; k += blockDim.x)
        sums[k] = 0;
    if (threadIdx.x == 0)
        num_hot = most = 0;
    __syncthreads(); // no thread may count in a place that another has yet to clear
    if (has_bin)
        atomicAdd(place, 1); // others may have the same key
    __syncthreads();         // no thread may read a number to which another still adds
    const unsigned int times = has_bin ? *place : 0;
    const unsigned int top = __reduce_max_sync(ALL_LANES, times * blockDim.x + threadIdx.x);
    if (threadIdx.x % WARP == 0)
        atomicMax(&most, top); // other warps have theirs
    __syncthreads();           // no thread may read most before all warps have been there
    if (most / blockDim.x >= LEAST_KEPT)
        taker->hot_key = part->keys[most % blockDim.x * step];
    const bool is_other = has_bin && key != taker->hot_key;
    const int others = __syncthreads_count(is_other);
    const int repeats = __syncthreads_count(is_other && key == next);
    // Of those with one key the first takes the number away, and gives the key its sums. A number is no tag.
    [[maybe_unused]] const bool is_first = times > 0 && atomicCAS(place, times, 0) == times;
#if OPERATION_IS(sum_f32)
    if (is_first && is_other && times >= LEAST_TIMES) {
        const unsigned int n = atomicAdd(&num_hot, 1); // other threads give sums to other keys
        if (n < LADDER_HOT_KEYS && n + 1 < floats)
            for (unsigned int copy = 0; copy < taker->copies; copy++)
                atomicExch(&place[copy], IS_HOT | n); // others may still try to take the number
    }
    __syncthreads(); // no thread may add to a place that another has yet to tag, or read num_hot before
    const unsigned int number = num_hot < LADDER_HOT_KEYS ? num_hot : LADDER_HOT_KEYS;
    taker->hot.sums = sums;
    taker->hot.copies = number > 0 && floats > 1 ? blockDim.x : 0;
    while (taker->hot.copies * number > floats && taker->hot.copies > 1)
        taker->hot.copies /= 2;
#endif
    return repeats >= LEAST_REPEATS && 4 * repeats >= others;
}
#endif

#if OPERATION_IS(sum_f32)
/* What a place that is tagged stands for: its lane sums that, or the warp if that takes less time. All lanes call it. */
__device__ __forceinline__ static float end_hot(const struct hot *hot, float held, bool is_hot)
{
    const unsigned int lane = threadIdx.x % WARP;
    unsigned int left = __ballot_sync(ALL_LANES, is_hot);
    if ((unsigned int)__popc(left) * WARP >= hot->copies) { // all lanes, or none
        const unsigned int n = __float_as_uint(held) & ~HOT_MASK;
        held = is_hot ? 0 : held;
        for (unsigned int k = 0; is_hot && k < hot->copies; k++)
            held += hot->sums[n * hot->copies + ((lane + k) & (hot->copies - 1))];
        return held;
    }
    for (; left != 0; left &= left - 1) {
        const int from = __ffs((int)left) - 1;
        const unsigned int n = __shfl_sync(ALL_LANES, __float_as_uint(held), from) & ~HOT_MASK;
        float sum = 0;
        for (unsigned int copy = lane; copy < hot->copies; copy += WARP)
            sum += hot->sums[n * hot->copies + copy];
        sum = join_warp(sum);
        held = lane == (unsigned int)from ? sum : held;
    }
    return held;
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
/* Of the lanes that win in the bin of one of them, the best is left if they are many: the greatest value, and of equal ones
 * the first. All lanes of the warp call it. */
__device__ __forceinline__ static bool is_best(element_t x, bool wins)
{
    enum { MANY = 4 }; // of a warp, in one bin
    unsigned int left = __ballot_sync(ALL_LANES, wins);
    while (__popc(left) >= MANY) { // all lanes, or none
        const unsigned int common = __shfl_sync(ALL_LANES, x.key, __ffs((int)left) - 1);
        const bool is_there = wins && x.key == common;
        const unsigned int there = __ballot_sync(ALL_LANES, is_there);
        left &= ~there;
        if (__popc(there) < MANY)
            return wins;
        const unsigned int most = __reduce_max_sync(ALL_LANES, is_there ? x.value : 0);
        const unsigned int best = __ballot_sync(ALL_LANES, is_there && x.value == most);
        wins = wins && (!is_there || threadIdx.x % WARP == (unsigned int)__ffs((int)best) - 1);
    }
    return wins;
}

/* The elements of a word of each lane. All bins are looked at before there is a branch: most elements lose, and none
 * has to wait for another one. */
__device__ __forceinline__ static void take_maxima(const struct word *word, size_t index,
                                                   struct taker *taker)
{
    hardware_t *place[WORD_ELEMENTS], brings[WORD_ELEMENTS];
    bool wins[WORD_ELEMENTS], any = false;
#pragma unroll
    for (unsigned int n = 0; n < WORD_ELEMENTS; n++) {
        const unsigned int j = word->x[n].key - taker->first;
        place[n] = &taker->table[j < taker->mine ? slot_in_table(j) : 0];
        brings[n] = j < taker->mine ? bring(word->x[n], index + n) : nothing();
        wins[n] = brings[n] > *(volatile hardware_t *)place[n]; // read now. It only grows.
        any |= wins[n];
    }
    if (!__any_sync(ALL_LANES, any)) // all lanes, or none
        return;
#pragma unroll
    for (unsigned int n = 0; n < WORD_ELEMENTS; n++)
        if (is_best(word->x[n], wins[n]))
            update(place[n], brings[n]);
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
    (void)way;
    take_maxima(word, base + first, taker);
    return;
#endif
#pragma unroll
    for (unsigned int n = 0; n < WORD_ELEMENTS; n++)
        take(word->x[n], base + first + n, taker, way);
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
            take_word(&ring[k], first_of_word(elements, i), elements->base, taker, way);
            // Now, and not before: else both words need registers, and the new one is moved, which waits for it.
            ring[k] = load_word(elements, i + LOADS_IN_FLIGHT * threads, true);
        }
}

/* What a block has before the first element. */
__device__ __forceinline__ static struct taker begin_taker(hardware_t *table, unsigned int copies,
                                                           unsigned int first, unsigned int mine)
{
    struct taker taker;
    taker.table = table;
    taker.copies = copies;
    taker.in_register.sum = taker.in_register.lost = nothing();
    taker.first = first;
    taker.mine = mine;
    taker.hot_key = NO_KEY;
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

#if !OPERATION_IS(powers)
/* What a block has found for the bin of a slot: the sum of its copies, from the one of this thread's lane on, so that the
 * lanes of a warp read from different banks. All of them call it. */
__device__ __forceinline__ static hardware_t found_at(const hardware_t *tables,
                                                      const struct taker *taker, unsigned int slot)
{
    if (!KEEPS_HOT_KEY)
        return tables[slot];
    hardware_t sum = tables[slot * taker->copies];
#if OPERATION_IS(sum_f32)
    const bool is_hot = taker->hot.copies > 0 && (__float_as_uint(sum) & HOT_MASK) == IS_HOT;
    if (taker->hot.copies > 0) // all lanes, or none
        sum = end_hot(&taker->hot, sum, is_hot);
    if (is_hot)
        return sum;
#endif
    if (taker->copies == 1)
        return sum;
    sum = nothing();
    for (unsigned int copy = 0; copy < taker->copies; copy++)
        sum =
            join(sum, tables[slot * taker->copies + ((threadIdx.x + copy) & (taker->copies - 1))]);
    return sum;
}

/* What the blocks of a range have found goes to the bins, a row of 32 by each warp. Each block begins at another row, so
 * that they do not all commit to one bin at the same time. A few rows are read before one has to be waited for. */
__device__ __forceinline__ static void commit_found(const hardware_t *tables,
                                                    const struct taker *taker, bin_t *bins,
                                                    unsigned int group, unsigned int groups)
{
    enum { ROWS_AT_ONCE = 4 };
    const unsigned int rows = (taker->mine + WARP - 1) / WARP, warps = blockDim.x / WARP;
    const unsigned int turn = (unsigned int)((size_t)rows * group / groups);
    for (unsigned int n = threadIdx.x / WARP; n < rows; n += ROWS_AT_ONCE * warps) {
        hardware_t found[ROWS_AT_ONCE];
        unsigned int slot[ROWS_AT_ONCE];
#pragma unroll
        for (unsigned int k = 0; k < ROWS_AT_ONCE; k++) {
            const unsigned int row = n + k * warps + turn;
            slot[k] = (row < rows ? row : row - rows) * WARP + threadIdx.x % WARP;
            found[k] = n + k * warps < rows ? found_at(tables, taker, slot[k]) : nothing();
        }
#pragma unroll
        for (unsigned int k = 0; k < ROWS_AT_ONCE; k++)
            if (!is_nothing(found[k])) // then it is a bin
                commit(&bins[taker->first + slot_in_table(slot[k])], found[k]);
    }
}

#if OPERATION_IS(sum_f32)
/* The same where each thread has bins of its own: their sums first go to the places of the first thread, so that a warp
 * commits bins side by side. All threads of the block call it. */
__device__ static void commit_own(float *tables, const struct taker *taker, bin_t *bins)
{
    for (unsigned int j = threadIdx.x / WARP; j < taker->mine; j += blockDim.x / WARP) {
        float sum = 0;
#pragma unroll 8
        for (unsigned int k = threadIdx.x % WARP; k < LADDER_SHARED_THREADS; k += WARP)
            sum += tables[j * LADDER_SHARED_THREADS + k];
        sum = join_warp(sum);
        if (threadIdx.x % WARP == 0)
            tables[j * LADDER_SHARED_THREADS] = sum;
    }
    __syncthreads(); // no thread may read a sum that a warp has yet to write
    if (threadIdx.x < taker->mine && !is_nothing(tables[threadIdx.x * LADDER_SHARED_THREADS]))
        commit(&bins[threadIdx.x], tables[threadIdx.x * LADDER_SHARED_THREADS]);
}
#endif

/* The bins are dealt to `passes` ranges, and the blocks to ranges. Each block combines what belongs to its range in
 * shared memory, in `copies` copies, a power of two, or one for each thread; `hot_at` words behind their begin is room
 * for so many floats of hot keys. */
__global__ static void __launch_bounds__(LADDER_SHARED_THREADS, 1)
    combine_in_shared(struct ladder_elements elements, bin_t *bins, unsigned int num_bins,
                      unsigned int copies, unsigned int passes, unsigned int hot_at,
                      unsigned int hot_floats)
{
    extern __shared__ uint4 shared_memory[];
    hardware_t *const tables = (hardware_t *)shared_memory;
    const unsigned int range = (num_bins + passes - 1) / passes,
                       first = blockIdx.x % passes * range;
    const unsigned int left = first < num_bins ? num_bins - first : 0;
    struct taker taker = begin_taker(tables + (threadIdx.x & (copies - 1)), copies, first,
                                     left < range ? left : range);
    const uint4 empty = OPERATION_IS(minmax) ? make_uint4(~0u, ~0u, 0, 0) : make_uint4(0, 0, 0, 0);
#pragma unroll 4
    for (unsigned int i = threadIdx.x; i < hot_at * sizeof(hardware_t) / sizeof empty;
         i += blockDim.x)
        shared_memory[i] = empty;
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
    const bool has_own = OPERATION_IS(sum_f32) && copies == LADDER_SHARED_THREADS;
#if OPERATION_IS(sum_u32) || OPERATION_IS(sum_f32)
    if (is_some && !has_own && part.length >= LEAST_TO_LOOK * LADDER_SHARED_THREADS) // all, or none
        by_runs = look_for_hot(&taker, &part, (float *)(tables + hot_at), hot_floats) && KEEPS_RUNS;
#else
    (void)hot_floats;
#endif
    __syncthreads(); // no thread may combine into a bin that another has yet to clear
    const unsigned int of_all = passes == 1 ? 0 : group, in_all = passes == 1 ? 1 : groups;
    // Said three times, so that no element waits for a branch.
    if (is_some && has_own)
        take_all(&part, of_all, in_all, &taker, INTO_OWN);
    else if (is_some && by_runs)
        take_all(&part, of_all, in_all, &taker, BY_RUNS);
    else if (is_some)
        take_all(&part, of_all, in_all, &taker, EACH_ALONE);
    if (!has_own) // all threads, or none
        end_taker(&taker);
    __syncthreads(); // no thread may read a bin that another still combines into
#if OPERATION_IS(sum_f32)
    if (has_own) {
        commit_own(tables, &taker, bins);
        return;
    }
#endif
    commit_found(tables, &taker, bins, group, groups);
}
#endif

#endif
