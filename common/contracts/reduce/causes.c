/* causes.c - the likeliest cause of a wrong result.
 *
 * Each cause is a small function that looks for one pattern and writes a sentence when it fits; or a
 * hypothesis, values that are left out, with which the result would be what it is. They are tried from
 * the most to the least specific; the first that fits is printed. */
#include "contract.h"

#include <math.h>
#include <string.h>

#include "grouped.h"
#include "hypotheses.h"
#include "result.h"

enum { WARP = 32 };

/* Whether the result should be a number, and is one. */
static bool is_number(const struct difference *d)
{
    const struct oracle *oracle = d->oracle;
    return result_is_float(d->oracle->operation) && !oracle->floats.is_nan &&
           !oracle->floats.above && !oracle->floats.below &&
           isfinite(result_number(oracle->operation, d->held));
}

static double number_of(const struct difference *d, const unsigned char *held)
{
    return result_number(d->oracle->operation, held);
}

/* About as much as this: what is added to large garbage is rounded at its size. */
static bool is_about(const struct difference *d, double number, double size)
{
    return fabs(number_of(d, d->held) - number) <= d->bound + 64 * ldexp(fabs(size), -24);
}

static bool nothing_written(struct difference *d)
{
    if (memcmp(d->held, d->before, operation_bin_bytes(d->oracle->operation)) != 0)
        return false;
    if (d->right_before > 0 && d->input->length > 0) {
        return because(
            d,
            "*d_result holds what it held before, and %s before this one stored it: %swhat is kept "
            "from call to call, a ticket or a sum, does not begin at 0 again",
            d->right_before == 1 ? "the call" : "calls",
            d->blocks == 1 ? "no thread of a grid of 1 block does, or " : "");
    }
    return because(
        d, "%s",
        d->input->length == 0
            ? "*d_result holds what it held before: of 0 values it has to become neutral()"
        : d->oracle->operation == MAX
            ? "*d_result holds what it held before: nobody stores the result, or it is combined "
              "into what was there, which nobody made neutral"
            : "*d_result holds what it held before: no thread stores the result");
}

static bool combined_into_garbage(struct difference *d)
{
    bool fits = false;
    if (d->oracle->operation == SUM)
        fits = word_at(d->held, 0) - word_at(d->before, 0) == d->oracle->number;
    else if (is_number(d))
        fits =
            is_about(d, d->oracle->floats.sum + number_of(d, d->before), number_of(d, d->before));
    return fits && because(d, "the result was combined into what *d_result held before the call: "
                              "make it neutral first, before any block comes to it, or store it");
}

static bool not_a_number(struct difference *d)
{
    const bool should = float_sum_is_nan(&d->oracle->floats);
    return result_is_float(d->oracle->operation) && should != (bool)isnan(number_of(d, d->held)) &&
           because(d, "%s",
                   should ? "a NaN is lost: it was compared, or skipped, or what it is added to is "
                            "not combined into the result"
                          : "a NaN from nowhere: memory that nobody has written, or infinity minus "
                            "infinity on the way");
}

static bool infinity_lost(struct difference *d)
{
    const struct float_sum *floats = &d->oracle->floats;
    return result_is_float(d->oracle->operation) && floats->above != floats->below &&
           isfinite(number_of(d, d->held)) &&
           because(d, "an infinity is lost: no thread reads it, or what a thread has is not "
                      "combined into the result");
}

static bool neutral_only(struct difference *d)
{
    unsigned char neutral[16];
    operation_neutral(d->oracle->operation, neutral);
    if (result_is_float(d->oracle->operation) ? number_of(d, d->held) != 0
                                              : word_at(d->held, 0) != word_at(neutral, 0))
        return false;
    return because(
        d, "the result is neutral(): no value came to it, or it was made neutral after they had");
}

static bool schedules_differ(struct difference *d)
{
    if (!d->again || memcmp(d->held, d->again, operation_bin_bytes(d->oracle->operation)) == 0)
        return false;
    const double any_order = result_bound(d->oracle, (double)d->oracle->length);
    if (result_is_float(d->oracle->operation) && !float_sum_is_exact(&d->oracle->floats) &&
        result_agrees(d->oracle, d->held, any_order) &&
        result_agrees(d->oracle, d->again, any_order)) /* rounding may do that */
        return false;
    if (result_is_float(d->oracle->operation) && !result_agrees(d->oracle, d->again, d->bound) &&
        is_about(d, number_of(d, d->again), d->oracle->floats.magnitude)) /* they differ anyhow */
        return false;
    return nobody_knows(
        d, "another schedule gives another result, though no race was seen: who comes "
           "first decides. A ticket or a sum that the call before has left may do that, or "
           "a result that is taken before all blocks were there, or the last block's part that "
           "is missing or comes twice. We do not know which");
}

