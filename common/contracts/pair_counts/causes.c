/* causes.c - the likeliest cause of a wrong counter: patterns from the most to the least specific, of which the
 * first that fits is printed. */
#include "contract.h"

#include <math.h>

#include "exact_pairs.h"
#include "grouped.h"

static const char *const names[PAIR_KINDS] = {"DD", "DR", "RR"};

/* Of the kind of the first wrong counter. */
static size_t kind_of_first(const struct difference *d)
{
    return d->first / d->oracle->at.counters;
}

static uint64_t sum_of(const struct difference *d, const uint64_t *of_each, bool is_off)
{
    const size_t counters = d->oracle->at.counters, begin = kind_of_first(d) * counters;
    uint64_t sum = 0;
    for (size_t i = begin; i < begin + counters; i++)
        sum += is_off ? (uint64_t)counter_off(d->oracle, i, wide_word_at(d->held, i)) : of_each[i];
    return sum;
}

static bool edge_changed(struct difference *d)
{
    return d->first >= d->oracle->at.edges &&
           because(d, "a kernel has written there, behind the counters or over the edges");
}

/* Whether all counters of the kind to which something comes are that, or it and what came. */
static bool all_hold(const struct difference *d, bool before, bool added)
{
    const size_t counters = d->oracle->at.counters, begin = kind_of_first(d) * counters;
    bool all = true;
    for (size_t i = begin; i < begin + counters; i++)
        all &= d->oracle->added[i] == 0 ||
               wide_word_at(d->held, i) == (before ? wide_word_at(d->input->bins, i) : 0) +
                                               (added ? d->oracle->added[i] : 0);
    return all && sum_of(d, d->oracle->added, false) > 0;
}

static bool nothing_added(struct difference *d)
{
    return all_hold(d, true, false) &&
           because(d,
                   "nothing is added to the counters of %s: no pair of them is counted, or no "
                   "thread commits them",
                   names[kind_of_first(d)]);
}

static bool overwritten(struct difference *d)
{
    return all_hold(d, false, true) &&
           because(d, "the counters are set, and what they held before is lost: add to them");
}

static bool in_32_bits(struct difference *d)
{
    return (uint32_t)counter_off(d->oracle, d->first, wide_word_at(d->held, d->first)) == 0 &&
           because(d, "the lower 32 bits are right, and the upper ones are not: a total has 64 "
                      "bits, so add an unsigned long long");
}

/* How much the i-th counter has grown. */
static uint64_t growth(const struct difference *d, size_t i)
{
    return wide_word_at(d->held, i) - wide_word_at(d->input->bins, i);
}

static bool of_another_kind(struct difference *d)
{
    const size_t counters = d->oracle->at.counters, kind = kind_of_first(d);
    for (size_t other = 0; other < PAIR_KINDS; other++) {
        bool all = other != kind && sum_of(d, d->oracle->added, false) > 0;
        for (size_t i = 0; i < counters; i++)
            all &= growth(d, kind * counters + i) == d->oracle->added[other * counters + i];
        if (all)
            return because(d, "the pairs of %s are added to the counters of %s", names[other],
                           names[kind]);
    }
    return false;
}

static bool counters_left_out(struct difference *d)
{
    const size_t counters = d->oracle->at.counters, begin = kind_of_first(d) * counters;
    uint64_t lost = 0;
    for (size_t i = begin; i < begin + counters; i++)
        lost += growth(d, i) == 0 ? d->oracle->added[i] : 0;
    return lost > 0 && lost + sum_of(d, NULL, true) == 0 &&
           because(d,
                   "no thread commits the %s pairs of counter %zu of %s: there are bins + 2 of "
                   "them, which may be more than threads of a block",
                   grouped(d->oracle->added[d->first]), d->first - begin, names[kind_of_first(d)]);
}

/* Whether a counter of that kind has more than it should, which no pair that is left out makes. */
static bool has_too_many(const struct difference *d)
{
    const size_t counters = d->oracle->at.counters, begin = kind_of_first(d) * counters;
    bool any = false;
    for (size_t i = begin; i < begin + counters; i++)
        any |= growth(d, i) > d->oracle->added[i];
    return any;
}

/* Whether each counter of that kind holds twice what it should. */
static bool is_twice(const struct difference *d)
{
    const size_t counters = d->oracle->at.counters, begin = kind_of_first(d) * counters;
    bool all = true;
    for (size_t i = begin; i < begin + counters; i++)
        all &= growth(d, i) == 2 * d->oracle->added[i];
    return all;
}

static bool wrong_total(struct difference *d)
{
    const struct oracle *oracle = d->oracle;
    const size_t kind = kind_of_first(d);
    const char *name = names[kind];
    const uint64_t more = sum_of(d, NULL, true), pairs = sum_of(d, oracle->added, false);
    const uint64_t points = kind == DR ? 0 : oracle->at.points * (kind == DD ? 1 : oracle->at.sets);
    if (more == 0)
        return false;
    if (more == oracle->not_counted[kind])
        return because(d, "pairs are counted whose distance is NaN: no edge is above or below it");
    if (more == points)
        return because(d,
                       "each point is paired with itself: the triangle of %s begins behind the "
                       "diagonal, at j = i + 1",
                       name);
    if (more == pairs && !is_twice(d))
        return because(d,
                       "beside the %s pairs of %s as many others are counted, of other distances: "
                       "those of another set, or of another kind",
                       grouped(pairs), name);
    if (more == pairs || more == pairs + points)
        return because(d, "each pair of %s is counted twice%s", name,
                       more == pairs ? ", as i with j and as j with i"
                                     : ", and each point with itself");
    if ((int64_t)more < 0 && has_too_many(d))
        return because(d,
                       "of %s pairs of %s, %s are lost, and others are in bins of other distances: "
                       "the squared distance is another number, and one below 0, or a NaN, is not "
                       "counted",
                       grouped(pairs), name, grouped(-more));
    if ((int64_t)more < 0)
        return because(d, "of %s pairs of %s, %s are lost: tiles or points are left out",
                       grouped(pairs), name, grouped(-more));
    if (kind == DR && more % oracle->at.points == 0)
        return because(d,
                       "each point of the random sets has %s pairs more than it should: threads "
                       "without a data point count, or points are taken twice",
                       grouped(more / oracle->at.points / oracle->at.sets));
    return because(d, "beside %s pairs of %s, %s are counted that are twice there or are none",
                   grouped(pairs), name, grouped(more));
}

