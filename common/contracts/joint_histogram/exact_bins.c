/* exact_bins.c - the joint histogram of some pairs: see exact_bins.h. */
#include "exact_bins.h"

#include <math.h>
#include <stdlib.h>

#include "float_sum.h"
#include "must_have.h"

enum { TOUCHED = 4 };

/* What a coordinate brings to the bins of its side. */
struct spread {
    bool is_counted;
    size_t first;
    double weights[TOUCHED];
};

static void set_weights(double t, double *weights)
{
    const double rest = 1 - t;
    weights[0] = rest * rest * rest / 6;
    weights[1] = (3 * t * t * t - 6 * t * t + 4) / 6;
    weights[2] = (3 * rest * rest * rest - 6 * rest * rest + 4) / 6;
    weights[3] = t * t * t / 6;
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
    set_weights(rule == MIRRORED ? 1 - (x - below) : x - below, spread.weights);
    if (rule == ROUNDS && x - below >= 0.5)
        spread.first += spread.first < (size_t)last;
    if (rule == ONE_BIN)
        memcpy(spread.weights, (const double[TOUCHED]){1}, sizeof spread.weights);
    return spread;
}

static void add(struct oracle *oracle, const struct spread *x, const struct spread *y,
                enum rule rule)
{
    if (!x->is_counted || !y->is_counted)
        return;
    oracle->counted++;
    for (size_t j = 0; j < TOUCHED; j++)
        for (size_t i = 0; i < TOUCHED; i++) {
            const size_t right = i, down = j;
            const size_t bin =
                (y->first + (rule == SIDES_SWAPPED ? right : down)) * oracle->sides.x + x->first +
                (rule == SIDES_SWAPPED ? down : right);
            oracle->sums[bin] += x->weights[i] * y->weights[j];
            oracle->touching[bin]++;
        }
}

/* 8 x 2^-k, as the contract says. */
static double unit_of(size_t length)
{
    int bits = 19;
    for (size_t most = (size_t)1 << 20; bits > 16 && most < length; most *= 2)
        bits--;
    return ldexp(8, -bits);
}

struct oracle *bins_by(const struct input *input, enum rule rule)
{
    static const char what[] = "to count pairs as a kernel should";
    struct oracle *oracle = must_have(calloc(1, sizeof *oracle), what);
    oracle->sides = sides_of(input->num_bins, input->more);
    oracle->bins = oracle->sides.x * oracle->sides.y;
    oracle->unit = unit_of(input->length);
    oracle->sums = must_have(calloc(oracle->bins + 1, sizeof *oracle->sums), what);
    oracle->touching = must_have(calloc(oracle->bins + 1, sizeof *oracle->touching), what);
    for (size_t i = 0; i < input->length; i++) {
        const struct spread x =
            spread_of((double)input_coordinate(input, i), oracle->sides.x, rule);
        const struct spread y =
            spread_of((double)input_coordinate(input, input->length + i), oracle->sides.y, rule);
        add(oracle, &x, &y, rule);
    }
    return oracle;
}

struct oracle *bins_exact(const struct input *input)
{
    return bins_by(input, RIGHT);
}

void bins_free(struct oracle *oracle)
{
    free(oracle->sums);
    free(oracle->touching);
    free(oracle);
}

double bins_bound(const struct oracle *oracle, size_t bin)
{
    return oracle->touching[bin] * oracle->unit + ldexp(oracle->sums[bin], -24);
}

bool bins_may_hold(const struct oracle *oracle, size_t bin, const unsigned char *held)
{
    return fabs((double)float_at(held) - oracle->sums[bin]) <= bins_bound(oracle, bin);
}

size_t bins_wrong(const struct oracle *oracle, const unsigned char *held, size_t *first)
{
    size_t wrong = 0;
    for (size_t bin = oracle->bins; bin-- > 0;)
        if (!bins_may_hold(oracle, bin, held + bin * sizeof(float))) {
            wrong++;
            *first = bin;
        }
    return wrong;
}

double bins_total(const struct oracle *oracle, const unsigned char *held)
{
    double total = 0;
    for (size_t bin = 0; bin < oracle->bins; bin++)
        total += (double)float_at(held + bin * sizeof(float));
    return total;
}

bool bins_total_fits(const struct oracle *oracle, double total)
{
    return fabs(total - (double)oracle->counted) <= ldexp((double)oracle->counted, -24);
}