static bool came_times(const struct difference *d, uint64_t times)
{
    if (times < 2)
        return false;
    if (d->oracle->operation == SUM)
        return d->oracle->number != 0 && d->oracle->number * (uint32_t)times == word_at(d->held, 0);
    return is_number(d) && d->oracle->floats.sum != 0 &&
           fabs(number_of(d, d->held) - (double)times * d->oracle->floats.sum) <=
               (double)times * d->bound;
}

static bool several_times(struct difference *d)
{
    const uint64_t counts[] = {
        2, 3, 4, 8, 16, 32, d->threads_per_block / WARP, d->blocks, d->threads_per_block};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        if (!came_times(d, counts[i]))
            continue;
        return because(
            d, "everything came exactly %s times: %s", grouped(counts[i]),
            counts[i] == d->blocks ? "every block reads all values"
            : reads_of(d) == READ_ONCE
                ? "each value is read once, and several threads add what they all have, or one "
                  "adds "
                  "it again"
                : "values are read more than once, or several threads add what they all have");
    }
    return false;
}

/* What stands before the first value is 12345 (placed.c), or the largest number of all. */
static bool reads_before(struct difference *d)
{
    enum { ODD = 12345 };
    for (uint64_t i = 1; i <= d->input->misalignment; i++) {
        const bool fits = d->oracle->operation == SUM
                              ? word_at(d->held, 0) == d->oracle->number + i * ODD
                          : d->oracle->operation == MAX
                              ? word_at(d->held, 0) == UINT32_MAX
                              : is_number(d) && fabs(number_of(d, d->held) - d->oracle->floats.sum -
                                                     (double)(i * ODD)) <= d->bound;
        if (!fits)
            continue;
        return because(d, "values before the first came into the result: d_values was rounded down "
                          "to a multiple of 16 bytes");
    }
    return false;
}

bool holds_without(const struct difference *d, keeps_unit *keeps, uint64_t number)
{
    const struct hypothesis hypothesis = hypothesis_of(d, number);
    const struct oracle other = result_of_those(d->input, keeps, &hypothesis);
    return other.length < d->input->length && result_agrees(&other, d->held, d->bound);
}

/* In the first launch, or in each. */
static bool holds_in_blocks(const struct difference *d, keeps_unit *keeps)
{
    return holds_without(d, keeps, 1) || holds_without(d, keeps, 0);
}

static bool part_of_block_missing(struct difference *d)
{
    const uint64_t t = d->threads_per_block;
    const char *text = NULL;
    if (t == 0)
        return false;
    if (t % WARP != 0 && holds_in_blocks(d, keep_full_warps))
        text = "the lanes of warps that are not full are left out: a block is no multiple of 32 "
               "threads here";
    else if ((t & (t - 1)) != 0 && holds_in_blocks(d, keep_halves))
        text = "a tree drops an odd one: the threads of a block are no power of two, and half of "
               "them is rounded down";
    else if (t > WARP && holds_in_blocks(d, keep_warp_0))
        text = "only the first warp of each block counts: what the other warps have is not "
               "combined";
    else if (holds_in_blocks(d, keep_lane_0))
        text = "only one lane of each warp counts: what the others have is not combined";
    return text && because(d, "%s", text);
}

static bool compared_with_sign(struct difference *d)
{
    int32_t largest = INT32_MIN;
    if (d->oracle->operation != MAX)
        return false;
    for (size_t i = 0; i < d->input->length; i++) {
        const int32_t value = (int32_t)word_at(d->input->values, i);
        largest = value > largest ? value : largest;
    }
    if (d->input->length == 0 || word_at(d->held, 0) != (uint32_t)(largest > 0 ? largest : 0))
        return false;
    return because(d, "numbers from 2,147,483,648 on were taken for negative: an int in place of "
                      "an unsigned int");
}

/* Whether some value is known not to be read: then it is no rounding that a result is off by. */
static bool some_are_unread(const struct difference *d)
{
    const enum reads reads = reads_of(d);
    return reads == READ_UNEVENLY || reads == READ_NEVER;
}

