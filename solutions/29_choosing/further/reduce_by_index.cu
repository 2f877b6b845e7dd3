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
#include "given/sample_table.h"
#include "reduce_by_index.h"

enum {
    THREADS = 1024,
    LEAST_SAMPLE =
        256, // however few bins there are: else no key of one bin, or of a few, would be hot
    MOST_COPIES = 32
};
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
__host__ __device__ static float race_factor(float sample, float different, float num_bins)
{
    float least = different, most = num_bins; // k is between them
    for (int step = 0; step < 30; step++) {
        const float k = (least + most) / 2;
        // TODO(29.1): Which half is it in?
        if (k * -expm1f(-sample / k) < different)
            least = k;
        else
            most = k;
        // end of TODO(29.1)
    }
    float factor = 1;
    // TODO(29.2): From k to the race factor: num_bins keys, spread evenly over k bins.
    factor = num_bins / (most * -expm1f(-num_bins / most));
    // end of TODO(29.2)
    return factor;
}

/* How many copies of the bins there shall be in the cache. Keys that are spread evenly over the bins have
 * a race factor of 1 / (1 - 1/e) = 1.58, and one copy is enough for them. */
__host__ __device__ static unsigned int copies_in_cache(float factor, unsigned int most_copies)
{
    unsigned int copies = 1;
    // TODO(29.3): As many times more copies as there are fewer different keys, and 1 to most_copies.
    if (factor > 1.58f)
        copies = (unsigned int)(factor / 1.58f);
    if (copies > most_copies)
        copies = most_copies;
    // end of TODO(29.3)
    return copies;
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
        is_hot = hot_times >= 4 && hot_times >= sampled / 32;
        // end of TODO(29.4)
        const float others = (float)(sampled - (is_hot ? hot_times : 0));
        const float kinds = (float)(different - (is_hot ? 1 : 0));
        found->hot_key = is_hot ? (unsigned int)hottest : NO_KEY;
        const bool asked = most_copies > 1 && kinds > 0; // else one copy is all there may be
        found->race_factor = asked ? race_factor(others, kinds, (float)num_bins) : 1;
        found->copies = copies_in_cache(found->race_factor, most_copies);
    }
}

/* ---- The model. ---- */

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
    const size_t passes = (bytes + machine->shared_bytes - 1) / machine->shared_bytes;
    if (passes == 1 || (double)passes * A_PASS < ELSEWHERE) {
        plan.memory = IN_SHARED;
        plan.passes = (unsigned int)passes;
    }
    // end of TODO(29.5)
    if (plan.memory == IN_SHARED && plan.passes == 1 && HAS_COPIES) {
        // TODO(29.6): As many copies as fit, when lanes that meet wait for each other; but no more than
        //             there are lanes, and so that clearing and joining them is no more work than half
        //             of the elements.
        const size_t fit = machine->shared_bytes / bytes;
        const size_t work = length / (2 * num_bins * machine->multiprocessors);
        size_t copies = fit < work ? fit : work;
        copies = copies < MOST_COPIES ? copies : (size_t)MOST_COPIES;
        plan.copies = copies > 1 ? (unsigned int)copies : 1;
        // end of TODO(29.6)
        while (plan.copies & (plan.copies - 1)) // a power of two: then no two lanes have a bank
            plan.copies &= plan.copies - 1;
    }
    const size_t enough =
        OPERATION_IS(float_sum) && plan.copies == 1 ? INSPECTED_WITHOUT_COPIES : INSPECTED;
    plan.inspect = KEEPS_HOT_KEY && !IS_SORTED && length >= enough * machine->multiprocessors;
    if (length < 8 * SAMPLE && plan.memory == IN_SHARED)
        plan.inspect = false; // a sample of a few elements would cost as much as they do
    if (plan.memory == IN_CACHE)
        choose_elsewhere(machine, length, num_bins, &plan);
    return plan;
}

static unsigned int least(size_t one, size_t other)
{
    return (unsigned int)(one < other ? one : other);
}

#include "given/as_planned.h" // reduce_in_shared_memory(), reduce_in_buckets(), reduce_in_copies()

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
