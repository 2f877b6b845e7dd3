/* 29. Choosing: a sample and a model decide how the bins are updated, where, in how many copies and
 * passes.
 *
 * How hardware updates a bin is known from the operation (chapters 21 and 28). From the number of bins
 * the model chooses the memory: shared memory, in passes if need be; buckets; or the L2 cache. A sample
 * of the keys tells which one is so frequent that each thread keeps it in a register, and by their race
 * factor how many copies there shall be in the cache. */
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "cuda_check.h" // CHECK(call): a call that fails ends the program with one line
#include "given/device.h"
#include "given/few_elements.h"
#include "given/hardware_word.h"
#include "given/many_buckets.h"
#include "model.h"
#include "reduce_by_index.h"
#if OPERATION_IS(count) || OPERATION_IS(saturate)
#include "given/buckets.h"
#endif

enum {
    THREADS = 1024,
    LANES = 32,
    SAMPLE = 2048,
    LEAST_SAMPLE =
        256, // however few bins there are: else no key of one bin, or of a few, would be hot
    SLOTS = 2 * SAMPLE,
    MOST_COPIES = 32
};
static const unsigned int NO_KEY = 0xffffffffu; // no bin has this number
static const bool IS_COUNTED = OPERATION_IS(count) || OPERATION_IS(saturate);
static const bool IS_MAXIMUM = OPERATION_IS(argmax) || OPERATION_IS(minmax); // tried if it can win
static const bool KEEPS_HOT_KEY = !IS_COUNTED && !IS_MAXIMUM;
static const bool IS_SORTED = OPERATION_IS(vector_sum); // in shared memory: no key of it is slow
static const bool HAS_COPIES = KEEPS_HOT_KEY && !IS_SORTED; // of a block's bins

/* ---- What a sample tells. ---- */

struct findings {
    unsigned int hot_key; // the most frequent key, if it is frequent enough; or NO_KEY
    unsigned int copies;  // of the bins, in the cache
    float race_factor;    // of the other keys
};

/* The race factor of keys of which a sample of so many held so many different ones: bins for each
 * different key that as many keys as there are bins would hold. If the keys are spread evenly over k
 * bins, n of them hold k (1 - e^(-n / k)) different ones. */
MODEL_FUNCTION float race_factor(float sample, float different, float num_bins)
{
    float least = different, most = num_bins; // k is between them
    for (int step = 0; step < 30; step++) {
        const float k = (least + most) / 2;
        // TODO(29.1): Which half is it in?
        // end of TODO(29.1)
    }
    float factor = 1;
    // TODO(29.2): From k to the race factor: num_bins keys, spread evenly over k bins.
    // end of TODO(29.2)
    return factor;
}

/* How many copies of the bins there shall be in the cache. Keys that are spread evenly over the bins have
 * a race factor of 1 / (1 - 1/e) = 1.58, and one copy is enough for them. */
MODEL_FUNCTION unsigned int copies_in_cache(float factor, unsigned int most_copies)
{
    unsigned int copies = 1;
    // TODO(29.3): As many times more copies as there are fewer different keys, and 1 to most_copies.
    // end of TODO(29.3)
    return copies;
}

/* Counts a key in the table of the sample, where other threads enter theirs now. */
__device__ static void enter_key(unsigned int key, unsigned int *keys, unsigned int *times,
                                 unsigned int *different)
{
    unsigned int slot = key * 2654435761u % SLOTS;
    for (;; slot = (slot + 1) % SLOTS) {
        unsigned int holds = *(volatile unsigned int *)&keys[slot];
        if (holds == NO_KEY)
            holds = atomicCAS(&keys[slot], NO_KEY, key);
        if (holds == NO_KEY)
            atomicAdd(different, 1);
        if (holds == NO_KEY || holds == key)
            break;
    }
    atomicAdd(&times[slot], 1);
}

/* The greatest of what the lanes of a warp have. */
__device__ static unsigned long long greatest_of_warp(unsigned long long mine)
{
    for (unsigned int distance = LANES / 2; distance > 0; distance /= 2) {
        const unsigned long long other = __shfl_xor_sync(0xffffffffu, mine, (int)distance);
        mine = mine > other ? mine : other;
    }
    return mine;
}

/* The most frequent key of this thread's slots; above it, how often it is there. */
__device__ static unsigned long long hottest_here(const unsigned int *keys,
                                                  const unsigned int *times)
{
    unsigned long long hottest = 0;
    for (unsigned int slot = threadIdx.x; slot < SLOTS; slot += blockDim.x) {
        const unsigned long long here = (unsigned long long)times[slot] << 32 | keys[slot];
        hottest = here > hottest ? here : hottest;
    }
    return hottest;
}

/* One block reads at most SAMPLE keys, evenly spread; of few bins LEAST_SAMPLE, else no more than there are
 * bins. */
