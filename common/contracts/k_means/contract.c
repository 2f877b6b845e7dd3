/* contract.c - what the judge knows of k_means(): see contract.h; and how inputs lie in memory. */
#include "exact_steps.h"

#include <float.h>
#include <math.h>

#include "contract.h"

#define NONE UINT32_MAX

static const float *row_of(const struct oracle *oracle, size_t cluster)
{
    return oracle->before + cluster * oracle->at.dimensions;
}

double oracle_distance(const struct oracle *oracle, size_t point, size_t cluster)
{
    const size_t dimensions = oracle->at.dimensions;
    const float *row = row_of(oracle, cluster);
    double sum = 0;
    for (size_t i = 0; i < dimensions; i++) {
        const double delta = (double)oracle->points[point * dimensions + i] - (double)row[i];
        sum += delta * delta;
    }
    return sum <= (double)FLT_MAX ? sum : INFINITY; /* a NaN is infinite, too */
}

/* By how much a mean may be off. */
static double clusters_bound(const struct oracle *oracle)
{
    return ldexp(oracle->largest, -22) + ldexp(1, -149);
}

/* The largest root of a distance that rounding may make as small as the least one. */
static double largest_root(const struct oracle *oracle, double least)
{
    const double dimensions = (double)oracle->at.dimensions;
    const double moved =
        oracle->asked_steps > 1 ? 2 * sqrt(dimensions) * clusters_bound(oracle) : 0;
    const double underflow = sqrt(dimensions) * ldexp(1, -62);
    return (1 + 2 * dimensions * ldexp(1, -24)) * sqrt(least) + moved + underflow;
}

/* Returns the label of a point. The oracle is no longer sure when rounding decides whether another cluster is as near. */
static uint32_t nearest(struct oracle *oracle, size_t point)
{
    double least = INFINITY, second = INFINITY;
    uint32_t label = NONE;
    for (size_t c = 0; c < oracle->at.clusters; c++) {
        const double distance = oracle_distance(oracle, point, c);
        second = fmin(second, fmax(least, distance));
        if (distance < least)
            label = (uint32_t)c;
        least = fmin(least, distance);
    }
    oracle->is_sure &= label == NONE || !(sqrt(second) <= largest_root(oracle, least));
    return label;
}

/* Whether a label is right, as far as anybody can know. Two distances that are equal are so for every kernel where
 * the rows are, or where they are a whole number of few bits: then the smaller number wins. */
static bool may_be_label(const struct oracle *oracle, size_t point, uint32_t label)
{
    const uint32_t right = oracle->right.labels[point];
    if (label == right || label >= oracle->at.clusters || !oracle->is_sure)
        return label == right || label < oracle->at.clusters;
    if (right == NONE)
        return false;
    const size_t row = oracle->at.dimensions * sizeof(float);
    const double least = oracle_distance(oracle, point, right);
    const double held = oracle_distance(oracle, point, label);
    const bool exact = memcmp(row_of(oracle, right), row_of(oracle, label), row) == 0 ||
                       (least < 16777216 && least == floor(least));
    return !(held == least && exact) && sqrt(held) <= largest_root(oracle, least);
}

/* Works out the counts and the exact means of points with these labels; the mean of no points is NaN. */
static void sum_up_clusters(const struct oracle *oracle, const struct groups *groups)
{
    const struct outputs *at = &oracle->at;
    memset(groups->means, 0, at->sums * sizeof(double));
    memset(groups->counts, 0, at->clusters * sizeof(uint32_t));
    for (size_t i = 0; i < at->points * at->dimensions; i++) {
        const uint32_t label = groups->labels[i / at->dimensions];
        if (label == NONE)
            continue;
        groups->counts[label] += i % at->dimensions == 0;
        groups->means[label * at->dimensions + i % at->dimensions] += (double)oracle->points[i];
    }
    for (size_t s = 0; s < at->sums; s++)
        groups->means[s] /= groups->counts[s / at->dimensions];
}

/* Moves the centroids, but not before the first step, and labels all points; returns how many labels have changed. */
static size_t step(struct oracle *oracle)
{
    size_t changed = 0;
    for (size_t s = 0; s < oracle->at.sums && oracle->steps > 0; s++)
        if (oracle->right.counts[s / oracle->at.dimensions] > 0)
            oracle->before[s] = (float)oracle->right.means[s];
    for (size_t point = 0; point < oracle->at.points; point++) {
        const uint32_t label = nearest(oracle, point);
        changed += label != oracle->right.labels[point];
        oracle->right.labels[point] = label;
    }
    sum_up_clusters(oracle, &oracle->right);
    oracle->steps++;
    return changed;
}

