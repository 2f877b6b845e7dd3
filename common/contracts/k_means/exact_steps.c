/* exact_steps.c - k-means, a step at a time: see exact_steps.h. */
#include "exact_steps.h"

#include <float.h>
#include <math.h>

#define NONE UINT32_MAX

double oracle_distance(const struct oracle *oracle, size_t point, const float *row)
{
    const size_t dimensions = oracle->at.dimensions;
    double sum = 0;
    for (size_t i = 0; i < dimensions; i++) {
        const double apart = (double)oracle->points[point * dimensions + i] - (double)row[i];
        sum += apart * apart;
    }
    return sum <= (double)FLT_MAX ? sum : INFINITY; /* of a NaN, too */
}

/* The root of what may be a larger distance than the least one, and is taken for as small. */
static double largest_root(const struct oracle *oracle, double least)
{
    const double dimensions = (double)oracle->at.dimensions;
    const double moved = oracle->asked_steps > 1 ? 2 * sqrt(dimensions) * oracle_bound(oracle) : 0;
    const double underflow = sqrt(dimensions) * ldexp(1, -62);
    return (1 + 2 * dimensions * ldexp(1, -24)) * sqrt(least) + moved + underflow;
}

/* The label of a point; `is_sure` becomes false when another cluster is as near, but for rounding. */
static uint32_t nearest(const struct oracle *oracle, size_t point, const float *rows, bool *is_sure)
{
    double least = INFINITY, second = INFINITY;
    uint32_t label = NONE;
    for (size_t c = 0; c < oracle->at.clusters; c++) {
        const double distance = oracle_distance(oracle, point, rows + c * oracle->at.dimensions);
        if (distance < least) {
            second = least;
            least = distance;
            label = (uint32_t)c;
        } else if (distance < second) {
            second = distance;
        }
    }
    *is_sure &= label == NONE || !(sqrt(second) <= largest_root(oracle, least));
    return label;
}

/* Whether two distances that are equal are so for every kernel: of equal rows, or a whole number of few bits. */
static bool is_exact(double distance, const float *row, const float *other, size_t dimensions)
{
    return memcmp(row, other, dimensions * sizeof *row) == 0 ||
           (distance < 16777216 && distance == floor(distance));
}

/* Whether a point may have this label, of those of floats that are rounded in between. */
static bool label_fits(const struct oracle *oracle, size_t point, uint32_t label)
{
    const uint32_t right = oracle->labels[point];
    if (label == right || oracle->steps == 0 || right == NONE || label >= oracle->at.clusters)
        return label == right;
    const size_t dimensions = oracle->at.dimensions;
    const float *row = oracle->before + right * dimensions;
    const float *other = oracle->before + label * dimensions;
    const double least = oracle_distance(oracle, point, row);
    const double held = oracle_distance(oracle, point, other);
    if (held == least && is_exact(least, row, other, dimensions))
        return false; /* the smaller number wins */
    return sqrt(held) <= largest_root(oracle, least);
}

/* Exact means of points with these labels, NaN for clusters without any; and their counts. */
static void means_of(const struct oracle *oracle, const uint32_t *labels, double *means,
                     uint32_t *counts)
{
    const struct outputs *at = &oracle->at;
    memset(means, 0, at->sums * sizeof *means);
    memset(counts, 0, at->clusters * sizeof *counts);
    for (size_t point = 0; point < at->points; point++) {
        const uint32_t label = labels[point];
        if (label == NONE)
            continue;
        counts[label]++;
        for (size_t i = 0; i < at->dimensions; i++)
            means[label * at->dimensions + i] += (double)oracle->points[point * at->dimensions + i];
    }
    for (size_t s = 0; s < at->sums; s++)
        means[s] /= counts[s / at->dimensions];
}

/* Labels all points; says how many labels are others than before. */
static size_t assign(struct oracle *oracle)
{
    size_t changed = 0;
    for (size_t point = 0; point < oracle->at.points; point++) {
        const uint32_t label = nearest(oracle, point, oracle->before, &oracle->is_sure);
        changed += label != oracle->labels[point];
        oracle->labels[point] = label;
    }
    return changed;
}

/* The centroids before the next step. */
static void update(struct oracle *oracle)
{
    for (size_t s = 0; s < oracle->at.sums; s++)
        if (oracle->counts[s / oracle->at.dimensions] > 0)
            oracle->before[s] = (float)oracle->means[s];
}

