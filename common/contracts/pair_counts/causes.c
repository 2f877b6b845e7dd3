/* causes.c - the likeliest cause of a wrong counter: patterns from the most to the least specific, of which the
 * first that fits is printed. */
#include "contract.h"

#include <math.h>
#include <stdlib.h>

#include "exact_pairs.h"
#include "grouped.h"
#include "must_have.h"

static const char *const names[PAIR_KINDS] = {"DD", "DR", "RR"};

static uint64_t held_at(const struct difference *d, size_t i)
{
    uint64_t word;
    memcpy(&word, d->held + i * sizeof word, sizeof word);
    return word;
}

static enum pair_kind kind_of_first(const struct difference *d)
{
    return oracle_kind(d->oracle, d->first);
}

/* Pairs of a kind that are counted. */
static uint64_t pairs_of(const struct oracle *oracle, enum pair_kind kind)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < oracle->at.counters; i++)
        sum += oracle->added[kind * oracle->at.counters + i];
    return sum;
}

static bool edge_changed(struct difference *d)
{
    return kind_of_first(d) == PAIR_KINDS &&
           because(d, "a kernel has written there, behind the counters or over the edges");
}

/* Whether all counters with something to add are as `is` says. */
static bool all_are(const struct difference *d,
                    bool (*is)(const struct oracle *oracle, size_t i, uint64_t held))
{
    const enum pair_kind kind = kind_of_first(d);
    const size_t counters = d->oracle->at.counters;
    bool all = true;
    for (size_t i = kind * counters; i < (kind + 1) * counters; i++)
        all &= d->oracle->added[i] == 0 || is(d->oracle, i, held_at(d, i));
    return all;
}

static bool is_as_before(const struct oracle *oracle, size_t i, uint64_t held)
{
    return held == oracle->before[i];
}

static bool nothing_added(struct difference *d)
{
    return all_are(d, is_as_before) && pairs_of(d->oracle, kind_of_first(d)) > 0 &&
           because(d,
                   "nothing is added to the counters of %s: no pair of them is counted, or no "
                   "thread commits them",
                   names[kind_of_first(d)]);
}

static bool is_overwritten(const struct oracle *oracle, size_t i, uint64_t held)
{
    return held == oracle->added[i];
}

static bool overwritten(struct difference *d)
{
    return all_are(d, is_overwritten) &&
           because(d, "the counters are set, and what they held before is lost: add to them");
}

static bool in_32_bits(struct difference *d)
{
    const size_t i = d->first;
    const uint64_t right = d->oracle->before[i] + d->oracle->added[i];
    return (uint32_t)held_at(d, i) == (uint32_t)right && held_at(d, i) != right &&
           because(d,
                   "the lower 32 bits are right, and the upper ones are not: a total has 64 bits, "
                   "so add an unsigned long long");
}

/* A total that is too large says by how much. */
static bool wrong_total(struct difference *d)
{
    const struct oracle *oracle = d->oracle;
    const enum pair_kind kind = kind_of_first(d);
    const int64_t off = oracle_off(oracle, d->held, kind);
    const uint64_t more = (uint64_t)off, pairs = pairs_of(oracle, kind),
                   points = oracle->at.points * (kind == DD ? 1 : oracle->at.sets);
    if (off == 0)
        return false;
    if (more == oracle->not_counted[kind])
        return because(d, "pairs are counted whose distance is NaN: no edge is above or below it");
    if (kind != DR && more == points)
        return because(d,
                       "each point is paired with itself: the triangle of %s begins behind the "
                       "diagonal, at j = i + 1",
                       names[kind]);
    if (more == pairs || (kind != DR && more == pairs + points))
        return because(d, "each pair of %s is counted twice%s", names[kind],
                       more == pairs ? ", as i with j and as j with i"
                                     : ", and points with themselves");
    return because(d,
                   off < 0 ? "of %s pairs of %s, %s are lost: tiles or points are left out"
                           : "of %s pairs of %s, %s are counted once too often",
                   grouped(pairs), names[kind], grouped(off < 0 ? -more : more));
}

/* Whether the counters are right when pairs are counted in that way. */
static bool fits(const struct difference *d, counter_of_pair *counter, double lost)
{
    struct oracle other = *d->oracle;
    size_t first;
    other.added = must_have(calloc(other.at.edges, sizeof *other.added), "to explain");
    other.near_edge = must_have(calloc(other.at.edges, sizeof *other.near_edge), "to explain");
    oracle_count(&other, counter, lost);
    const bool fit = oracle_wrong(&other, d->held, &first) == 0;
    free(other.added);
    free(other.near_edge);
    return fit;
}

/* The edges below a distance. */
static uint32_t counter_behind(const struct oracle *oracle, const float *p, const float *q)
{
    const double distance = oracle_chord(p, q);
    uint32_t edges = 0;
    while (edges <= oracle->at.bins && (double)oracle->edges[edges] < distance)
        edges++;
    return isnan(distance) ? UINT32_MAX : edges;
}

static bool edge_below(struct difference *d)
{
    return fits(d, counter_behind, 0) &&
           because(d, "a distance that is an edge belongs to the bin above it: compare with >=");
}

/* The first edge of a cell alone is looked at: cells are floats with the same bits from number `shift` on. */
static uint32_t counter_by_cell(const struct oracle *oracle, const float *p, const float *q,
                                unsigned int shift)
{
    const float distance = (float)oracle_chord(p, q);
    uint32_t bits, edges = 0;
    float least;
    memcpy(&bits, &distance, sizeof bits);
    bits = bits >> shift << shift;
    memcpy(&least, &bits, sizeof least);
    while (edges <= oracle->at.bins && oracle->edges[edges] <= least)
        edges++;
    edges += edges <= oracle->at.bins && oracle->edges[edges] <= distance;
    return isnan(distance) ? UINT32_MAX : edges;
}

static uint32_t counter_by_octave(const struct oracle *oracle, const float *p, const float *q)
{
    return counter_by_cell(oracle, p, q, 23);
}

static uint32_t counter_by_half(const struct oracle *oracle, const float *p, const float *q)
{
    return counter_by_cell(oracle, p, q, 22);
}

static bool cell_shared(struct difference *d)
{
    const bool octave = fits(d, counter_by_octave, 0);
    return (octave || fits(d, counter_by_half, 0)) &&
           because(d,
                   "two edges share a cell of %s octave, and only the first of them is looked at: "
                   "%s",
                   octave ? "a whole" : "half an",
                   octave ? "shift by 22" : "such cells need the search");
}

/* 2 - 2pq is off by a few units in the last place of 2, however near the points are. */
static bool may_cancel(struct difference *d)
{
    static const double lost = 8.0 / (1 << 23);
    return fits(d, counter_exactly, lost) &&
           because(d, "pairs are a bin off where distances are small: 2 - 2pq subtracts two "
                      "numbers that are nearly equal, and few digits are left; subtract the points "
                      "first");
}

static bool another_bin(struct difference *d)
{
    return because(d,
                   "as many pairs as there are, in other bins: counter b is for distances that b "
                   "of the edges do not exceed");
}

cause_of_output *const likely_causes[] = {edge_changed, nothing_added, overwritten, in_32_bits,
                                          wrong_total,  edge_below,    cell_shared, may_cancel,
                                          another_bin,  NULL};
