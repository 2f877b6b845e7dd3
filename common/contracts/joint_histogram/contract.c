/* contract.c - what the judge knows of joint_histogram(): see contract.h; and how inputs lie in memory. */
#include "exact_bins.h"

#include <math.h>
#include <stdio.h>

#include "contract.h"

enum { TOUCHED = 4 };

/* What a coordinate brings to the bins of its side. */
struct spread {
    bool is_counted;
    size_t first;
    double weights[TOUCHED], slopes[TOUCHED]; /* and their derivatives */
};

static void set_weights(struct spread *spread, double t)
{
    const double rest = 1 - t;
    const double weights[] = {rest * rest * rest, 3 * t * t * t - 6 * t * t + 4,
                              3 * rest * rest * rest - 6 * rest * rest + 4, t * t * t};
    const double slopes[] = {-rest * rest, 3 * t * t - 4 * t, -3 * t * t + 2 * t + 1, t * t};
    for (size_t i = 0; i < TOUCHED; i++) {
        spread->weights[i] = weights[i] / 6;
        spread->slopes[i] = slopes[i] / 2;
    }
}

static struct spread spread_of(double x, size_t bins, enum rule rule)
{
    struct spread spread = {.is_counted = false};
    const double below = rule == TRUNCATES ? trunc(x) : floor(x);
    const double last = (double)bins - TOUCHED;
    spread.is_counted = rule == EDGE_TOO_EARLY ? x >= 0 && x <= last : below >= 0 && below <= last;
    if (!spread.is_counted)
        return spread;
    spread.first = (size_t)below;
    set_weights(&spread, rule == MIRRORED ? 1 - (x - below) : x - below);
    return spread;
}

static void add_pair(struct oracle *oracle, const struct spread *x, const struct spread *y)
{
    const size_t row = oracle->sides.x;
    const size_t right = oracle->rule == SIDES_SWAPPED ? row : 1;
    const size_t down = oracle->rule == SIDES_SWAPPED ? 1 : row;
    for (size_t j = 0; j < TOUCHED; j++)
        for (size_t i = 0; i < TOUCHED; i++) {
            const size_t bin = oracle->rule == TRANSPOSED
                                   ? (x->first + i) * oracle->sides.y + y->first + j
                                   : y->first * row + x->first + j * down + i * right;
            oracle->right[bin] += x->weights[i] * y->weights[j];
            oracle->bound[bin] += oracle->unit;
        }
    oracle->counted++;
}

/* Gathers the slope of a pair from the exact bins, each of which may be off by its own bound. */
static void gather_pairs(struct oracle *oracle, size_t output, const struct spread *x,
                         const struct spread *y)
{
    for (size_t j = 0; j < TOUCHED; j++)
        for (size_t i = 0; i < TOUCHED; i++) {
            const size_t bin = (y->first + j) * oracle->sides.x + x->first + i;
            const double weight = x->slopes[i] * y->weights[j];
            const double rounding = ldexp(oracle->right[bin], -20) + ldexp(1, -40);
            oracle->right[output] += weight * oracle->right[bin];
            oracle->bound[output] += fabs(weight) * (oracle->bound[bin] + rounding);
        }
}

/* 8 x 2^-k, as the contract says. */
static double unit_of(size_t length)
{
    const double more = log2((double)length) - 20; /* so many more pairs than 2^20 */
    return ldexp(8, more > 2 ? -16 : more > 1 ? -17 : more > 0 ? -18 : -19);
}

/* Each pair adds to its bins, or the slope of each is gathered from them. */
static void visit(struct oracle *oracle, const struct input *input, bool for_slopes)
{
    for (size_t i = 0; i < input->length; i++) {
        const double at_y = (double)input_float(input, input->length + i);
        const struct spread x =
            spread_of((double)input_float(input, i), oracle->sides.x, oracle->rule);
        const struct spread y = spread_of(at_y, oracle->sides.y, oracle->rule);
        if (x.is_counted && y.is_counted && for_slopes)
            gather_pairs(oracle, oracle->bins + i, &x, &y);
        else if (x.is_counted && y.is_counted)
            add_pair(oracle, &x, &y);
    }
}

