/* causes.c - the likeliest cause of a wrong bin: patterns from the most to the least specific, of which the first
 * that fits is printed. */
#include "contract.h"

#include <math.h>

#include "exact_bins.h"
#include "float_sum.h"
#include "grouped.h"

static double held_at(const struct difference *d, size_t bin)
{
    return (double)float_at(d->held + bin * sizeof(float));
}

static bool nothing_written(struct difference *d)
{
    const size_t at = d->wrong > 0 ? d->first * sizeof(float) : 0;
    if (d->wrong == 0 || !d->before || memcmp(d->held + at, d->before + at, sizeof(float)) != 0)
        return false;
    return because(d, "the bin holds what it held before the call: %s",
                   d->input->length == 0 ? "without pairs nobody sets it to 0"
                                         : "no thread stores it");
}

static bool added_to_before(struct difference *d)
{
    if (d->wrong == 0 || !d->before)
        return false;
    for (size_t bin = 0; bin < d->oracle->bins; bin++) {
        const double before = (double)float_at(d->before + bin * sizeof(float));
        if (fabs(held_at(d, bin) - before - d->oracle->sums[bin]) >
            bins_bound(d->oracle, bin) + ldexp(fabs(held_at(d, bin)), -22))
            return false;
    }
    return because(d, "the sums are added to what d_bins held before: a bin has to be set");
}

static bool not_finite(struct difference *d)
{
    return d->wrong > 0 && !isfinite(held_at(d, d->first)) &&
           because(d, "a NaN or an infinity was added: compare so that a NaN is not counted");
}

static bool by_another_rule(struct difference *d)
{
    static const char *const says[RULES] = {
        [TRUNCATES] = "pairs with a coordinate from -1 to 0 are counted: (int)x is 0 there, and "
                      "floor(x) is -1",
        [ROUNDS] = "the first of the four bins is floor(x), not the nearest whole number: a "
                   "coordinate in the upper half of a bin goes one bin too far",
        [EDGE_TOO_EARLY] = "pairs beyond x_bins - 4 are not counted: floor(x) may be x_bins - 4, "
                           "and x almost x_bins - 3",
        [SIDES_SWAPPED] = "x and y have changed places: a row has x_bins bins, and the bin is "
                          "[y * x_bins + x]",
        [ONE_BIN] = "each pair goes to one bin: it has to be spread over 4 x 4",
        [MIRRORED] = "the weights are in the opposite order: t is x - floor(x), not 1 less that",
    };
    bool fits = false;
    size_t first;
    for (enum rule rule = RIGHT + 1; d->wrong > 0 && !fits && rule < RULES; rule++) {
        struct oracle *other = bins_by(d->input, rule);
        fits = bins_wrong(other, d->held, &first) == 0 && because(d, "%s", says[rule]);
        bins_free(other);
    }
    return fits;
}

/* The bin lies a multiple of 2^(32 - k) too low, for some k. */
static bool has_wrapped(struct difference *d)
{
    if (d->wrong == 0)
        return false;
    const double bound = bins_bound(d->oracle, d->first);
    const double missing = d->oracle->sums[d->first] - held_at(d, d->first);
    for (int power = 16; power >= 8; power--) {
        const double times = round(ldexp(missing, -power));
        if (times >= 1 && fabs(missing - ldexp(times, power)) <= bound && bound < ldexp(1, power))
            return because(d,
                           "the bin is %.0f times %.0f too low: a sum of 32 bits has wrapped, as "
                           "too many pairs met in it before it was committed to 64 bits",
                           times, ldexp(1, power));
    }
    return false;
}

static bool other_total(struct difference *d)
{
    const double counted = (double)d->oracle->counted, total = bins_total(d->oracle, d->held);
    if (bins_total_fits(d->oracle, total))
        return because(d, "the bins together are right, but some lie in others, or have other "
                          "weights: look at floor(x), at t = x - floor(x), and at the four "
                          "polynomials");
    if (fabs(total - counted) < counted * ldexp(1, -10) && fabs(total - counted) < 0.5)
        return because(d, "the 16 parts of a pair do not add up to 1: rounded parts need a "
                          "remainder, which the largest one takes");
    return because(d, "the bins together hold %.9g, and %s pairs are counted: %s", total,
                   grouped(d->oracle->counted),
                   total < counted ? "some are lost" : "some are added twice, or should not be");
}

cause_of_output *const likely_causes[] = {
    nothing_written, not_finite, added_to_before, has_wrapped, by_another_rule, other_total, NULL};