struct oracle *oracle_of(const struct input *input)
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
        .labels = oracle_room(oracle, 2 * at.points, sizeof(uint32_t)),
        .counts = oracle_room(oracle, 2 * at.clusters, sizeof(uint32_t)),
        .means = oracle_room(oracle, 2 * at.sums, sizeof(double)),
        .is_sure = true};
    memset(oracle->labels, 0xff, at.points * sizeof(uint32_t));
    for (size_t i = 0; i < at.points * at.dimensions; i++)
        if (isfinite(oracle->points[i]))
            oracle->largest = fmax(oracle->largest, fabs((double)oracle->points[i]));
    size_t changed = SIZE_MAX;
    while (oracle->steps < oracle->asked_steps &&
           (oracle->steps == 0 || changed > input->more[MAY_CHANGE])) {
        if (oracle->steps > 0)
            update(oracle);
        changed = assign(oracle);
        means_of(oracle, oracle->labels, oracle->means, oracle->counts);
        oracle->steps++;
    }
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

double oracle_bound(const struct oracle *oracle)
{
    return ldexp(oracle->largest, -22) + ldexp(1, -149);
}

/* Whether a label is right, as far as anybody can know. */
static bool may_be_label(const struct oracle *oracle, size_t point, uint32_t label)
{
    return oracle->is_sure ? label_fits(oracle, point, label)
                           : label < oracle->at.clusters || label == oracle->labels[point];
}

/* Whether component `s` of the centroids is right, with these means. Where nothing came, its bits stay. */
static bool centroid_fits(const struct oracle *oracle, size_t s, const unsigned char *held,
                          const double *means, const uint32_t *counts)
{
    const double is = float_at(held, 0), before = (double)oracle->before[s];
    if (counts[s / oracle->at.dimensions] > 0)
        return fabs(is - means[s]) <= oracle_bound(oracle);
    if (!oracle->is_sure || word_at(held, 0) == oracle->held_before[s])
        return true;
    const bool has_moved = memcmp(&oracle->before[s], &oracle->held_before[s], sizeof(float)) != 0;
    return has_moved && fabs(is - before) <= oracle_bound(oracle);
}

static bool is_right(const struct oracle *oracle, size_t i, const unsigned char *held,
                     const double *means, const uint32_t *counts)
{
    const struct word word = oracle_word(oracle, i);
    const uint32_t is = word_at(held, 0);
    if (word.is_left_out)
        return is == oracle->held_before[i];
    switch (word.role) {
    case CENTROID_WORD:
        return centroid_fits(oracle, i, held, means, counts);
    case COUNT_WORD:
        return is == counts[word.number];
    case STEP_WORD:
        return oracle->is_sure ? is == oracle->steps : is > 0 && is <= oracle->asked_steps;
    default:
        return may_be_label(oracle, word.number, is);
    }
}

/* By means of the labels that are held; where one is wrong, or not asked for, of that which is right. */
bool oracle_compare(struct difference *d)
{
    const struct oracle *oracle = d->oracle;
    const struct outputs *at = &oracle->at;
    uint32_t *labels = oracle->labels + at->points, *counts = oracle->counts + at->clusters;
    double *means = oracle->means + at->sums;
    d->bound = oracle_bound(oracle);
    for (size_t point = 0; point < at->points; point++) {
        const uint32_t label = word_at(d->held, at->labels + point);
        const bool is_its = !(oracle->left_out & NO_LABELS) && may_be_label(oracle, point, label);
        labels[point] = is_its ? label : oracle->labels[point];
    }
    means_of(oracle, labels, means, counts);
    for (size_t turn = at->end; turn-- > 0;) { /* labels come last, of which the first is told */
        const size_t i = (turn + at->labels) % at->end;
        if (is_right(oracle, i, d->held + i * sizeof(uint32_t), means, counts))
            continue;
        d->wrong++;
        d->first = i;
    }
    return d->wrong == 0;
}

bool oracle_may_hold(const struct oracle *oracle, size_t i, const unsigned char *held)
{
    return is_right(oracle, i, held, oracle->means, oracle->counts);
}

void oracle_name(const struct oracle *oracle, size_t i, char *name, size_t size)
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
    if (role == LABEL_WORD && number == NONE)
        snprintf(text, size, "NO_CLUSTER");
    else
        snprintf(text, size,
                 isnan(number)           ? "NaN"
                 : role == CENTROID_WORD ? "%.9g"
                                         : "%.0f",
                 number);
}

void oracle_say(const struct oracle *oracle, size_t i, const unsigned char *held, char *should,
                char *holds, size_t size)
{
    const struct word word = oracle_word(oracle, i);
    const bool is_float = word.role == CENTROID_WORD;
    const bool stays = is_float && oracle->counts[word.number] == 0;
    const double right = stays                     ? (double)oracle->before[i]
                         : is_float                ? oracle->means[i]
                         : word.is_left_out        ? oracle->held_before[i]
                         : word.role == COUNT_WORD ? oracle->counts[word.number]
                         : word.role == STEP_WORD  ? (double)oracle->steps
                                                   : oracle->labels[word.number];
    say(word.role, right, should, size);
    say(word.role, is_float ? float_at(held, 0) : word_at(held, 0), holds, size);
}