struct oracle *joint_by(const struct input *input, enum rule rule)
{
    struct oracle *oracle = oracle_room(NULL, 1, sizeof *oracle);
    oracle->rule = rule;
    oracle->sides = sides_of(input->num_bins, input->more);
    oracle->bins = oracle->sides.x * oracle->sides.y;
    oracle->outputs = oracle->bins + (input->more[WITH_SLOPES] ? input->length : 0);
    oracle->unit = unit_of(input->length);
    oracle->right = oracle_room(oracle, oracle->outputs, sizeof *oracle->right);
    oracle->bound = oracle_room(oracle, oracle->outputs, sizeof *oracle->bound);
    visit(oracle, input, false);
    for (size_t bin = 0; bin < oracle->bins; bin++)
        oracle->bound[bin] += ldexp(oracle->right[bin], -24);
    if (input->more[WITH_SLOPES])
        visit(oracle, input, true);
    return oracle;
}

static struct oracle *joint_oracle(const struct input *input)
{
    return joint_by(input, RIGHT);
}

static bool joint_may_hold(const struct oracle *oracle, size_t output, const unsigned char *held)
{
    return fabs(float_at(held, 0) - oracle->right[output]) <= oracle->bound[output];
}

double bins_total(const struct oracle *oracle, const unsigned char *held)
{
    double total = 0;
    for (size_t bin = 0; bin < oracle->bins; bin++)
        total += float_at(held, bin);
    return total;
}

bool bins_total_fits(const struct oracle *oracle, const unsigned char *held)
{
    const double counted = (double)oracle->counted;
    return fabs(bins_total(oracle, held) - counted) <= ldexp(counted, -24);
}

static bool compare_pairs(struct difference *d)
{
    d->wrong = wrong_outputs(d, d->held, d->oracle->outputs, &d->first);
    return d->wrong == 0 && bins_total_fits(d->oracle, d->held);
}

static void joint_say(const struct oracle *oracle, size_t bin, const unsigned char *held,
                      char *should, char *holds, size_t size)
{
    snprintf(should, size, "%.9g", oracle->right[bin]);
    snprintf(holds, size, "%.9g", float_at(held, 0));
}

static void name_output_pairs(const struct oracle *oracle, size_t i, char *name, size_t size)
{
    if (i >= oracle->bins)
        snprintf(name, size, "slope of pair %zu", i - oracle->bins);
    else
        snprintf(name, size, "bin [%zu][%zu] (y, x)", i / oracle->sides.x, i % oracle->sides.x);
}

static struct input draw_pairs(uint64_t seed, size_t length)
{
    return pairs_drawn(&(struct drawn_case){PAIRS_UNIFORM, length, {16, 11}}, seed);
}

static uint64_t counted_of_pairs(const struct oracle *oracle)
{
    return oracle->counted;
}

/* All x come first: two coordinates side by side are a unit. */
static void shapes_of_pairs(enum operation unused, struct shape *unit, struct shape *output)
{
    (void)unused;
    *unit = (struct shape){
        8, 4, 2, {{"coordinate", FIELD_FLOAT, 0, 32}, {"next one", FIELD_FLOAT, 32, 32}}};
    *output = (struct shape){4, 4, 1, {{"bin", FIELD_FLOAT, 0, 32}}};
}

/* A warp that reads distant pairs comes to the last part of x or y, and back to the first, with each tile: such
 * a step back is no lap. A pair takes 16 atomics. */
static void look_far_pairs(struct far_plan *plan)
{
    plan->limits.laps = 1 << 16;
    plan->threads = 1 << 22;
}

const struct contract joint_histogram_contract = {
    .words = {.function = "joint_histogram()",
              .unit = "pair",
              .units = "pairs",
              .input = "coordinates",
              .output = "bins",
              .output_is = "the bins are",
              .by_kernel = "the pairs have to be counted by kernels, on the device",
              .when_empty = "without pairs the grid has 0 blocks, which CUDA refuses; but the "
                            "bins have to become 0"},
    .oracle = joint_oracle,
    .may_hold = joint_may_hold,
    .say = joint_say,
    .causes = &causes_of_joint,
    .compare = compare_pairs,
    .outputs = "bins",
    .name_output = name_output_pairs,
    .counted = counted_of_pairs,
    .longest_part = 1 << 18,
    .draw = draw_pairs,
    .shapes = shapes_of_pairs,
    .sets = true,
    .guard = 1.5f,   /* each pair would be counted */
    .accesses = 256, /* 16 additions for a pair */
    .look_far = look_far_pairs,
};