__global__ void inspect(const element_t *elements, size_t length, size_t num_bins,
                        unsigned int most_copies, struct findings *found)
{
    __shared__ unsigned int keys[SLOTS], times[SLOTS], sampled, different;
    __shared__ unsigned long long hottest_of[THREADS / LANES];
    for (unsigned int slot = threadIdx.x; slot < SLOTS; slot += blockDim.x) {
        keys[slot] = NO_KEY;
        times[slot] = 0;
    }
    if (threadIdx.x == 0)
        sampled = different = 0;
    __syncthreads(); // no thread may enter a key in a table that another has yet to clear
    size_t sample = num_bins < SAMPLE ? num_bins : (size_t)SAMPLE;
    sample = sample > LEAST_SAMPLE ? sample : (size_t)LEAST_SAMPLE;
    sample = sample < length ? sample : length;
    for (size_t i = threadIdx.x; i < sample; i += blockDim.x) {
        const size_t j = index_of(elements[i * (length / sample)], num_bins);
        if (j >= num_bins)
            continue;
        enter_key((unsigned int)j, keys, times, &different);
        atomicAdd(&sampled, 1); // all threads count there
    }
    __syncthreads(); // no thread may look at a table that another still enters keys in
    const unsigned long long hot = greatest_of_warp(hottest_here(keys, times));
    if (threadIdx.x % LANES == 0)
        hottest_of[threadIdx.x / LANES] = hot;
    __syncthreads(); // hottest_of is complete
    if (threadIdx.x >= LANES)
        return;
    const unsigned long long hottest =
        greatest_of_warp(threadIdx.x < THREADS / LANES ? hottest_of[threadIdx.x] : 0);
    if (threadIdx.x == 0) {
        const unsigned int hot_times = (unsigned int)(hottest >> 32);
        bool is_hot = false;
        // TODO(29.4): A key is hot if it is at least every 32nd of the sample, and was met four times.
        // end of TODO(29.4)
        const float others = (float)(sampled - (is_hot ? hot_times : 0));
        const float kinds = (float)(different - (is_hot ? 1 : 0));
        found->hot_key = is_hot ? (unsigned int)hottest : NO_KEY;
        const bool asked = most_copies > 1 && kinds > 0; // else one copy is all there may be
        found->race_factor = asked ? race_factor(others, kinds, (float)num_bins) : 1;
        found->copies = copies_in_cache(found->race_factor, most_copies);
    }
}

/* ---- Shared memory, and the L2 cache. ---- */

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

#include "given/each_element.h" // for_each_element(), which calls take(), or take_load()

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

/* ---- The model. ---- */

/* What the card can do, as far as the model asks. */
struct machine {
    size_t shared_bytes, cache_bytes; // shared memory of a block, for bins; the L2 cache
    unsigned int multiprocessors;
};

enum memory { AS_THEY_ARE, IN_SHARED, IN_BUCKETS, IN_CACHE };

struct plan {
    enum memory memory;
    unsigned int copies;      // of a block's bins, in shared memory
    unsigned int passes;      // over the elements: ranges of bins
    unsigned int most_copies; // in the cache; the sample decides
    bool inspect;             // whether a sample is looked at
    struct dealing dealing;   // to buckets, if that is possible
};

/* Picoseconds for an element, measured on an H200: a pass in shared memory; and elsewhere, in buckets. */
static const double A_PASS = IS_COUNTED                ? 0.7
                             : OPERATION_IS(wide_sum)  ? 1.7
                             : OPERATION_IS(float_sum) ? 3
                             : OPERATION_IS(argmax)    ? 1.4
                             : OPERATION_IS(minmax)    ? 2.5
                                                       : 9;
static const double ELSEWHERE = IS_COUNTED                                        ? 3
                                : OPERATION_IS(wide_sum)                          ? 8.6
                                : OPERATION_IS(argmax)                            ? 10
                                : OPERATION_IS(float_sum) || OPERATION_IS(minmax) ? 11
                                                                                  : 20;
/* Elements for each multiprocessor, fewer than which ... */
enum {
    FEW = 512,           // ... are combined in the cache in 50 us at most, even if all have one key
    ONE_A_THREAD = 1024, // ... are summed before tables in shared memory would be cleared
    FEW_MAXIMA = 4096,   // ... do so if a maximum has four of them for each bin
    SHORT = 2048,        // ... take less time where they are than in buckets: warps join equal keys
    INSPECTED = 12288,   // ... are combined in shared memory before a sample would be ready
    INSPECTED_WITHOUT_COPIES = 3072, // ... the same of floats, which wait for each other
    // ... take less time where they are, if half of the cache holds the bins.
    SHORT_IN_CACHE = OPERATION_IS(argmax)   ? 24576
                     : OPERATION_IS(minmax) ? 16384
                     : IS_COUNTED           ? SHORT
                                            : 3072,
};
// So many bins for each element are written and read once more in the time that the elements need without that.
static const double MANY_BINS = IS_MAXIMUM                ? 1.75
                                : IS_COUNTED              ? 16
                                : OPERATION_IS(float_sum) ? 8
                                                          : 4;
