/* causes.c - the likeliest cause of a wrong counter: patterns from the most to the least specific, of which the
 * first that fits is printed. */
#include "contract.h"

#include <math.h>

#include "exact_pairs.h"
#include "grouped.h"

static const char *const names[PAIR_KINDS] = {"DD", "DR", "RR"};

/* What has come of the kind of pairs to which the first wrong counter belongs. */
struct kind {
    size_t number, begin; /* and its first counter */
    uint64_t pairs, more; /* that it should get, and got besides, modulo 2^64 */
    uint64_t untouched;   /* pairs of counters that have not grown */
    bool stays,
        is_set; /* its counters to which pairs belong hold what they did, or nothing but what came */
    bool is_twice; /* each got twice what it should */
    bool exceeds;  /* any got more than it should, which no pair that is left out makes */
};

/* How much the i-th counter has grown. */
static uint64_t growth(const struct difference *d, size_t i)
{
    return wide_word_at(d->held, i) - wide_word_at(d->input->bins, i);
}

static struct kind kind_of(const struct difference *d)
{
    const size_t counters = d->oracle->at.counters, number = d->first / counters;
    struct kind kind = {number, number * counters, .stays = 1, .is_set = 1, .is_twice = 1};
    for (size_t i = kind.begin; i < kind.begin + counters; i++) {
        const uint64_t should = d->oracle->added[i], has = growth(d, i);
        kind.pairs += should;
        kind.more += has - should;
        kind.untouched += has == 0 ? should : 0;
        kind.stays &= should == 0 || has == 0;
        kind.is_set &= should == 0 || wide_word_at(d->held, i) == should;
        kind.is_twice &= has == 2 * should;
        kind.exceeds |= has > should;
    }
    return kind;
}

static bool edge_changed(struct difference *d)
{
    return d->first >= d->oracle->at.edges &&
           because(d, "a kernel has written there, behind the counters or over the edges");
}

static bool nothing_added(struct difference *d)
{
    const struct kind kind = kind_of(d);
    return kind.stays && kind.pairs > 0 &&
           because(d,
                   "nothing is added to the counters of %s: no pair of them is counted, or no "
                   "thread commits them",
                   names[kind.number]);
}

static bool overwritten(struct difference *d)
{
    const struct kind kind = kind_of(d);
    return kind.is_set && kind.pairs > 0 &&
           because(d, "the counters are set, and what they held before is lost: add to them");
}

static bool in_32_bits(struct difference *d)
{
    return (uint32_t)counter_off(d->oracle, d->first, wide_word_at(d->held, d->first)) == 0 &&
           because(d, "the lower 32 bits are right, and the upper ones are not: a total has 64 "
                      "bits, so add an unsigned long long");
}

static bool of_another_kind(struct difference *d)
{
    const struct kind kind = kind_of(d);
    const size_t counters = d->oracle->at.counters;
    for (size_t other = 0; other < PAIR_KINDS; other++) {
        bool all = other != kind.number && kind.pairs > 0;
        for (size_t i = 0; i < counters; i++)
            all &= growth(d, kind.begin + i) == d->oracle->added[other * counters + i];
        if (all)
            return because(d, "the pairs of %s are added to the counters of %s", names[other],
                           names[kind.number]);
    }
    return false;
}

static bool counters_left_out(struct difference *d)
{
    const struct kind kind = kind_of(d);
    return kind.untouched > 0 && kind.untouched + kind.more == 0 &&
           because(d,
                   "no thread commits the %s pairs of counter %zu of %s: there are bins + 2 of "
                   "them, which may be more than threads of a block",
                   grouped(d->oracle->added[d->first]), d->first - kind.begin, names[kind.number]);
}

/* Of pairs that are lost. */
static bool too_few(struct difference *d)
{
    const struct kind kind = kind_of(d);
    return (int64_t)kind.more < 0 &&
           because(d, "of %s pairs of %s, %s are lost%s", grouped(kind.pairs), names[kind.number],
                   grouped(-kind.more),
                   kind.exceeds
                       ? ", and others are in bins of other distances: the squared distance is "
                         "another number, and one below 0, or a NaN, is not counted"
                       : ": tiles or points are left out");
}