static struct groups groups_room(struct oracle *oracle, const struct outputs *at)
{
    return (struct groups){oracle_room(oracle, at->points, sizeof(uint32_t)),
                           oracle_room(oracle, at->clusters, sizeof(uint32_t)),
                           oracle_room(oracle, at->sums, sizeof(double))};
}

static struct oracle *clusters_oracle(const struct input *input)
{
    struct oracle *oracle = oracle_room(NULL, 1, sizeof *oracle);
    const struct outputs at = outputs_of(input->length, input->more);
    *oracle = (struct oracle){
        .at = at,
        .left_out = input->more[LEFT_OUT],
        .asked_steps = input->more[STEPS],
        .points = oracle_copy(oracle, input->elements, input->length * sizeof(float)),
        .before = oracle_copy(oracle, input->bins, at.sums * sizeof(float)),
        .held_before = oracle_copy(oracle, input->bins, at.end * sizeof(uint32_t)),
        .right = groups_room(oracle, &at),
        .held = groups_room(oracle, &at),
        .is_sure = true};
    memset(oracle->right.labels, 0xff, at.points * sizeof(uint32_t));
    for (size_t i = 0; i < at.points * at.dimensions; i++)
        if (isfinite(oracle->points[i]))
            oracle->largest = fmax(oracle->largest, fabs((double)oracle->points[i]));
    size_t changed = 0;
    while (oracle->steps < oracle->asked_steps &&
           (oracle->steps == 0 || changed > input->more[MAY_CHANGE]))
        changed = step(oracle);
    oracle->is_sure |= oracle->asked_steps <= 1;
    return oracle;
}

struct word oracle_word(const struct oracle *oracle, size_t i)
{
    const struct outputs *at = &oracle->at;
    if (i < at->sums)
        return (struct word){CENTROID_WORD, i / at->dimensions, i % at->dimensions, false};
    if (i < at->steps)
        return (struct word){COUNT_WORD, i - at->sums, 0, (oracle->left_out & NO_COUNTS) != 0};
    if (i == at->steps)
        return (struct word){STEP_WORD, 0, 0, (oracle->left_out & NO_STEPS) != 0};
    return (struct word){LABEL_WORD, i - at->labels, 0, (oracle->left_out & NO_LABELS) != 0};
}

/* Whether component `s` of the centroids is right, with these means. Its bits stay where the cluster has no points. */
static bool centroid_fits(const struct oracle *oracle, size_t s, const unsigned char *held,
                          const struct groups *groups)
{
    const double is = float_at(held, 0), before = (double)oracle->before[s];
    if (groups->counts[s / oracle->at.dimensions] > 0)
        return fabs(is - groups->means[s]) <= clusters_bound(oracle);
    if (!oracle->is_sure || word_at(held, 0) == oracle->held_before[s])
        return true;
    const bool has_moved = memcmp(&oracle->before[s], &oracle->held_before[s], sizeof(float)) != 0;
    return has_moved && fabs(is - before) <= clusters_bound(oracle);
}

static bool is_right_of_clusters(const struct oracle *oracle, size_t i, const unsigned char *held,
                                 const struct groups *groups)
{
    const struct word word = oracle_word(oracle, i);
    const uint32_t is = word_at(held, 0);
    if (word.is_left_out)
        return is == oracle->held_before[i];
    switch (word.role) {
    case CENTROID_WORD:
        return centroid_fits(oracle, i, held, groups);
    case COUNT_WORD:
        return is == groups->counts[word.number];
    case STEP_WORD:
        return oracle->is_sure ? is == oracle->steps : is > 0 && is <= oracle->asked_steps;
    default:
        return may_be_label(oracle, word.number, is);
    }
}

/* Of the words that are wrong the first is a label, if there is one. They are judged by means of the labels that are
 * held; where one is wrong, or not asked for, of that which is right. */
static bool clusters_compare(struct difference *d)
{
    const struct oracle *oracle = d->oracle;
    const struct outputs *at = &oracle->at;
    d->bound = clusters_bound(oracle);
    for (size_t point = 0; point < at->points; point++) {
        const uint32_t label = word_at(d->held, at->labels + point);
        const bool is_its = !(oracle->left_out & NO_LABELS) && may_be_label(oracle, point, label);
        oracle->held.labels[point] = is_its ? label : oracle->right.labels[point];
    }
    sum_up_clusters(oracle, &oracle->held);
    for (size_t turn = at->end; turn-- > 0;) { /* labels come last, of which the first is told */
        const size_t i = (turn + at->labels) % at->end;
        if (is_right_of_clusters(oracle, i, d->held + i * sizeof(uint32_t), &oracle->held))
            continue;
        d->wrong++;
        d->first = i;
    }
    return d->wrong == 0;
}

