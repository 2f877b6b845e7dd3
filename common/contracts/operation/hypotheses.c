/* hypotheses.c - which units would have to be left out, so that an output were what it is. In most kernels
 * thread t of a block gets the units whose index has the rest t. */
#include "hypotheses.h"

#include <stdio.h>

#include "grouped.h"

enum { WARP = 32 };

struct hypothesis hypothesis_of(const struct difference *d, uint64_t number)
{
    return (struct hypothesis){.length = d->input->length,
                               .blocks = d->blocks,
                               .threads = d->threads_per_block,
                               .number = number};
}

bool keep_prefix(size_t i, const void *context)
{
    const struct hypothesis *hypothesis = context;
    return i < hypothesis->number;
}

bool keep_but_block(size_t i, const void *context)
{
    const struct hypothesis *hypothesis = context;
    return i / hypothesis->threads % hypothesis->blocks != hypothesis->number;
}

bool keep_but_section(size_t i, const void *context)
{
    const struct hypothesis *hypothesis = context;
    const uint64_t section = (hypothesis->length + hypothesis->blocks - 1) / hypothesis->blocks;
    return i / section != hypothesis->number;
}

/* Whether each launch keeps it that reduces the results of the one before, with number 0; or only the
 * first, with number 1. */
static bool every_launch(size_t i, const struct hypothesis *hypothesis,
                         bool (*keeps)(uint64_t thread, uint64_t threads))
{
    bool kept = true;
    const uint64_t threads = hypothesis->threads > 1 ? hypothesis->threads : 2;
    for (uint64_t left = hypothesis->length; left > 1; left = (left + threads - 1) / threads) {
        kept = kept && keeps(i % threads, threads);
        i /= threads;
        if (hypothesis->number == 1)
            break;
    }
    return kept;
}

static bool is_lane_0(uint64_t thread, uint64_t threads)
{
    (void)threads;
    return thread % WARP == 0;
}

static bool is_in_warp_0(uint64_t thread, uint64_t threads)
{
    (void)threads;
    return thread < WARP;
}

static bool is_in_full_warp(uint64_t thread, uint64_t threads)
{
    return thread < threads / WARP * WARP;
}

static bool is_in_halves(uint64_t thread, uint64_t threads)
{
    for (uint64_t half = threads / 2; half > 0; half /= 2) {
        if (thread >= 2 * half)
            return false;
        thread %= half;
    }
    return thread == 0;
}

bool keep_lane_0(size_t i, const void *context)
{
    return every_launch(i, context, is_lane_0);
}

bool keep_warp_0(size_t i, const void *context)
{
    return every_launch(i, context, is_in_warp_0);
}

bool keep_full_warps(size_t i, const void *context)
{
    return every_launch(i, context, is_in_full_warp);
}

bool keep_halves(size_t i, const void *context)
{
    return every_launch(i, context, is_in_halves);
}

bool block_missing(struct difference *d)
{
    if (d->blocks < 2 || d->threads_per_block == 0 || d->input->length < d->blocks)
        return false;
    for (int i = 0; i < 4; i++) {
        const uint64_t block = i % 2 ? d->blocks - 1 : 0;
        if (!holds_without(d, i < 2 ? keep_but_block : keep_but_section, block))
            continue;
        return because(d,
                       "exactly what block %s%s read is missing: what it has is never combined "
                       "with the others",
                       grouped(block), i % 2 ? ", the last block," : "");
    }
    return false;
}

static bool says_first(struct difference *d, uint64_t first, const char *why)
{
    return first != 0 && first < d->input->length && holds_without(d, keep_prefix, first) &&
           because(d, "only the first %s %s came to the %s: the last %s are dropped%s",
                   grouped(first), contract.words.units, contract.words.output,
                   grouped(d->input->length - first), why);
}

/* Whether no thread is known to have read more than one unit. */
static bool takes_one(const struct difference *d)
{
    return !d->seen || d->seen->most_by_thread <= 1;
}

/* Whether each unit is known to be read: then none is dropped by a bound that was rounded. */
static bool all_are_read(const struct difference *d)
{
    const enum reads reads = reads_of(d);
    return reads == READ_ONCE || reads == READ_EVENLY || reads == READ_AGAIN;
}

bool tail_dropped(struct difference *d)
{
    const uint64_t t = d->threads_per_block, threads = d->blocks * t, length = d->input->length;
    const uint64_t divisors[] = {2, 4, 8, 16, 32, 64, 128, 256, t, 4 * t, threads, 4 * threads};
    if (says_first(d, t, ". Only the first block counts") ||
        (takes_one(d) && says_first(d, threads, ": each thread of the grid takes one, and goes")) ||
        says_first(d, threads, ", as many as the grid has threads (look at the step of a loop)") ||
        says_first(d, t * t, ": two launches of this block reach no further") ||
        says_first(d, t > 0 ? (length + t - 1) / t : 0,
                   ", as many as a launch has blocks: the next one has to take their results") ||
        says_first(d, length - 1, ", a bound that is too small"))
        return true;
    for (size_t i = 0; i < sizeof divisors / sizeof *divisors && !all_are_read(d); i++) {
        char why[120];
        if (divisors[i] < 2 || length % divisors[i] == 0)
            continue;
        snprintf(why, sizeof why, ", a number that is no multiple of %s is rounded down",
                 grouped(divisors[i]));
        if (says_first(d, length - length % divisors[i], why))
            return true;
    }
    return false;
}
