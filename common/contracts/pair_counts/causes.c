/* causes.c - the likeliest cause of a wrong counter: patterns from the most to the least specific, of which the
 * first that fits is printed. */
#include "contract.h"

#include "exact_pairs.h"
#include "grouped.h"

static const char *const names[PAIR_KINDS] = {"DD", "DR", "RR"};

/* What has come of the kind of pairs to which the first wrong counter belongs. */
struct kind {
    size_t number, begin; /* and its first counter */
    uint64_t pairs, more; /* pairs that it should get, and that it got besides, modulo 2^64 */
    uint64_t untouched;   /* pairs of counters that have not grown */
    bool is_set;          /* its counters hold nothing but what came */
    bool is_twice;        /* each got twice what it should */
    bool exceeds;         /* any got more than it should, which no pair that is left out makes */
};

static uint64_t growth(const struct difference *d, size_t i)
{
    return counter_growth(d->oracle, i, d->held + i * WORD);
}

static struct kind kind_of_pairs(const struct difference *d)
{
    const size_t counters = d->oracle->at.counters, number = d->first / counters;
    struct kind kind = {number, number * counters, .is_set = true, .is_twice = true};
    for (size_t i = kind.begin; i < kind.begin + counters; i++) {
        const uint64_t should = d->oracle->added[i], has = growth(d, i);
        kind.pairs += should;
        kind.more += has - should;
        kind.untouched += has == 0 ? should : 0;
        kind.is_set &= wide_word_at(d->held, i) == should;
        kind.is_twice &= has == 2 * should;
        kind.exceeds |= has > should;
    }
    return kind;
}

static bool in_32_bits(struct difference *d)
{
    return (uint32_t)(growth(d, d->first) - d->oracle->added[d->first]) == 0 &&
           because(d, "the lower 32 bits are right, and the upper ones are not: a total has 64 "
                      "bits, so add an unsigned long long");
}

static bool of_another_kind(struct difference *d)
{
    const struct kind kind = kind_of_pairs(d);
    const size_t counters = d->oracle->at.counters;
    if (kind.is_set)
        return because(d, "the counters are set, and what they held before is lost: add to them");
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

/* Some pairs are lost. */
static bool too_few(struct difference *d)
{
    const struct kind kind = kind_of_pairs(d);
    if (kind.untouched > 0 && kind.untouched + kind.more == 0 && kind.untouched < kind.pairs)
        return because(d,
                       "no thread commits the %s pairs of counter %zu of %s: there are bins + 2 "
                       "of them, which may be more than threads of a block",
                       grouped(d->oracle->added[d->first]), d->first - kind.begin,
                       names[kind.number]);
    return (int64_t)kind.more < 0 &&
           because(d, "of %s pairs of %s, %s are lost%s", grouped(kind.pairs), names[kind.number],
                   grouped(-kind.more),
                   kind.pairs + kind.more == 0
                       ? ": no pair of them is counted, or no thread commits them"
                   : kind.exceeds
                       ? ", and others are in bins of other distances: the squared distance is "
                         "another number, and one below 0, or a NaN, is not counted"
                       : ": tiles or points are left out");
}

static bool too_many(struct difference *d)
{
    const struct oracle *oracle = d->oracle;
    const struct kind kind = kind_of_pairs(d);
    const uint64_t more = kind.more, all = oracle->at.points;
    const uint64_t points = kind.number == DR ? 0 : kind.number == DD ? all : all * oracle->at.sets;
    const char *says =
        more == oracle->not_counted[kind.number]
            ? "pairs of %s are counted whose distance is NaN: no edge is above or below it"
        : more == points ? "each point is paired with itself: the triangle of %s begins behind the "
                           "diagonal, at j = i + 1"
        : more == kind.pairs + points
            ? "each pair of %s is counted twice, and each point with itself"
        : kind.is_twice ? "each pair of %s is counted twice, as i with j and as j with i"
        : more == kind.pairs
            ? "beside the pairs of %s as many others are counted, of other distances: those of "
              "another set, or of another kind"
            : NULL;
    if (more == 0)
        return false;
    if (says)
        return because(d, says, names[kind.number]);
    if (kind.number == DR && more % all == 0)
        return because(d,
                       "each point of the random sets has %s pairs more than it should: threads "
                       "without a data point count, or points are taken twice",
                       grouped(more / all / oracle->at.sets));
    return because(d, "beside %s pairs of %s, %s are counted that are twice there or are none",
                   grouped(kind.pairs), names[kind.number], grouped(more));
}

static bool another_bin(struct difference *d)
{
    return nobody_knows(d, "as many pairs as there are, in other bins: the squared distance of a "
                           "pair is another number, or its counter is");
}

static const char *const mistakes[RULES + 1] = {
    [EDGES_BELOW] = "a distance that is an edge belongs to the bin above it: compare with >=",
    [NO_LAST_EDGE] = "either the last edge is not looked at, or it and the edge before it "
                     "share a cell of a whole octave, and only the first of them is looked "
                     "at: shift by 22",
    [HALF_OCTAVES] = "two edges share a cell of half an octave, and only the first of them is "
                     "looked at: such cells need the search",
    [LOST_DIGITS] = "pairs are a bin off where distances are small: 2 - 2pq subtracts two "
                    "numbers that are nearly equal, and few digits are left; subtract the "
                    "points first",
    [ROOTS] = "distances are compared with the edges after a root was taken: edges are those "
              "of squared chords",
};

static struct oracle *pairs_if(const struct input *input, const struct hypothesis *hypothesis)
{
    return pairs_by(input, (enum rule)hypothesis->rule);
}

static cause_of_output *const likely[] = {in_32_bits,    of_another_kind, too_few, too_many,
                                          known_mistake, another_bin,     NULL};

const struct causes causes_of_pairs = {likely, mistakes, pairs_if, NULL};