/* Whether the counters are right when pairs are counted in that way. */
static bool fits(const struct difference *d, counter_of_pair *counter, double lost)
{
    return holds_by(d, oracle_by(d->input, counter, lost));
}

/* A distance that is an edge is below it. */
static uint32_t counter_below(const struct oracle *oracle, const float *p, const float *q)
{
    const double distance = chord_between(p, q);
    return isnan(distance) ? UINT32_MAX : edges_up_to(oracle, nextafter(distance, -1));
}

static bool edge_below(struct difference *d)
{
    return fits(d, counter_below, 0) &&
           because(d, "a distance that is an edge belongs to the bin above it: compare with >=");
}

/* The first edge of a cell alone is looked at: cells are floats with the same bits from number `shift` on. */
static uint32_t counter_by_cell(const struct oracle *oracle, const float *p, const float *q,
                                unsigned int shift)
{
    const float distance = (float)chord_between(p, q);
    const float least = float_of_bits(bits_of_float(distance) >> shift << shift);
    const uint32_t up_to_all = edges_up_to(oracle, (double)distance),
                   up_to_cell = edges_up_to(oracle, (double)least);
    return isnan(distance) || up_to_all == up_to_cell ? up_to_all : up_to_cell + 1;
}

static uint32_t counter_by_octave(const struct oracle *oracle, const float *p, const float *q)
{
    return counter_by_cell(oracle, p, q, 23);
}

static uint32_t counter_by_half(const struct oracle *oracle, const float *p, const float *q)
{
    return counter_by_cell(oracle, p, q, 22);
}

/* The last edge is not looked at. */
static uint32_t counter_but_last(const struct oracle *oracle, const float *p, const float *q)
{
    const double distance = chord_between(p, q);
    const uint32_t up_to = edges_up_to(oracle, distance), last = edges_up_to(oracle, INFINITY);
    return isnan(distance) ? UINT32_MAX : up_to == last ? up_to - 1 : up_to;
}

static bool last_edge_lost(struct difference *d)
{
    const bool fits_last = fits(d, counter_but_last, 0);
    return fits_last &&
           because(d, "%s",
                   fits(d, counter_by_octave, 0)
                       ? "either the last edge is not looked at, or it and the edge before it "
                         "share a cell of a whole octave, and only the first of them is looked at: "
                         "shift by 22"
                       : "no distance comes above the last edge: it is not looked at (there is one "
                         "edge more than bins)");
}

static bool cell_shared(struct difference *d)
{
    const bool by_octave = fits(d, counter_by_octave, 0);
    return (by_octave || fits(d, counter_by_half, 0)) &&
           because(d,
                   "two edges share a cell of %s octave, and only the first of them is looked at: "
                   "%s",
                   by_octave ? "a whole" : "half an",
                   by_octave ? "shift by 22" : "such cells need the search");
}

static uint32_t counter_by_dot(const struct oracle *oracle, const float *p, const float *q)
{
    double dot = 0;
    for (size_t i = 0; i < 3; i++)
        dot += (double)p[i] * (double)q[i];
    return edges_up_to(oracle, 2 - 2 * dot);
}

/* 2 - 2pq is off by a few units in the last place of 2, however near the points are. */
static bool dot_product(struct difference *d)
{
    static const double lost = 8.0 / (1 << 23);
    if (fits(d, counter_exactly, lost))
        return because(d, "pairs are a bin off where distances are small: 2 - 2pq subtracts two "
                          "numbers that are nearly equal, and few digits are left; subtract the "
                          "points first");
    return fits(d, counter_by_dot, lost) &&
           because(d, "2 - 2pq is the distance on the unit sphere alone, and there it loses the "
                      "digits of small ones; subtract the points first");
}

static uint32_t counter_by_root(const struct oracle *oracle, const float *p, const float *q)
{
    const double distance = chord_between(p, q);
    return isnan(distance) ? UINT32_MAX : edges_up_to(oracle, sqrt(distance));
}

static bool root_taken(struct difference *d)
{
    return fits(d, counter_by_root, 0) &&
           because(d, "distances are compared with the edges after a root was taken: edges are "
                      "those of squared chords");
}

static bool another_bin(struct difference *d)
{
    return because(d,
                   "as many pairs as there are, in other bins: the squared distance of a pair is "
                   "another number, or its counter is (counter b is for distances that b of the "
                   "edges do not exceed)");
}

cause_of_output *const likely_causes[] = {
    edge_changed, nothing_added, overwritten,    in_32_bits,  of_another_kind, counters_left_out,
    wrong_total,  edge_below,    last_edge_lost, cell_shared, dot_product,     root_taken,
    another_bin,  NULL};
