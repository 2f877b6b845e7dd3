/* causes.c - the likeliest cause of a wrong label, count or centroid: patterns from the most to the least
 * specific, of which the first that fits is printed. */
#include "contract.h"

#include <math.h>

#include "float_sum.h"
#include "exact_steps.h"

static bool is_first(const struct difference *d, enum role role)
{
    return oracle_word(d->oracle, d->first).role == role;
}

static double centroid_of(const struct difference *d)
{
    return float_at(d->held, d->first);
}

static bool left_out(struct difference *d)
{
    return oracle_word(d->oracle, d->first).is_left_out &&
           because(d, "a pointer is NULL, and a kernel has written there all the same");
}

static bool nothing_written(struct difference *d)
{
    const struct word word = oracle_word(d->oracle, d->first);
    if (word.role == CENTROID_WORD ||
        word_at(d->held, d->first) != d->oracle->held_before[d->first])
        return false;
    return because(d, "it holds what it held before the call: %s",
                   d->oracle->at.points == 0 ? "without points nobody sets it"
                   : d->oracle->steps == 0   ? "without a step nobody sets it"
                                             : "no thread stores it");
}

static bool without_cluster(struct difference *d)
{
    const struct word word = oracle_word(d->oracle, d->first);
    return word.role == LABEL_WORD && d->oracle->labels[word.number] == UINT32_MAX &&
           because(d, "its distance to each centroid is NaN or infinite, so it has no cluster: "
                      "compare with "
                      "<, which is false for a NaN, and begin with infinity and NO_CLUSTER");
}

/* Whether two distances differ by no more than |c|^2 - 2pc in floats loses, where two large numbers cancel. */
static bool may_cancel(const struct oracle *oracle, double one, double other)
{
    const double square = oracle->largest * oracle->largest;
    return fabs(one - other) <= (double)oracle->at.dimensions * ldexp(square, -21);
}

static bool other_steps(struct difference *d)
{
    const struct oracle *oracle = d->oracle;
    const uint32_t steps = word_at(d->held, oracle->at.steps);
    if (oracle->asked_steps < 2 || !oracle->is_sure || is_first(d, COUNT_WORD))
        return false;
    if (!(oracle->left_out & NO_STEPS) && steps != oracle->steps)
        return because(d,
                       "%u steps in place of %u: they end after `steps`, or after one in which at "
                       "most may_change labels have changed",
                       steps, (uint32_t)oracle->steps);
    return because(
        d,
        "right in one step, and not after %u: a step begins with sums, counts or a number of "
        "changes of an earlier step, or reads centroids of the next one",
        (uint32_t)oracle->steps);
}

static bool wrong_label(struct difference *d)
{
    const struct word word = oracle_word(d->oracle, d->first);
    const size_t dimensions = d->oracle->at.dimensions;
    const uint32_t is = word_at(d->held, d->first), right = d->oracle->labels[word.number];
    if (word.role != LABEL_WORD || is >= d->oracle->at.clusters || right == UINT32_MAX)
        return false;
    const double held =
        oracle_distance(d->oracle, word.number, d->oracle->before + is * dimensions);
    const double least =
        oracle_distance(d->oracle, word.number, d->oracle->before + right * dimensions);
    if (held == least)
        return because(d, "two centroids are as near, and the smaller number has to win");
    if (may_cancel(d->oracle, held, least))
        return because(d, "another centroid is nearer, by less than |c|^2 - 2pc in floats can tell "
                          "so far from the "
                          "origin, where two large numbers cancel: add up (p - c)^2");
    return because(d,
                   "another centroid is nearer: number %u, at %.6g, and not %u, at %.6g; is each "
                   "one looked at, "
                   "and is it that of before the step?",
                   right, sqrt(least), is, sqrt(held));
}

static bool empty_cluster(struct difference *d)
{
    const struct word word = oracle_word(d->oracle, d->first);
    if (word.role != CENTROID_WORD || d->oracle->counts[word.number] > 0)
        return false;
    return because(d, "%s: a cluster without points stays where it is, bit for bit",
                   isnan(centroid_of(d)) ? "0 / 0 is a NaN"
                   : centroid_of(d) == 0 ? "an empty cluster has gone to the origin"
                                         : "an empty cluster has moved");
}

/* What cluster `c` holds, in units of its mean: all components have to agree; else 0. */
static double times_the_mean(const struct difference *d, size_t c)
{
    const size_t dimensions = d->oracle->at.dimensions;
    double times = 0, far = 0;
    for (size_t i = c * dimensions; i < (c + 1) * dimensions; i++)
        if (fabs(d->oracle->means[i]) > far) {
            far = fabs(d->oracle->means[i]);
            times = float_at(d->held, i) / d->oracle->means[i];
        }
    for (size_t i = c * dimensions; i < (c + 1) * dimensions; i++)
        if (fabs(float_at(d->held, i) - times * d->oracle->means[i]) >
            4 * d->bound * fmax(times, 1))
            return 0;
    return times;
}

/* Who loses a point, or has it twice, is off by another factor in each component. */
static bool divided_by_another(struct difference *d)
{
    const struct word word = oracle_word(d->oracle, d->first);
    if (word.role != CENTROID_WORD || d->oracle->at.dimensions < 2)
        return false;
    const double count = d->oracle->counts[word.number], times = times_the_mean(d, word.number);
    if (!(times > 0) || !isfinite(times) || fabs(times - 1) < 1e-3)
        return false;
    const double by = count / times, points = (double)d->oracle->at.points;
    return because(d,
                   "each component of the centroid is %.4g times the mean of its points: a sum of "
                   "%.0f points was divided by %.6g%s",
                   times, count, by,
                   fabs(by - points) < points / 1024 ? ", the number of all points" : "");
}

/* Whether the count of a cluster was asked for, and is right. */
static bool count_is_right(const struct difference *d, size_t cluster)
{
    return !(d->oracle->left_out & NO_COUNTS) &&
           word_at(d->held, d->oracle->at.counts + cluster) == d->oracle->counts[cluster];
}

static bool wrong_mean(struct difference *d)
{
    const struct word word = oracle_word(d->oracle, d->first);
    if (word.role != CENTROID_WORD)
        return false;
    if (word_at(d->held, d->first) == d->oracle->held_before[d->first])
        return because(d, "the centroid has not moved: no thread stores the mean of its points");
    if (!isfinite(centroid_of(d)))
        return because(
            d, "a point with a NaN or an infinity was added, or memory that nobody has written");
    if (count_is_right(d, word.number))
        return because(d,
                       "the mean may be off by %.3g, and its %u points are counted: they are added "
                       "with another component, twice or not at all, or are rounded too often",
                       d->bound, d->oracle->counts[word.number]);
    return because(
        d,
        "the mean may be off by %.3g: the sum of %u points has lost some of them, has some "
        "twice, or has rounded too often",
        d->bound, d->oracle->counts[word.number]);
}

static bool wrong_count(struct difference *d)
{
    return is_first(d, COUNT_WORD) &&
           because(d,
                   "the count is not that of the labels: points are lost, or those of an earlier "
                   "step are in it");
}

static bool other_label(struct difference *d)
{
    return because(d, word_at(d->held, d->first) == UINT32_MAX
                          ? "a centroid is nearer than infinity, and its number is not kept"
                          : "the label is none: 0 to clusters - 1, or NO_CLUSTER");
}

cause_of_output *const likely_causes[] = {
    left_out,           nothing_written, without_cluster, other_steps, wrong_label, empty_cluster,
    divided_by_another, wrong_mean,      wrong_count,     other_label, NULL};
