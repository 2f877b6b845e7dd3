/* elsewhere.h - the part of chapter 29's model that is given: when the elements are too few for any plan, and
 * where bins are updated that do not fit in shared memory; and what is planned.
 *
 * Whoever includes it has defined, before that, what the operation is, IS_COUNTED, IS_MAXIMUM, IS_SORTED and
 * KEEPS_HOT_KEY; how many elements are few, and how many bins are many; MOST_COPIES; and BESIDE_BINS, the bytes of a
 * block's shared memory that bins do not get. */
#ifndef ELSEWHERE_H
#define ELSEWHERE_H

#include <stddef.h>

#include "few_elements.h"
#include "many_buckets.h"
#include "operation.h"

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

/* Whether there is nothing to gain: the elements are few, or copies of the bins have more bins than there are
 * elements, or to read the bins takes longer. */
static bool are_few(const struct machine *machine, size_t length, size_t num_bins)
{
    const size_t sums = KEEPS_HOT_KEY && !IS_SORTED ? (size_t)ONE_A_THREAD : 0;
    const size_t maxima = IS_MAXIMUM && length < 4 * num_bins ? (size_t)FEW_MAXIMA : 0;
    return length <= VERY_FEW || length < maxima * machine->multiprocessors ||
           length < sums * machine->multiprocessors ||
           (double)length * MANY_BINS < (double)num_bins ||
           (length < num_bins && length < FEW * machine->multiprocessors);
}

/* Whether they are so few that buckets, or copies, would take longer than the bins as they are. */
static bool are_short(const struct machine *machine, size_t length, size_t num_bins)
{
    const bool fit = !IS_SORTED && num_bins * sizeof(bin_t) <= machine->cache_bytes / 2;
    const size_t least = FEW * machine->multiprocessors,
                 most = (fit ? SHORT_IN_CACHE : SHORT) * machine->multiprocessors;
    return length >= least && length < most;
}

/* The plan for bins that are too many for shared memory: where they are, if that is short; in buckets, if there are
 * enough; or in the cache, where a sample decides on copies. */
static void choose_elsewhere(const struct machine *machine, size_t length, size_t num_bins,
                             struct plan *plan)
{
    if (are_short(machine, length, num_bins)) {
        plan->memory = AS_THEY_ARE;
        return;
    }
    plan->dealing =
        dealing_of(length, num_bins, machine->shared_bytes + BESIDE_BINS, machine->multiprocessors);
    const bool are_many = length >= FEW * machine->multiprocessors;
    // Floats wait for each other in shared memory, and less in the cache while it has room for copies.
    const size_t fit = machine->cache_bytes * 2 / 5 / (num_bins * sizeof(bin_t));
    const bool takes_copies = OPERATION_IS(float_sum) && fit >= 8;
    if (are_many && !takes_copies && plan->dealing.buckets > 0)
        plan->memory = IN_BUCKETS;
    else if (are_many && IS_SORTED)
        plan->memory = AS_THEY_ARE; // a warp joins some; in copies each element would round the sum
    plan->inspect = KEEPS_HOT_KEY && plan->memory != AS_THEY_ARE;
    if (plan->inspect && plan->memory == IN_CACHE)
        plan->most_copies = fit < 1             ? 1
                            : fit < MOST_COPIES ? (unsigned int)fit
                                                : (unsigned int)MOST_COPIES;
}

#endif
