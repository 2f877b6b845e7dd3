/* causes.c - the likeliest cause of a wrong label, count or centroid: patterns from the most to the least
 * specific, of which the first that fits is printed. */
#include "contract.h"

#include <math.h>
#include <stdio.h>

#include "exact_steps.h"

static bool without_cluster(struct difference *d)
{
    const struct word word = oracle_word(d->oracle, d->first);
    return word.role == LABEL_WORD && d->oracle->right.labels[word.number] == UINT32_MAX &&
           because(d, "its distance to each centroid is NaN or infinite, so it has no cluster: "
                      "compare with <, which is false for a NaN, and begin with infinity and "
                      "NO_CLUSTER");
}

/* A cluster whose points nobody has counted stays where it is, as one without points does. */
static bool points_not_counted(struct difference *d)
{
    const struct oracle *oracle = d->oracle;
    const struct word word = oracle_word(oracle, d->first);
    if (word.role != CENTROID_WORD || oracle->left_out & NO_COUNTS)
        return false;
    const uint32_t counted = word_at(d->held, oracle->at.sums + word.number);
    return counted == 0 && oracle->right.counts[word.number] > 0 &&
           because(d,
                   "the count of its cluster is 0, and should be %u: its points are not "
                   "counted, so that it stays where it is",
                   oracle->right.counts[word.number]);
}

