/* contract.c - what the judge knows of pair_counts(): see contract.h; and how inputs lie in memory. */
#include "exact_pairs.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

#include "contract.h"
#include "grouped.h"

static double edge_of(const struct oracle *oracle, size_t edge)
{
    return float_at(oracle->input.bins + oracle->at.edges * WORD, edge);
}

/* The squared distance, or infinity where a float cannot hold it. */
static double chord_between(const float *p, const float *q)
{
    double squares = 0;
    for (size_t i = 0; i < 3; i++)
        squares += ((double)p[i] - (double)q[i]) * ((double)p[i] - (double)q[i]);
    return squares > (double)FLT_MAX ? (double)INFINITY : squares;
}

/* How many edges are at most this distance. */
static uint32_t edges_reached(const struct oracle *oracle, double distance)
{
    uint32_t edges = 0;
    while (edges <= oracle->at.bins && edge_of(oracle, edges) <= distance)
        edges++;
    return edges;
}

/* The same where only the first edge of a cell is looked at. A cell is all floats with the same bits from number 22
 * on. */
static uint32_t edges_by_cell(const struct oracle *oracle, double distance)
{
    const float least = float_of_bits(bits_of_float((float)distance) >> 22 << 22);
    const uint32_t all = edges_reached(oracle, distance),
                   up_to = edges_reached(oracle, (double)least);
    return all > up_to ? up_to + 1 : all;
}

/* The number of a distance's counter, by the oracle's rule. */
static uint32_t counter_of(const struct oracle *oracle, double distance)
{
    const uint32_t edges = edges_reached(oracle, distance);
    switch (oracle->rule) {
    case EDGES_BELOW:
        return edges_reached(oracle, nextafter(distance, -1));
    case NO_LAST_EDGE:
        return edges == edges_reached(oracle, INFINITY) ? edges - 1 : edges;
    case HALF_OCTAVES:
        return edges_by_cell(oracle, distance);
    default:
        return edges;
    }
}

/* Whether floats hold each step to the distance, in whatever order, as with small multiples of 1/8. */
static bool is_exact(const float *p, const float *q)
{
    bool exact = true;
    for (size_t i = 0; i < 3; i++)
        exact &= fabsf(p[i]) <= 8 && fabsf(q[i]) <= 8 && 8 * p[i] == rintf(8 * p[i]) &&
                 8 * q[i] == rintf(8 * q[i]);
    return exact;
}

static void count_pair(struct oracle *oracle, enum pair_kind kind, const float *p, const float *q)
{
    const size_t begin = kind * oracle->at.counters;
    const double chord = chord_between(p, q),
                 distance = oracle->rule == ROOTS ? sqrt(chord) : chord;
    const double least_tolerance = oracle->rule == LOST_DIGITS ? ldexp(8, -23) : 1e-44;
    const double tolerance =
        least_tolerance < 1e-9 && is_exact(p, q) ? 0 : ldexp(distance, -20) + least_tolerance;
    if (isnan(distance)) {
        oracle->not_counted[kind]++;
        return;
    }
    const uint32_t counter = counter_of(oracle, distance);
    uint32_t low = counter, high = counter;
    while (tolerance > 0 && low > 0 && edge_of(oracle, low - 1) >= distance - tolerance)
        low--;
    while (tolerance > 0 && high <= oracle->at.bins &&
           edge_of(oracle, high) <= distance + tolerance)
        high++;
    oracle->added[begin + counter]++;
    oracle->least[begin + low]++;
    oracle->most[begin + high]++;
}

/* Counts the pairs of one set, which is the data or a random one. */
static void count_set(struct oracle *oracle, size_t set)
{
    const size_t points = oracle->at.points;
    const float *data = (const float *)(const void *)oracle->input.elements;
    const float *own = data + set * points * COMPONENTS;
    for (size_t i = 0; i < points; i++)
        for (size_t j = 0; j < points; j++) {
            const float *other = own + j * COMPONENTS;
            if (j > i)
                count_pair(oracle, set == 0 ? DD : RR, own + i * COMPONENTS, other);
            if (set > 0)
                count_pair(oracle, DR, data + i * COMPONENTS, other);
        }
}

/* The sum of the counters of a kind from number `i` on; 0 behind the last of them. */
static uint64_t sum_from(const struct oracle *oracle, const uint64_t *sums, size_t i)
{
    return i < oracle->at.edges && i % oracle->at.counters > 0 ? sums[i] : 0;
}

struct oracle *pairs_by(const struct input *input, enum rule rule)
{
    struct oracle *oracle = oracle_room(NULL, 1, sizeof *oracle);
    oracle->at = sky_outputs(input->length, input->more);
    oracle->rule = rule;
    oracle->input = *input;
    oracle->input.elements =
        oracle_copy(oracle, input->elements, input->length * COMPONENTS * sizeof(float));
    oracle->input.bins = oracle_copy(oracle, input->bins, oracle->at.end * WORD);
    oracle->added = oracle_room(oracle, oracle->at.end, WORD);
    oracle->least = oracle_room(oracle, oracle->at.end, WORD);
    oracle->most = oracle_room(oracle, oracle->at.end, WORD);
    for (size_t set = 0; set <= oracle->at.sets; set++)
        count_set(oracle, set);
    for (size_t i = oracle->at.edges; i-- > 0;) {
        oracle->least[i] += sum_from(oracle, oracle->least, i + 1);
        oracle->most[i] += sum_from(oracle, oracle->most, i + 1);
    }
    return oracle;
}