#if OPERATION_IS(vector_sum)
static const size_t BYTES_OF_A_BIN = sizeof(bin_t) + sizeof(unsigned int), BESIDE_BINS = SORT_BYTES;
#else
static const size_t BYTES_OF_A_BIN = sizeof(hardware_t), BESIDE_BINS = 0; // in shared memory
#endif

#include "given/elsewhere.h" // are_few(); choose_elsewhere(), for bins that do not fit in shared memory

static struct plan choose(const struct machine *machine, size_t length, size_t num_bins)
{
    struct plan plan = {AS_THEY_ARE, 1, 1, 1, false, {0}};
    const size_t bytes = num_bins * BYTES_OF_A_BIN;
    if (are_few(machine, length, num_bins))
        return plan;
    plan.memory = IN_CACHE;
    // TODO(29.5): Shared memory, in as few passes as it takes, when there is one, or when they cost less
    //             than the bins elsewhere.
    // end of TODO(29.5)
    if (plan.memory == IN_SHARED && plan.passes == 1 && HAS_COPIES) {
        // TODO(29.6): As many copies as fit, when lanes that meet wait for each other; but no more than
        //             there are lanes, and so that clearing and joining them is no more work than half
        //             of the elements.
        // end of TODO(29.6)
        while (plan.copies & (plan.copies - 1)) // a power of two: then no two lanes have a bank
            plan.copies &= plan.copies - 1;
    }
    const size_t enough =
        OPERATION_IS(float_sum) && plan.copies == 1 ? INSPECTED_WITHOUT_COPIES : INSPECTED;
    plan.inspect = KEEPS_HOT_KEY && !IS_SORTED && length >= enough * machine->multiprocessors;
    if (plan.memory == IN_CACHE)
        choose_elsewhere(machine, length, num_bins, &plan);
    return plan;
}

/* The same for the suite: model.h. */
void model_choose(const struct model_card *card, size_t length, size_t num_bins,
                  struct model_choice *choice)
{
    const struct machine machine = {card->shared_bytes, card->cache_bytes, card->multiprocessors};
    const struct plan plan = choose(&machine, length, num_bins);
    *choice = (struct model_choice){plan.memory == IN_SHARED, plan.copies, plan.passes};
}

static unsigned int least(size_t one, size_t other)
{
    return (unsigned int)(one < other ? one : other);
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

static void reduce_part(const element_t *d_elements, size_t length, bin_t *d_bins, size_t num_bins)
{
    const struct machine machine = {device_has(cudaDevAttrMaxSharedMemoryPerBlockOptin) -
                                        BESIDE_BINS,
                                    device_has(cudaDevAttrL2CacheSize),
                                    (unsigned int)device_has(cudaDevAttrMultiProcessorCount)};
    const struct plan plan = choose(&machine, length, num_bins);
    const unsigned int sm = machine.multiprocessors;
    struct findings *found = NULL;
    if (plan.inspect) {
        CHECK(cudaMallocAsync(&found, sizeof *found, 0));
        inspect<<<1, THREADS>>>(d_elements, length, num_bins, plan.most_copies, found);
    }
    bool is_done = true;
    if (plan.memory == AS_THEY_ARE)
        combine_few_elements(d_elements, length, d_bins, num_bins);
    if (plan.memory == IN_SHARED || plan.memory == IN_BUCKETS)
        turn(d_bins, num_bins, true);
    if (plan.memory == IN_SHARED)
        reduce_in_shared_memory(d_elements, length, d_bins, num_bins, &plan, sm, found);
    if (plan.memory == IN_BUCKETS)
        is_done = reduce_in_buckets(d_elements, length, d_bins, &plan.dealing, machine.shared_bytes,
                                    found ? &found->hot_key : NULL);
    if (plan.memory == IN_SHARED || plan.memory == IN_BUCKETS)
        turn(d_bins, num_bins, false);
    if (plan.memory == IN_CACHE || !is_done)
        reduce_in_copies(d_elements, length, d_bins, num_bins, &plan, sm, found);
    CHECK(cudaGetLastError());
    if (found)
        CHECK(cudaFreeAsync(found, 0));
}

void reduce_by_index(const element_t *d_elements, size_t length, bin_t *d_bins, size_t num_bins)
{
    if (length > UINT32_MAX) {
        fprintf(stderr, "reduce_by_index: %zu elements; at most 4294967295 can be reduced\n",
                length);
        exit(1);
    }
#if OPERATION_IS(argmax)
    num_bins = least(num_bins, (size_t)1 << ELEMENT_KEY_BITS); // no element has another key
#endif
    const size_t most = (size_t)1 << 31; // so that no count passes 32 bits before it is cut
    for (size_t done = 0; num_bins > 0 && done < length; done += most)
        reduce_part(d_elements + done, least(length - done, most), d_bins, num_bins);
}