static bool other_steps(struct difference *d)
{
    const struct oracle *oracle = d->oracle;
    const uint32_t steps = word_at(d->held, oracle->at.steps);
    if (oracle->asked_steps < 2 || !oracle->is_sure ||
        oracle_word(oracle, d->first).role == COUNT_WORD)
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

/* Whether two distances differ by no more than what |c|^2 - 2pc in floats loses, where two large numbers cancel. */
static bool may_cancel(const struct oracle *oracle, double one, double other)
{
    const double square = oracle->largest * oracle->largest;
    return fabs(one - other) <= (double)oracle->at.dimensions * ldexp(square, -21);
}

/* A distance that a kernel may have in the place of the sum of squares. */
enum distance { WITHOUT_THE_LAST, OF_MAGNITUDES, OF_DIFFERENCES, DISTANCES };

static double distance_by(const struct oracle *oracle, enum distance kind, size_t p, uint32_t c)
{
    const size_t dimensions = oracle->at.dimensions;
    double distance = 0;
    for (size_t i = 0; i < dimensions - (kind == WITHOUT_THE_LAST); i++) {
        const double apart =
            (double)oracle->points[p * dimensions + i] - (double)oracle->before[c * dimensions + i];
        distance += kind == WITHOUT_THE_LAST ? apart * apart
                    : kind == OF_MAGNITUDES  ? fabs(apart)
                                             : apart;
    }
    return distance;
}

/* Whether each label would be right if that were the distance. */
static bool are_labels_by(const struct difference *d, enum distance kind)
{
    const struct oracle *oracle = d->oracle;
    for (size_t p = 0; p < oracle->at.points; p++) {
        const uint32_t held = word_at(d->held, oracle->at.labels + p);
        double least = INFINITY, own = INFINITY;
        for (uint32_t c = 0; c < oracle->at.clusters; c++) {
            const double distance = distance_by(oracle, kind, p, c);
            least = fmin(least, distance);
            own = c == held ? distance : own;
        }
        if (!may_cancel(oracle, own, least))
            return false;
    }
    return true;
}

static bool another_distance(struct difference *d)
{
    static const char *const words[DISTANCES] = {
        [WITHOUT_THE_LAST] = "distances without the last of the %zu components: the loop over them "
                             "ends too early",
        [OF_MAGNITUDES] =
            "the sum of the magnitudes of the %zu differences: each has to be squared",
        [OF_DIFFERENCES] = "the sum of the %zu differences, where one below 0 makes up for others: "
                           "each has to be squared",
    };
    const size_t dimensions = d->oracle->at.dimensions;
    for (enum distance kind = 0; dimensions > 1 && kind < DISTANCES; kind++) {
        char by[160];
        snprintf(by, sizeof by, words[kind], dimensions);
        if (are_labels_by(d, kind))
            return because(d, "the labels are those of %s", by);
    }
    return false;
}

static uint32_t divisor_of(uint32_t one, uint32_t other)
{
    return other == 0 ? one : divisor_of(other, one % other);
}

/* A kernel looks at the centroids part by part, and each label is the number in its part. */
static bool numbers_in_parts(struct difference *d)
{
    const struct oracle *oracle = d->oracle;
    uint32_t part = 0, wrong = 0, largest = 0;
    for (size_t p = 0; p < oracle->at.points; p++) {
        const uint32_t held = word_at(d->held, oracle->at.labels + p),
                       right = oracle->right.labels[p];
        if (held > right || (right == UINT32_MAX && held != right))
            return false;
        part = divisor_of(right - held, part);
        wrong += held != right;
        largest = right == UINT32_MAX || held < largest ? largest : held;
    }
    return wrong > 1 && part > 1 && largest < part &&
           because(d,
                   "labels are less by %u, or a multiple of it: the number of a centroid among %u "
                   "that are looked at together is no label, which counts all before them, too",
                   part, part);
}

static bool wrong_label(struct difference *d)
{
    const struct oracle *oracle = d->oracle;
    const struct word word = oracle_word(oracle, d->first);
    const uint32_t is = word_at(d->held, d->first);
    if (word.role != LABEL_WORD || is >= oracle->at.clusters)
        return false;
    const uint32_t right = oracle->right.labels[word.number];
    const double held = oracle_distance(oracle, word.number, is);
    const double least = oracle_distance(oracle, word.number, right);
    if (held == least)
        return because(d, "two centroids are as near, and the smaller number has to win");
    if (may_cancel(oracle, held, least))
        return because(d, "another centroid is nearer, by less than |c|^2 - 2pc in floats can tell "
                          "so far from the origin, where two large numbers cancel: add up "
                          "(p - c)^2");
    if (another_distance(d) || numbers_in_parts(d))
        return true;
    return because(d,
                   "another centroid is nearer: number %u, at %.6g, and not %u, at %.6g; is each "
                   "one looked at, and is it that of before the step?",
                   right, sqrt(least), is, sqrt(held));
}

/* How many times its mean the cluster of the first output holds. All components have to agree; else it is 0. */
static double times_the_mean(const struct difference *d, size_t cluster)
{
    const size_t dimensions = d->oracle->at.dimensions, first = cluster * dimensions;
    const double *means = d->oracle->right.means + first;
    double held = 0, right = 0;
    for (size_t i = 0; i < dimensions; i++) {
        held += fabs(float_at(d->held, first + i));
        right += fabs(means[i]);
    }
    double times = held / right;
    for (size_t i = 0; i < dimensions; i++)
        if (!(fabs(float_at(d->held, first + i) - times * means[i]) <=
              4 * d->bound * fmax(times, 1)))
            times = 0;
    return dimensions > 1 ? times : 0;
}

static bool wrong_mean(struct difference *d)
{
    const struct oracle *oracle = d->oracle;
    const struct word word = oracle_word(oracle, d->first);
    if (word.role != CENTROID_WORD)
        return false;
    const double is = float_at(d->held, d->first), times = times_the_mean(d, word.number);
    const double count = oracle->right.counts[word.number], points = (double)oracle->at.points;
    if (count == 0)
        return because(d, "%s: a cluster without points stays where it is, bit for bit",
                       isnan(is) ? "0 / 0 is a NaN" : "an empty cluster has moved");
    if (times > 0 && fabs(times - 1) >= 1e-3)
        return because(
            d,
            "each component of the centroid is %.4g times the mean of its points: a sum of "
            "%.0f points was divided by %.6g%s",
            times, count, count / times,
            fabs(count / times - points) < points / 1024 ? ", the number of all points" : "");
    const bool is_counted = word_at(d->held, oracle->at.sums + word.number) == (uint32_t)count;
    return because(d,
                   "the mean may be off by %.3g, and its %.0f points %s counted: they are added "
                   "with another component, twice or not at all, or are rounded too often",
                   d->bound, count, is_counted ? "are" : "should be");
}

static bool another_number(struct difference *d)
{
    if (oracle_word(d->oracle, d->first).role == LABEL_WORD &&
        word_at(d->held, d->first) == UINT32_MAX)
        return because(d, "a centroid is nearer than infinity, and its number is not kept");
    return nobody_knows(d, "we do not know: a label is below `clusters`, or NO_CLUSTER; counts are "
                           "those of the labels, in the last step alone; d_steps counts steps");
}

static cause_of_output *const likely[] = {
    points_not_counted, output_is_as_before, without_cluster, other_steps,
    wrong_label,        wrong_mean,          another_number,  NULL};

const struct causes causes_of_clusters = {likely, NULL, NULL, NULL};