static bool integers_as_floats(struct difference *d)
{
    const uint32_t current = word_at(d->held, 0), off = current - d->oracle->number;
    const uint32_t less = off > UINT32_MAX / 2 ? 0 - off : off;
    if (d->oracle->operation != SUM || d->oracle->number == 0 || some_are_unread(d))
        return false;
    if (current == UINT32_MAX)
        return because(
            d, "the sum stops at 4,294,967,295 where it has to wrap: it was kept in a float");
    if (current >= 1u << 24 && less < 1u << 20 && less <= current >> 4)
        return because(d,
                       "the sum is off by %s, a little: a float keeps 24 bits, and counts no "
                       "further than 16,777,216 in ones",
                       grouped(less));
    return false;
}

static bool float_stopped(struct difference *d)
{
    if (!is_number(d) || float_sum_is_exact(&d->oracle->floats) || some_are_unread(d))
        return false;
    const double off = fabs(number_of(d, d->held) - d->oracle->floats.sum);
    return off <= d->oracle->floats.magnitude / 64 &&
           nobody_knows(
               d,
               "the sum is off by %.3g, and rounding explains %.3g of that when each thread and "
               "each block has a part. Few values are missing or came twice, or all were added to "
               "one float, which from 2^24 on takes no more ones: we do not know which",
               off, d->bound);
}

/* Whether the sum of all values is larger than a word. Then a smaller one may be too much. */
static bool wraps(const struct difference *d)
{
    uint64_t sum = 0;
    if (d->oracle->operation != SUM)
        return false;
    for (size_t i = 0; i < d->input->length; i++)
        sum += word_at(d->input->values, i);
    return sum > UINT32_MAX;
}

/* Why values are missing, or came twice; why they are missing; and why too much came: as far as it is known how
 * often each was read. */
static const char *lost_or_twice(const struct difference *d)
{
    const enum reads reads = reads_of(d);
    if (reads == READ_ONCE)
        return "each is read once, and what a thread, a warp or a block has is not combined, or "
               "combined twice";
    return reads == READ_NEVER      ? "some are read by no thread"
           : reads == READ_UNEVENLY ? "some are read more than once, and others by no thread"
           : reads == READ_AGAIN    ? "some are read more than once"
                                    : "no thread reads them, or what a thread, a warp or a block "
                                      "has is not combined";
}

static const char *lost(const struct difference *d)
{
    const enum reads reads = reads_of(d);
    if (reads == READ_UNEVENLY || reads == READ_NEVER)
        return unread_words(reads);
    return reads == READS_UNKNOWN
               ? "no thread reads them, or what a thread, a warp or a block has is not combined"
               : "each is read, but what a thread, a warp or a block has is not combined";
}

static const char *came_twice(const struct difference *d)
{
    const enum reads reads = reads_of(d);
    if (reads == READ_AGAIN || reads == READ_UNEVENLY)
        return "values are read more than once (look at where a loop begins, and at its step)";
    return reads == READS_UNKNOWN || reads == READ_EVENLY
               ? "values are read twice or more, or from outside, or a part is combined that was "
                 "combined before"
               : "no value is read twice, but a part is combined that was combined before, or "
                 "something that is no value";
}

static bool more_or_less(struct difference *d)
{
    const char *same = d->again ? ", the same on another schedule" : "";
    const char *left = d->right_before > 0
                           ? ", or what a call before this one has left is taken for this one's"
                           : "";
    const bool less = d->oracle->operation == SUM   ? word_at(d->held, 0) < d->oracle->number
                      : d->oracle->operation == MAX ? word_at(d->held, 0) < d->oracle->number
                                                    : false;
    if (result_is_float(d->oracle->operation) || wraps(d))
        return because(d, "values are missing, or came twice%s: %s%s", same, lost_or_twice(d),
                       left);
    if (less)
        return because(d, "values are missing%s: %s", same, lost(d));
    return because(d, "too much came to the result%s: %s%s", same, came_twice(d), left);
}

cause_of_output *const likely_causes[] = {
    nothing_written,    combined_into_garbage, not_a_number,          infinity_lost,
    reads_before,       neutral_only,          schedules_differ,      several_times,
    compared_with_sign, integers_as_floats,    part_of_block_missing, block_missing,
    tail_dropped,       float_stopped,         more_or_less,          NULL};
