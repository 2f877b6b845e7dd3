/* causes.c - the likeliest cause of a wrong bin: patterns from the most to the least specific, of which the first
 * that fits is printed. */
#include "contract.h"

#include <math.h>

#include "exact_bins.h"
#include "grouped.h"

static bool wrong_slope(struct difference *d)
{
    return d->wrong > 0 && d->first >= d->oracle->bins &&
           because(
               d, "the bins are right, so it is what is gathered from them: the derivatives of the "
                  "weights along x, the weights along y, and the same 16 bins as for the pair");
}

/* Whether the bins are those of a rule, or hold as many pairs together as the rule counts, if that is another number. */
static bool follows(const struct difference *d, enum rule rule)
{
    struct oracle *other = joint_by(d->input, rule);
    if (d->wrong > 0 && other->counted == d->oracle->counted)
        return holds_by(d, other);
    const bool fits = bins_total_fits(other, d->held);
    contract_forget(other);
    return fits;
}

static bool by_another_rule(struct difference *d)
{
    static const char *const says[RULES] = {
        [TRUNCATES] = "pairs with a coordinate from -1 to 0 are counted: (int)x is 0 there, and "
                      "floor(x) is -1",
        [EDGE_TOO_EARLY] = "pairs beyond x_bins - 4 are not counted: floor(x) may be x_bins - 4, "
                           "and x almost x_bins - 3",
        [SIDES_SWAPPED] =
            "i and j have changed places: the weights of x belong to bins side by side, "
            "those of y to bins x_bins apart",
        [TRANSPOSED] =
            "the bins lie column by column: bin [y][x] is number y * x_bins + x, and not "
            "x * y_bins + y",
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
    const double held = float_at(d->held, d->first), missing = d->oracle->right[d->first] - held;
    const double bound = d->oracle->bound[d->first] + ldexp(fabs(held), -24); /* rounded */
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

static bool other_parts(struct difference *d)
{
    if (!bins_total_fits(d->oracle, d->held))
        return false;
    return because(d,
                   "the bins together are right, but some parts lie in other bins, or have other "
                   "weights: look at floor(x), at t = x - floor(x), and at the four polynomials");
}

static bool other_total(struct difference *d)
{
    const double counted = (double)d->oracle->counted, total = bins_total(d->oracle, d->held);
    const double off = fabs(total - counted);
    return because(d, "the bins together hold %.9g, and %s pairs are counted: %s", total,
                   grouped(d->oracle->counted),
                   off < counted * ldexp(1, -10) && off < 0.5
                       ? "the 16 parts of a pair do not add up to 1, or floats are added as they "
                         "come; rounded whole parts need a remainder, which the largest one takes"
                   : total < counted
                       ? "some are lost, or have other coordinates than theirs"
                       : "some are added twice, or should not be counted: is a NaN left out, and "
                         "what lies behind the last pair?");
}

static cause_of_output *const likely[] = {
    output_is_as_before, wrong_slope, has_wrapped, by_another_rule, other_parts, other_total, NULL};

const struct causes causes_of_joint = {likely, NULL, NULL, NULL};