static bool clusters_may_hold(const struct oracle *oracle, size_t i, const unsigned char *held)
{
    return is_right_of_clusters(oracle, i, held, &oracle->right);
}

/* "the count of cluster 3" */
static void clusters_name(const struct oracle *oracle, size_t i, char *name, size_t size)
{
    static const char *const names[] = {
        [CENTROID_WORD] = "centroid %zu, component %zu",
        [COUNT_WORD] = "the count of cluster %zu",
        [STEP_WORD] = "the number of steps",
        [LABEL_WORD] = "the label of point %zu",
    };
    const struct word word = oracle_word(oracle, i);
    snprintf(name, size, names[word.role], word.number, word.component);
}

static void say(enum role role, double number, char *text, size_t size)
{
    const bool is_none = role == LABEL_WORD && number == NONE;
    const char *format = is_none                 ? "NO_CLUSTER"
                         : isnan(number)         ? "NaN"
                         : role == CENTROID_WORD ? "%.9g"
                                                 : "%.0f";
    snprintf(text, size, format, number);
}

static void clusters_say(const struct oracle *oracle, size_t i, const unsigned char *held,
                         char *should, char *holds, size_t size)
{
    const struct word word = oracle_word(oracle, i);
    const bool is_float = word.role == CENTROID_WORD;
    const bool stays = is_float && oracle->right.counts[word.number] == 0;
    const double right = stays                     ? (double)oracle->before[i]
                         : is_float                ? oracle->right.means[i]
                         : word.is_left_out        ? oracle->held_before[i]
                         : word.role == COUNT_WORD ? oracle->right.counts[word.number]
                         : word.role == STEP_WORD  ? (double)oracle->steps
                                                   : oracle->right.labels[word.number];
    say(word.role, right, should, size);
    say(word.role, is_float ? float_at(held, 0) : word_at(held, 0), holds, size);
}

/* Draws so many coordinates: points have three of them, two or one. */
static struct input draw_clusters(uint64_t seed, size_t length)
{
    const unsigned int dimensions = length % 3 == 0 && length > 0 ? 3 : length % 2 == 0 ? 2 : 1;
    return points_drawn(
        &(struct drawn_case){POINTS_UNIFORM, length / dimensions, {dimensions, 5, 1}}, seed);
}

/* A step looks at each centroid for each point, and at each part of the sums. */
static uint64_t limit_of_clusters(const struct call *call)
{
    enum { AT_LEAST = 8 * 1000 * 1000, A_SUM = 16, AN_OUTPUT = 4096 };
    const struct outputs at = outputs_of(call->length, call->more);
    const uint64_t most = at.clusters < 4096 ? at.clusters : 4096;
    return AT_LEAST +
           (call->more[STEPS] + 1) * (call->length * A_SUM * (most + 4) + AN_OUTPUT * at.sums);
}

/* An output is a float or a whole number: bits that are no ordinary float are shown as a number. */
static void shapes_of_clusters(enum operation unused, struct shape *unit, struct shape *output)
{
    (void)unused;
    *unit = (struct shape){4, 4, 1, {{"coordinate", FIELD_FLOAT, 0, 32}}};
    *output = (struct shape){4, 4, 1, {{"output", FIELD_FLOAT, 0, 32}}};
}

/* Says how the far end is looked at. */
static void look_far_clusters(struct far_plan *plan)
{
    plan->limits.laps = 2;
}

const struct contract k_means_contract = {
    .words = {.function = "k_means()",
              .unit = "coordinate",
              .units = "coordinates",
              .input = "points",
              .output = "result",
              .output_is = "the result is",
              .by_kernel = "the points have to be grouped by kernels, on the device",
              .when_empty = "without points the grid has 0 blocks, which CUDA refuses; but the "
                            "counts and the number of steps have to be set"},
    .oracle = clusters_oracle,
    .may_hold = clusters_may_hold,
    .say = clusters_say,
    .causes = &causes_of_clusters,
    .compare = clusters_compare,
    .outputs = "outputs",
    .name_output = clusters_name,
    .longest_part = 1 << 18,
    .draw = draw_clusters,
    .shapes = shapes_of_clusters,
    .guard = 1e9f, /* each would move a centroid far away */
    .limit = limit_of_clusters,
    .look_far = look_far_clusters,
};