static struct oracle *pairs_oracle(const struct input *input)
{
    return pairs_by(input, RIGHT);
}

uint64_t counter_growth(const struct oracle *oracle, size_t i, const unsigned char *held)
{
    return wide_word_at(held, 0) - wide_word_at(oracle->input.bins, i);
}

static bool pairs_may_hold(const struct oracle *oracle, size_t i, const unsigned char *held)
{
    const uint64_t has = counter_growth(oracle, i, held),
                   others = sum_from(oracle, oracle->most, i + 1);
    const uint64_t least = oracle->least[i] > others ? oracle->least[i] - others : 0;
    return has >= least && has <= oracle->most[i] - sum_from(oracle, oracle->least, i + 1);
}

/* Compares counters one by one, and, where these are right, what is counted from each edge on. */
static bool pairs_compare(struct difference *d)
{
    const struct oracle *oracle = d->oracle;
    uint64_t sum = 0;
    d->wrong = wrong_outputs(d, d->held, oracle->at.edges, &d->first);
    for (size_t i = oracle->at.edges; i-- > 0 && d->wrong == 0;) {
        sum = (i + 1) % oracle->at.counters == 0 ? 0 : sum;
        sum += counter_growth(oracle, i, d->held + i * WORD);
        d->wrong = sum < oracle->least[i] || sum > oracle->most[i];
        d->first = i;
    }
    return d->wrong == 0;
}

static void pairs_say(const struct oracle *oracle, size_t i, const unsigned char *held,
                      char *should, char *holds, size_t size)
{
    snprintf(should, size, "%s", grouped(wide_word_at(oracle->input.bins, i) + oracle->added[i]));
    snprintf(holds, size, "%s", grouped(wide_word_at(held, 0)));
}

/* Writes a name, "d_dr[3]". */
static void name_output_sky(const struct oracle *oracle, size_t i, char *name, size_t size)
{
    static const char *const arrays[] = {"d_dd", "d_dr", "d_rr"};
    snprintf(name, size, "%s[%zu]", arrays[i / oracle->at.counters], i % oracle->at.counters);
}

/* Draws as many sets as have up to 61 points each. */
static struct input draw_sky(uint64_t seed, size_t length)
{
    enum { OF_A_SET = 61, USUAL_BINS = 20 };
    const unsigned int sets = (unsigned int)(length / OF_A_SET);
    return sky_drawn(&(struct drawn_case){SKY_CLUSTERS, length / (sets + 1), {sets, USUAL_BINS}},
                     seed);
}

/* A pair takes three accesses, and up to 32 times as many where a warp tries in vain; each block makes a table. */
static uint64_t limit_of_sky(const struct call *call)
{
    enum { AT_LEAST = 8 * 1000 * 1000, A_PAIR = 64, A_SET = 100 * 1000 };
    const struct outputs at = sky_outputs(call->length, call->more);
    return AT_LEAST + (at.sets + 1) * (A_SET + at.points * at.points * A_PAIR);
}

/* Up to the threads of a block these are the columns of k_means, with which a ladder has one file. */
static const struct count columns[] = {
    COLUMNS_OF_APPLICATIONS,
    {"loads_of_points", {OF(elements.load.lanes)}, NULL},
    {NULL, {0}, NULL},
};

static void shapes_of_sky(enum operation unused, struct shape *unit, struct shape *output)
{
    (void)unused;
    *unit = (struct shape)FOUR_FLOATS(8, "x", "y", "z", "w");
    *output = (struct shape){8, 8, 1, {{"counter", FIELD_UNSIGNED, 0, 64}}};
}

/* Says how the far end is looked at. */
static void look_far_sky(struct far_plan *plan)
{
    plan->limits.laps = UINT64_MAX;
    plan->budget = 4 * 1000 * 1000;
}

const struct contract pair_counts_contract = {
    .words = {.function = "pair_counts()",
              .unit = "point",
              .units = "points",
              .input = "points",
              .output = "result",
              .output_is = "the counters are",
              .by_kernel = "the pairs have to be counted by kernels, on the device",
              .when_empty = "without points the grid has 0 blocks, which CUDA refuses; then there "
                            "is nothing to add"},
    .oracle = pairs_oracle,
    .may_hold = pairs_may_hold,
    .say = pairs_say,
    .causes = &causes_of_pairs,
    .compare = pairs_compare,
    .outputs = "outputs",
    .name_output = name_output_sky,
    .longest_part = 1 << 18,
    .draw = draw_sky,
    .ordinary = 1021,
    .columns = columns,
    .shapes = shapes_of_sky,
    .guard = 0.577F, /* a guard is near to all others, and would be seen in the first counters */
    .limit = limit_of_sky,
    .look_far = look_far_sky,
};
