/* parts.c - which of the units would have to be left out, or read several times, so that an output were what it is. */
#include <stdio.h>

#include "contract.h"
#include "grouped.h"

enum { WARP = 32 };

/* Whether a part of the threads of a block, or of as many units in a row, has this one. */
static bool has_part(enum part part, uint64_t thread, uint64_t threads)
{
    if (part == LANE_0)
        return thread % WARP == 0;
    if (part == WARP_0)
        return thread < WARP;
    if (part == FULL_WARPS)
        return thread < threads / WARP * WARP;
    for (uint64_t half = threads / 2; half > 0; half /= 2) {
        if (thread >= 2 * half)
            return false;
        thread %= half;
    }
    return thread == 0;
}

/* Whether unit i is kept by each launch that reduces what the one before has left, or by the first. */
static bool is_kept_by_launches(const struct hypothesis *h, size_t i)
{
    const uint64_t threads = h->threads > 1 ? h->threads : 2;
    for (uint64_t left = h->length; left > 1; left = (left + threads - 1) / threads) {
        if (!has_part(h->part, i % threads, threads))
            return false;
        if (h->number == 1)
            return true;
        i /= threads;
    }
    return true;
}

static uint64_t share_rounded_up(uint64_t length, uint64_t by)
{
    return by > 0 ? (length + by - 1) / by : length;
}

bool is_read(const struct hypothesis *h, size_t i)
{
    const uint64_t section = share_rounded_up(h->length, h->blocks * h->threads);
    switch (h->part) {
    case ALL_UNITS:
        return true;
    case FIRST_UNITS:
        return i < h->number;
    case LAST_UNITS:
        return i >= h->length - h->number;
    case EVERY_SECOND:
        return i % 2 == h->number;
    case BUT_BLOCK:
        return i / h->threads % h->blocks != h->number;
    case BUT_SECTION:
        return i / share_rounded_up(h->length, h->blocks) != h->number;
    case BUT_SECTIONS:
        return i / (section * h->threads) != h->number;
    case BUT_FIRST:
        return i % section != 0;
    case BUT_LAST:
        return i % section != section - 1 && i + 1 != h->length;
    default:
        return is_kept_by_launches(h, i);
    }
}

/* Whether a part explains the outputs, with either of two numbers. */
static bool holds_with(const struct difference *d, enum part part, uint64_t one, uint64_t other)
{
    return holds_if(d, (struct hypothesis){.part = part, .number = one}) ||
           holds_if(d, (struct hypothesis){.part = part, .number = other});
}

bool part_of_block_missing(struct difference *d)
{
    const uint64_t t = d->threads_per_block;
    return (t % WARP != 0 && holds_with(d, FULL_WARPS, 1, 0) &&
            because(d, "the lanes of warps that are not full are left out: a block is no multiple "
                       "of 32 threads here")) ||
           ((t & (t - 1)) != 0 && holds_with(d, HALVES, 1, 0) &&
            because(d, "a tree drops an odd one: the threads of a block are no power of two, and "
                       "half of them is rounded down")) ||
           (t > WARP && holds_with(d, WARP_0, 1, 0) &&
            because(d, "only the first warp of each block counts: what the other warps have is not "
                       "combined")) ||
           (t > 1 && holds_with(d, LANE_0, 1, 0) &&
            because(d, "only one lane of each warp counts: what the others have is not combined"));
}

/* Whether all but the last block's units, which lie in a row, are one for each thread of the grid. */
static bool is_one_a_thread(const struct difference *d, const struct hypothesis *h)
{
    const uint64_t threads = d->blocks * d->threads_per_block;
    const struct hypothesis here = {h->part,   h->number,           0, 0, d->input->length,
                                    d->blocks, d->threads_per_block};
    return h->part != BUT_BLOCK && h->number > 0 && is_read(&here, threads - 1) &&
           !is_read(&here, threads);
}

bool block_missing(struct difference *d)
{
    const uint64_t last = d->blocks - 1;
    /* With less than a unit a thread, a share and the end of the input look the same. */
    if (d->blocks < 2 || d->threads_per_block == 0 ||
        d->input->length < d->blocks * d->threads_per_block)
        return false;
    for (enum part part = BUT_BLOCK; part <= BUT_SECTIONS; part++)
        for (uint64_t block = 0; block <= last; block += last) {
            const struct hypothesis without = {.part = part, .number = block};
            if (!is_one_a_thread(d, &without) && holds_if(d, without))
                return because(d,
                               "exactly what block %s%s read is missing: what it has never comes "
                               "to the {output}",
                               grouped(block), block > 0 ? ", the last block," : "");
        }
    return false;
}

bool sections_cut(struct difference *d)
{
    const bool has_sections = d->blocks > 0 && d->input->length > d->blocks * d->threads_per_block;
    return (has_sections && holds_if(d, (struct hypothesis){.part = BUT_LAST}) &&
            because(d, "exactly the last {unit} of each thread's section is missing: a bound is "
                       "one too small")) ||
           (has_sections && holds_if(d, (struct hypothesis){.part = BUT_FIRST}) &&
            because(d, "exactly the first {unit} of each thread's section is missing: a section "
                       "starts one too late")) ||
           (holds_with(d, EVERY_SECOND, 0, 1) &&
            because(d, "only every second {unit} came to the {output}: a loop goes on by too many, "
                       "or not all that one load brings are {done}"));
}