static bool wrong_total(struct difference *d)
{
    const struct oracle *oracle = d->oracle;
    const struct kind kind = kind_of(d);
    const char *name = names[kind.number];
    const uint64_t more = kind.more, all = oracle->at.points;
    const uint64_t points = kind.number == DR ? 0 : kind.number == DD ? all : all * oracle->at.sets;
    if (more == 0)
        return false;
    if (more == oracle->not_counted[kind.number])
        return because(d, "pairs are counted whose distance is NaN: no edge is above or below it");
    if (more == points)
        return because(d,
                       "each point is paired with itself: the triangle of %s begins behind the "
                       "diagonal, at j = i + 1",
                       name);
    if (more == kind.pairs && !kind.is_twice)
        return because(d,
                       "beside the %s pairs of %s as many others are counted, of other distances: "
                       "those of another set, or of another kind",
                       grouped(kind.pairs), name);
    if (more == kind.pairs || more == kind.pairs + points)
        return because(d, "each pair of %s is counted twice%s", name,
                       more == kind.pairs ? ", as i with j and as j with i"
                                          : ", and each point with itself");
    if (too_few(d))
        return true;
    if (kind.number == DR && more % all == 0)
        return because(d,
                       "each point of the random sets has %s pairs more than it should: threads "
                       "without a data point count, or points are taken twice",
                       grouped(more / all / oracle->at.sets));
    return because(d, "beside %s pairs of %s, %s are counted that are twice there or are none",
                   grouped(kind.pairs), name, grouped(more));
}

/* A distance that is an edge is below it. */
static uint32_t counter_below(const struct oracle *oracle, const float *p, const float *q)
{
    const double distance = chord_between(p, q);
    return isnan(distance) ? UINT32_MAX : edges_up_to(oracle, nextafter(distance, -1));
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

static uint32_t counter_by_dot(const struct oracle *oracle, const float *p, const float *q)
{
    double dot = 0;
    for (size_t i = 0; i < 3; i++)
        dot += (double)p[i] * (double)q[i];
    return edges_up_to(oracle, 2 - 2 * dot);
}

static uint32_t counter_by_root(const struct oracle *oracle, const float *p, const float *q)
{
    const double distance = chord_between(p, q);
    return isnan(distance) ? UINT32_MAX : edges_up_to(oracle, sqrt(distance));
}

/* Ways to count a pair, of which the first that explains all counters is told; where two are given, both have to.
 * 2 - 2pq is off by a few units in the last place of 2, however near the points are. */
static const struct mistake {
    counter_of_pair *counter, *other;
    double lost;
    const char *says;
} mistakes[] = {
    {counter_below, NULL, 0,
     "a distance that is an edge belongs to the bin above it: compare with >="},
    {counter_but_last, counter_by_octave, 0,
     "either the last edge is not looked at, or it and the edge before it share a cell of a whole "
     "octave, and only the first of them is looked at: shift by 22"},
    {counter_but_last, NULL, 0,
     "no distance comes above the last edge: it is not looked at (there is one edge more than "
     "bins)"},
    {counter_by_octave, NULL, 0,
     "two edges share a cell of a whole octave, and only the first of them is looked at: shift by "
     "22"},
    {counter_by_half, NULL, 0,
     "two edges share a cell of half an octave, and only the first of them is looked at: such "
     "cells need the search"},
    {counter_exactly, NULL, 8.0 / (1 << 23),
     "pairs are a bin off where distances are small: 2 - 2pq subtracts two numbers that are nearly "
     "equal, and few digits are left; subtract the points first"},
    {counter_by_dot, NULL, 8.0 / (1 << 23),
     "2 - 2pq is the distance on the unit sphere alone, and there it loses the digits of small "
     "ones; subtract the points first"},
    {counter_by_root, NULL, 0,
     "distances are compared with the edges after a root was taken: edges are those of squared "
     "chords"},
};

static bool counted_otherwise(struct difference *d)
{
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        const struct mistake *one = &mistakes[i];
        if (holds_by(d, oracle_by(d->input, one->counter, one->lost)) &&
            (!one->other || holds_by(d, oracle_by(d->input, one->other, one->lost))))
            return because(d, "%s", one->says);
    }
    return false;
}

static bool another_bin(struct difference *d)
{
    return because(d,
                   "as many pairs as there are, in other bins: the squared distance of a pair is "
                   "another number, or its counter is (counter b is for distances that b of the "
                   "edges do not exceed)");
}

cause_of_output *const likely_causes[] = {
    edge_changed,      nothing_added, overwritten,       in_32_bits,  of_another_kind,
    counters_left_out, wrong_total,   counted_otherwise, another_bin, NULL};
