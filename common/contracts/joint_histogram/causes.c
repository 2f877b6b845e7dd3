/* causes.c - the likeliest cause of a wrong bin: patterns from the most to the least specific, of which the first
 * that fits is printed. */
#include "contract.h"

#include <math.h>

#include "exact_bins.h"
#include "float_sum.h"
#include "grouped.h"

static double held_at(const struct difference *d, size_t bin)
{
    return float_at(d->held, bin);
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

static bool wrong_slope(struct difference *d)
{
    return d->wrong > 0 && d->first >= d->oracle->bins &&
           because(
               d, "the bins are right, so it is what is gathered from them: the derivatives of the "
                  "weights along x, the weights along y, and the same 16 bins as for the pair");
}

static bool added_to_before(struct difference *d)
{
    if (d->wrong == 0 || !d->before)
        return false;
    for (size_t bin = 0; bin < d->oracle->bins; bin++) {
        const double before = float_at(d->before, bin);
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

/* Whether the bins are those of a rule, or at least as many pairs as it counts, and no others. */
static bool follows(const struct difference *d, enum rule rule)
{
    size_t first;
    struct oracle *other = bins_by(d->input, rule);
    const bool fits =
        other->counted != d->oracle->counted
            ? bins_total_fits(other, bins_total(other, d->held))
            : d->wrong > 0 && wrong_outputs(other, d->held, other->outputs, &first) == 0;
    contract_forget(other);
    return fits;
}

static bool by_another_rule(struct difference *d)
{
    static const char nearest[] = "the first of the four bins is floor(x), not the nearest whole "
                                  "number: a coordinate in the upper half of a bin goes one bin "
                                  "too far";
    static const char *const says[RULES] = {
        [TRUNCATES] = "pairs with a coordinate from -1 to 0 are counted: (int)x is 0 there, and "
                      "floor(x) is -1",
        [ROUNDS] = nearest,
        [NEAREST] = nearest,
        [EDGE_TOO_EARLY] = "pairs beyond x_bins - 4 are not counted: floor(x) may be x_bins - 4, "
                           "and x almost x_bins - 3",
        [SIDES_SWAPPED] =
            "i and j have changed places: the weights of x belong to bins side by side, "
            "those of y to bins x_bins apart",
        [ONE_BIN] = "each pair goes to one bin: it has to be spread over 4 x 4",
        [MIRRORED] = "the weights are in the opposite order: t is x - floor(x), not 1 less that",
    };
    bool fits = false;
    for (enum rule rule = RIGHT + 1; !fits && rule < RULES; rule++)
        fits = follows(d, rule) && because(d, "%s", says[rule]);
    return fits;
}

/* The bin lies a multiple of 2^(32 - k) too low or too high, for some k. */
static bool has_wrapped(struct difference *d)
{
    if (d->wrong == 0)
        return false;
    const double held = held_at(d, d->first), missing = d->oracle->sums[d->first] - held;
    const double bound = bins_bound(d->oracle, d->first) + ldexp(fabs(held), -24); /* rounded */
    for (int power = 16; power >= 8; power--) {
        const double times = round(ldexp(missing, -power));
        if (times != 0 && fabs(missing - ldexp(times, power)) <= bound && bound < ldexp(1, power))
            return because(
                d, "the bin is too %s by %s: %s", times > 0 ? "low" : "high",
                grouped((unsigned long long)ldexp(fabs(times), power)),
                times > 0 ? "a sum of 32 bits has wrapped, as too many pairs met in it before it "
                            "was committed to 64 bits"
                          : "a part below 0 is almost 2^32; the remainder may be negative, so the "
                            "largest part has to take it");
    }
    return false;
}

/* Whether all bins are whole multiples of 2^(1 - k), where the contract promises parts of 2^-k. */
static bool has_fewer_bits(const struct difference *d)
{
    const double coarse = d->oracle->unit / 4; /* the unit is 8 x 2^-k */
    bool all = true;
    for (size_t bin = 0; bin < d->oracle->bins; bin++)
        all &= fmod(held_at(d, bin), coarse) == 0;
    return all;
}

static bool other_parts(struct difference *d)
{
    if (!bins_total_fits(d->oracle, bins_total(d->oracle, d->held)))
        return false;
    const double off = fabs(held_at(d, d->first) - d->oracle->sums[d->first]);
    if (has_fewer_bits(d))
        return because(
            d,
            "the bin is off by %.3g, and by %.3g it may be: a pair has fewer bits than the "
            "contract promises for so many pairs",
            off, bins_bound(d->oracle, d->first));
    return because(d,
                   "the bins together are right, but some parts lie in other bins, or have other "
                   "weights: look at floor(x), at t = x - floor(x), and at the four polynomials");
}

/* How many times what they should be all bins are that are right to a thousandth of that; 0 where they differ. */
static double times_of_all(const struct difference *d)
{
    const double total = bins_total(d->oracle, d->held), times = total / (double)d->oracle->counted;
    size_t bins = 0;
    for (size_t bin = 0; bin < d->oracle->bins; bin++) {
        const double should = d->oracle->sums[bin];
        if (should < 1)
            continue;
        if (fabs(held_at(d, bin) - times * should) > times * should / 1000)
            return 0;
        bins++;
    }
    return bins >= 4 ? times : 0;
}

static bool other_scale(struct difference *d)
{
    const double times = times_of_all(d);
    return times > 0 && fabs(times - 1) > 0.001 &&
           because(d,
                   "each bin is %.4g times what it should be: parts of 2^-bits have to be taken "
                   "back by the same bits, and each pair comes once",
                   times);
}

static bool other_total(struct difference *d)
{
    const double counted = (double)d->oracle->counted, total = bins_total(d->oracle, d->held);
    if (fabs(total - counted) < counted * ldexp(1, -10) && fabs(total - counted) < 0.5)
        return because(
            d, "the 16 parts of a pair do not add up to 1, or floats are added as they come: "
               "rounded whole parts need a remainder, which the largest one takes");
    return because(d, "the bins together hold %.9g, and %s pairs are counted: some %s", total,
                   grouped(d->oracle->counted),
                   total < counted
                       ? "are lost, or have other coordinates than theirs"
                       : "are added twice, or should not be counted: is a NaN left out, and "
                         "what lies behind the last pair?");
}

cause_of_output *const likely_causes[] = {
    nothing_written, not_finite,  wrong_slope, added_to_before, has_wrapped,
    by_another_rule, other_parts, other_scale, other_total,     NULL};