static bool says_first(struct difference *d, uint64_t first, const char *why)
{
    const uint64_t left = d->input->length - first;
    if (first == 0 || first >= d->input->length ||
        !holds_if(d, (struct hypothesis){.part = FIRST_UNITS, .number = first}))
        return false;
    if (left == 1)
        return because(d, "one {unit} is missing, the last one or one like it%s", why);
    return because(d, "only the first %s {units} came to the {output}: the last %s are dropped%s",
                   grouped(first), grouped(left), why);
}

/* Whether each unit is known to be read: then none is dropped by a bound that was rounded. */
static bool all_are_read(const struct difference *d)
{
    const enum reads reads = reads_of(d);
    return reads == READ_ONCE || reads == READ_EVENLY || reads == READ_AGAIN;
}

/* Whether the outputs are those of so many of the first units, at a number where a loop, or a launch, is likely to
 * end. */
static bool ends_at_a_known_place(struct difference *d)
{
    const uint64_t t = d->threads_per_block, threads = d->blocks * t, length = d->input->length;
    const uint64_t divisors[] = {2, 4, 8, 16, 32, 64, 128, 256, t, 4 * t, threads, 4 * threads};
    const bool takes_one = !d->seen || d->seen->most_by_thread <= 1;
    if (says_first(d, t, ". Only the first block counts") ||
        says_first(d, threads,
                   takes_one ? ", since each thread of the grid takes one: there are too few "
                               "threads (a division that rounds down), or each has to take more "
                               "(the step of its loop)"
                             : ", as many as the grid has threads (look at the step of a loop)") ||
        says_first(d, t > 0 ? share_rounded_up(length, t) : 0,
                   ", as many as a launch has blocks: the next one has to take their results") ||
        says_first(d, length - 1, ": a bound that is too small"))
        return true;
    for (size_t i = 0; i < sizeof divisors / sizeof *divisors && !all_are_read(d); i++) {
        char why[120];
        snprintf(why, sizeof why, ", a number that is no multiple of %s is rounded down",
                 grouped(divisors[i]));
        if (divisors[i] > 1 && says_first(d, length - length % divisors[i], why))
            return true;
    }
    return false;
}

/* What comes to all outputs of so many of the first units, or of the last ones. */
static uint64_t sum_of_part(const struct difference *d, enum part part, uint64_t number)
{
    const struct hypothesis h = {.part = part, .number = number, .length = d->input->length};
    struct oracle *other = d->input->contract->causes->oracle_if(d->input, &h);
    struct difference by = *d;
    by.oracle = other;
    const uint64_t sum = tally_of(&by).should;
    contract_forget(other);
    return sum;
}

/* The fewest of the first units, or the last ones, that bring as much as came when each comes so many times; 0 where
 * they do not explain the outputs, or any others would: one output alone tells nothing. */
static uint64_t units_that_came(const struct difference *d, enum part part, uint64_t times)
{
    const struct tally tally = tally_of(d);
    uint64_t from = 0, to = d->input->length;
    if (!tally.of.right || tally.outputs < 2 || times == 0 || tally.came == 0 ||
        tally.came % times > 0 || tally.came / times > tally.should)
        return 0;
    while (from < to) {
        const uint64_t half = (from + to) / 2;
        if (sum_of_part(d, part, half) < tally.came / times)
            from = half + 1;
        else
            to = half;
    }
    return holds_if(d, (struct hypothesis){.part = part, .number = from, .times = times}) ? from
                                                                                          : 0;
}

bool tail_dropped(struct difference *d)
{
    if (ends_at_a_known_place(d) ||
        says_first(d, units_that_came(d, FIRST_UNITS, 1),
                   " (a division that rounds down, a bound that is too small, or a loop that ends "
                   "at what comes there)"))
        return true;
    const uint64_t last = units_that_came(d, LAST_UNITS, 1), length = d->input->length;
    return last > 0 && (last + 1 < length || !all_are_read(d)) &&
           because(d,
                   "all that is missing lies among the first %s {units}: nobody takes the "
                   "beginning",
                   grouped(length - last));
}

/* Whether each block, or each thread of one, reads where the others do. */
bool beginning_again(struct difference *d)
{
    const uint64_t times[] = {d->blocks, d->threads_per_block};
    const char *const of[] = {"the block", "the thread in its block"};
    for (int i = 0; i < 2; i++) {
        const uint64_t first = times[i] > 1 ? units_that_came(d, FIRST_UNITS, times[i]) : 0;
        if (first > 0)
            return because(d,
                           "the first %s {units} are {done} %s times, and the others never: the "
                           "number of %s is missing where an index begins",
                           grouped(first), grouped(times[i]), of[i]);
    }
    return false;
}
