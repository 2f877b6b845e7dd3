/* causes.c - the likeliest cause of a wrong result: what reduce() has besides those of all contracts, which are in
 * judge/causes.c. */
#include "contract.h"

#include <math.h>
#include <string.h>

#include "grouped.h"
#include "result.h"

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

/* Whether the result is about this number. What is added to large garbage is rounded at its size. */
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

static bool not_a_number_values(struct difference *d)
{
    return result_is_float(d->oracle->operation) && !float_sum_is_nan(&d->oracle->floats) &&
           isnan(number_of(d, d->held)) && because(d, "the result is a NaN, and no value is");
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

/* Sums of floats differ from schedule to schedule by rounding, or where both are wrong. That tells nothing. */
static bool schedules_matter_of_values(struct difference *d)
{
    const double any_order = result_bound(d->oracle, (double)d->oracle->length);
    const bool are_floats = d->again && result_is_float(d->oracle->operation);
    if (are_floats && !float_sum_is_exact(&d->oracle->floats) &&
        result_agrees(d->oracle, d->held, any_order) &&
        result_agrees(d->oracle, d->again, any_order))
        return false;
    if (are_floats && !result_agrees(d->oracle, d->again, d->bound) &&
        is_about(d, number_of(d, d->again), d->oracle->floats.magnitude))
        return false;
    return schedules_differ(d);
}

/* Whether some value is known not to be read. Then rounding is not why a result is off. */
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

/* A sum that wraps may be smaller though more values have come to it, so it tells nothing. */
static struct integers integers_of_values(const struct oracle *oracle)
{
    const bool is_integer =
        oracle->operation == MAX || (oracle->operation == SUM && oracle->sum <= UINT32_MAX);
    return (struct integers){is_integer ? (const unsigned char *)&oracle->number : NULL,
                             sizeof oracle->number, false};
}

static struct oracle *values_if(const struct input *input, const struct hypothesis *hypothesis)
{
    struct oracle *oracle = oracle_room(NULL, 1, sizeof *oracle);
    *oracle = result_if(input, hypothesis);
    return oracle;
}

static cause_of_output *const likely[] = {nothing_written,
                                          combined_into_garbage,
                                          not_a_number_values,
                                          neutral_only,
                                          schedules_matter_of_values,
                                          several_times,
                                          integers_as_floats,
                                          part_of_block_missing,
                                          block_missing,
                                          tail_dropped,
                                          float_stopped,
                                          more_or_less,
                                          NULL};

const struct causes causes_of_values = {likely, NULL, values_if, integers_of_values};
