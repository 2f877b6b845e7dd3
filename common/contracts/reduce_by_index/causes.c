/* causes.c - the likeliest cause of a wrong bin.
 *
 * Each cause is a small function that looks for one pattern and writes a sentence when it fits; or a
 * hypothesis, other keys for the elements, with which all bins would be what they are. They are tried
 * from the most to the least specific; the first that fits is printed. */
#include "contract.h"

#include <math.h>
#include <string.h>

#include "grouped.h"
#include "hypotheses.h"
#include "must_have.h"
#include "oracle.h"

static size_t bin_bytes(const struct difference *d)
{
    return operation_bin_bytes(d->oracle->operation);
}

static const unsigned char *held(const struct difference *d, size_t bin)
{
    return d->held + bin * bin_bytes(d);
}

static bool agrees(const struct difference *d, size_t bin)
{
    return oracle_may_hold(d->oracle, bin, held(d, bin));
}

/* Whether a bin is as it was before the call. */
static bool untouched(const struct difference *d, size_t bin)
{
    return memcmp(held(d, bin), d->input->bins + bin * bin_bytes(d), bin_bytes(d)) == 0;
}

/* Other keys for the elements, and whether all bins would be what they are with them. */
static bool holds(const struct difference *d, oracle_bin *bin_of_element, const void *context)
{
    return holds_by(d, oracle_with(d->input, bin_of_element, context));
}

bool holds_without(const struct difference *d, keeps_unit *keeps, uint64_t number)
{
    return holds(d, bin_if_kept, &(struct left_out){keeps, hypothesis_of(d, number)});
}

static bool nothing_done(struct difference *d)
{
    return memcmp(d->held, d->input->bins, d->oracle->num_bins * bin_bytes(d)) == 0 &&
           because(d, "all bins hold what they held before: no thread has combined anything into "
                      "d_bins, or nothing that changes them");
}

static bool key_beyond_counted(struct difference *d)
{
    const bool last = holds(d, clamped_bin, NULL);
    if (!last && !holds(d, wrapped_bin, NULL))
        return false;
    return because(d, "elements whose key is %s or more came to %s: they must be skipped",
                   grouped(d->input->num_bins), last ? "the last bin" : "bin key % num_bins");
}

static bool keys_of_16_bits(struct difference *d)
{
    return holds(d, short_bin, NULL) &&
           because(d, "keys from 65,536 on came to bin key %% 65,536: a key in 16 bits");
}

/* Bins that only got what came now. */
static bool overwritten(struct difference *d)
{
    struct input emptied = *d->input;
    size_t fits = 0, came = 0;
    emptied.bins = room_for(d->oracle->num_bins, bin_bytes(d), "for bins without contents");
    for (size_t bin = 0; bin < d->oracle->num_bins; bin++)
        operation_neutral(d->oracle->operation, emptied.bins + bin * bin_bytes(d));
    struct oracle *fresh = oracle_of(&emptied);
    for (size_t bin = 0; bin < d->oracle->num_bins; bin++) {
        if (agrees(d, bin))
            continue;
        came++;
        fits += oracle_may_hold(fresh, bin, held(d, bin));
    }
    contract_forget(fresh);
    free(emptied.bins);
    return fits >= came && because(d, "what the bins held before is lost: combine into d_bins, do "
                                      "not set them, and do not begin with neutral bins there");
}

/* An integer of a bin. */
static uint64_t number_in(const struct difference *d, const unsigned char *bin)
{
    uint64_t number = 0;
    memcpy(&number, bin, bin_bytes(d) < sizeof number ? bin_bytes(d) : sizeof number);
    return number;
}

static bool is_integer(const struct difference *d)
{
    const enum operation operation = d->oracle->operation;
    return operation == COUNT || operation == SATURATE || operation == WIDE_SUM;
}

/* How many bins have too few, and how many too much. */
static void count_both(const struct difference *d, size_t *few, size_t *many)
{
    for (size_t bin = 0; bin < d->oracle->num_bins; bin++) {
        const uint64_t should = number_in(d, d->oracle->bins + bin * bin_bytes(d));
        const uint64_t is_held = number_in(d, held(d, bin));
        if (agrees(d, bin))
            continue;
        *few += is_held < should;
        *many += is_held > should;
    }
}

static bool schedules_differ(struct difference *d)
{
    if (!d->again || memcmp(d->held, d->again, d->oracle->num_bins * bin_bytes(d)) == 0)
        return false;
    if (d->oracle->parts > 0) { /* sums of floats differ anyhow */
        size_t first;
        if (wrong_outputs(d->oracle, d->again, d->oracle->num_bins, &first) == d->wrong)
            return false;
    }
    size_t few = 0, many = 0;
    if (is_integer(d))
        count_both(d, &few, &many);
    if (many > 0) /* what is lost makes none too large */
        return because(
            d,
            "another schedule gives other bins, though no race was seen: %s bins have too many, "
            "%s too few. Which element comes to a wrong bin, or comes twice and keeps another "
            "from its own, is decided by who comes first",
            grouped(many), grouped(few));
    return because(
        d, "another schedule gives other bins, though no race was seen: updates are lost, as where "
           "an atomicCAS fails and is not made again, or who comes first decides what a bin holds");
}

/* From some bin on none is touched, and before it all are right. */
static bool pass_missing(struct difference *d)
{
    size_t last = d->first;
    for (size_t bin = d->first; bin < d->oracle->num_bins; bin++) {
        if (!agrees(d, bin) && !untouched(d, bin))
            return false;
        last = agrees(d, bin) ? last : bin;
    }
    for (size_t bin = d->first; bin < last; bin++)
        if (!untouched(d, bin))
            return false;
    return d->wrong >= 2 && because(d,
                                    "bins %s to %s hold what they held before, and all others are "
                                    "right: a pass, a bucket or a block's range of bins is missing",
                                    grouped(d->first), grouped(last));
}

static bool one_bin_missing(struct difference *d)
{
    if (d->wrong != 1 || !untouched(d, d->first))
        return false;
    if (d->oracle->came[d->first] == 1)
        return because(
            d,
            "only bin %s is wrong, to which a single element had to come: that one is "
            "left out, or what a bin got from one alone, or a loop over the bins is off by one",
            grouped(d->first));
    return because(d,
                   "only bin %s is wrong, and holds what it held before: a loop over the bins, or "
                   "a division by their number, is off by one",
                   grouped(d->first));
}

static bool last_bins_wrong(struct difference *d)
{
    enum { FEW = 65536 };
    return d->first >= FEW && d->oracle->num_bins != d->first + 1 &&
           because(d,
                   "only bins from %s on are wrong: a number of a bin, or of a byte of shared "
                   "memory, in 16 bits, or an array for fewer bins",
                   grouped(d->first));
}

/* Two words of a bin of argmax. */
static void best_of(const unsigned char *bin, uint32_t best[2])
{
    memcpy(best, bin, 2 * sizeof *best);
}

static bool larger_index_wins(struct difference *d)
{
    uint32_t current[2], right[2];
    size_t turned = 0;
    if (d->oracle->operation != ARGMAX)
        return false;
    for (size_t bin = 0; bin < d->oracle->num_bins; bin++) {
        best_of(held(d, bin), current);
        best_of(d->oracle->bins + bin * bin_bytes(d), right);
        if (current[0] != right[0] || current[1] < right[1])
            return false;
        turned += current[1] != right[1] && current[1] == ~right[1];
    }
    if (turned == d->wrong)
        return because(d, "the values are right, and each index has all of its bits turned round: "
                          "what made a word of it has to be undone where the word becomes a bin "
                          "again");
    return because(d, "the values are right, but of equal ones another index won: it has to be the "
                      "smaller one, whichever comes first");
}

/* Of saturate: whether the bins that should hold the cap do, or hold what the first wrong one does, as several do. */
static bool all_cut_alike(const struct difference *d, uint32_t cap)
{
    const uint64_t first = number_in(d, held(d, d->first));
    size_t alike = 0;
    for (size_t bin = 0; bin < d->oracle->num_bins; bin++) {
        const uint64_t current = number_in(d, held(d, bin));
        if (number_in(d, d->oracle->bins + bin * bin_bytes(d)) != cap || current == cap)
            continue;
        if (current != first)
            return false;
        alike++;
    }
    return alike >= 2;
}

static bool wraps_above_cap(struct difference *d)
{
    const uint32_t most = (1u << 24) - 1;
    uint32_t current, right;
    memcpy(&current, held(d, d->first), sizeof current);
    memcpy(&right, d->oracle->bins + d->first * bin_bytes(d), sizeof right);
    if (d->oracle->operation != SATURATE || right != most)
        return false;
    if (all_cut_alike(d, most))
        return because(d, "bins that pass 16,777,215 all hold %s: they are cut to another number",
                       grouped(current));
    return because(d, current > most
                          ? "the bin went on above 16,777,215, where it has to stop"
                          : "the bin came to 16,777,215 and did not stay there: a sum is "
                            "cut once, at its end, or compared with the bin as it is now");
}

static bool not_a_number_lost(struct difference *d)
{
    const struct float_sum *sum = d->oracle->sums + d->first * d->oracle->parts;
    if (d->oracle->parts == 0 || d->oracle->came[d->first] == 0)
        return false;
    for (size_t part = 0; part < d->oracle->parts; part++) {
        const bool should = float_sum_is_nan(&sum[part]);
        if (should != (bool)isnan(float_at(held(d, d->first), part))) {
            return because(d, "%s",
                           should && !sum[part].is_nan
                               ? "infinity and minus infinity come to one bin, whose sum is a NaN, "
                                 "and one of the two is lost"
                           : should ? "a NaN is lost: compare bits, not values, and do not skip one"
                                    : "a NaN from nowhere: copies that nobody made neutral, or "
                                      "infinity minus infinity on the way");
        }
    }
    return false;
}

static bool not_a_number_taken(struct difference *d)
{
    double ends[2];
    if (d->oracle->operation != MINMAX)
        return false;
    memcpy(ends, held(d, d->first), sizeof ends);
    if (!isnan(ends[0]) && !isnan(ends[1]))
        return false;
    return because(d, "a NaN was taken for smaller or larger than a number: skip it");
}

static bool several_times(struct difference *d)
{
    uint64_t times = 0;
    if (!is_integer(d))
        return false;
    for (size_t bin = 0; bin < d->oracle->num_bins; bin++) {
        const uint64_t before = number_in(d, d->input->bins + bin * bin_bytes(d));
        const uint64_t should = number_in(d, d->oracle->bins + bin * bin_bytes(d)) - before;
        const uint64_t got = number_in(d, held(d, bin)) - before;
        if (should == 0 && got == 0)
            continue;
        if (should == 0 || got % should != 0 || got / should < 2 ||
            (times != 0 && times != got / should))
            return false;
        times = got / should;
    }
    return times != 0 &&
           because(d, "everything came exactly %s times: %s", grouped(times),
                   times == d->blocks ? "every block reads all elements, or they are combined twice"
                   : reads_of(d) == READ_ONCE
                       ? "no element is read twice, and copies are combined more than once"
                       : "elements are read, or copies combined, more than once");
}

static bool from_nowhere(struct difference *d)
{
    if (d->oracle->operation != COUNT)
        return false;
    for (size_t bin = 0; bin < d->oracle->num_bins; bin++) {
        const uint64_t before = number_in(d, d->input->bins + bin * bin_bytes(d));
        const uint64_t came = number_in(d, held(d, bin)) - before;
        if (came <= d->input->length * (d->blocks ? d->blocks : 1) || came >> 31)
            continue;
        return because(d,
                       "bin %s got more than all blocks together could count: elements are read by "
                       "several threads, or copies combined more than once, or a thread's own "
                       "begin with something else than neutral()",
                       grouped(bin));
    }
    return false;
}

static bool float_off(struct difference *d)
{
    const struct float_sum *sum = d->oracle->sums + d->first * d->oracle->parts;
    if (d->oracle->operation != FLOAT_SUM || d->oracle->came[d->first] == 0)
        return false;
    const double off = fabs(float_at(held(d, d->first), 0) - sum->sum);
    return off <= sum->magnitude / 1024 &&
           because(d,
                   "the sum is off by %.3g, a little, and %.3g is what rounding explains: values "
                   "were cut to fewer bits, or a small one is missing",
                   off, oracle_bound(d->oracle, d->first, 0));
}

/* Whether each sum of floats is as many times what it should be; then how many. */
static bool is_scaled(const struct difference *d, double *times)
{
    size_t bins = 0;
    *times = 0;
    for (size_t bin = 0; bin < d->oracle->num_bins; bin++) {
        const struct float_sum *sum = d->oracle->sums + bin * d->oracle->parts;
        const double current = float_at(held(d, bin), 0);
        if (d->oracle->came[bin] == 0 || fabs(sum->sum) < sum->magnitude / 16)
            continue; /* what cancels tells nothing */
        if (bins++ == 0)
            *times = current / sum->sum;
        if (!isfinite(*times) || fabs(current / sum->sum - *times) > fabs(*times) / 1024)
            return false;
    }
    return bins >= 4 && *times != 0;
}

static bool scaled(struct difference *d)
{
    double times;
    return d->oracle->operation == FLOAT_SUM && is_scaled(d, &times) &&
           because(
               d,
               "each sum is %.6g times what it should be: a unit, a power of two or a factor on "
               "the way there is not the one on the way back",
               times);
}

/* Where each element came: to the bin behind its own. The last bin's came to the first, or to none. */
static uint64_t next_bin(const struct input *input, size_t i, const void *unused)
{
    const uint32_t key = input_key(input, i);
    (void)unused;
    return key < input->num_bins ? (key + 1) % input->num_bins : input->num_bins;
}

static bool shifted(struct difference *d)
{
    return d->oracle->num_bins >= 3 && holds(d, next_bin, NULL) &&
           because(d, "each element came to the bin behind its own: all are shifted by one");
}

/* Copies that begin with 0 where that is not neutral: (0, 0) wins, or joins. */
static bool zero_for_neutral(struct difference *d)
{
    size_t zeros = 0;
    unsigned char neutral[64] = {0};
    const unsigned char nothing[64] = {0};
    operation_neutral(d->oracle->operation, neutral);
    if (memcmp(neutral, nothing, bin_bytes(d)) == 0)
        return false;
    for (size_t bin = 0; bin < d->oracle->num_bins; bin++) {
        if (agrees(d, bin))
            continue;
        /* Index 0 or value 0 that no element has brought. */
        zeros += memcmp(held(d, bin), nothing, bin_bytes(d)) == 0;
    }
    return zeros >= d->wrong && because(d,
                                        "0 came to %s bins, and nobody brought it: copies begin "
                                        "with 0, which is not neutral for this operation",
                                        grouped(d->wrong));
}

/* What came to a bin, as a number. */
static double came_to(const struct difference *d, size_t bin)
{
    if (d->oracle->operation == WIDE_SUM)
        return (double)(number_in(d, held(d, bin)) -
                        number_in(d, d->input->bins + bin * bin_bytes(d)));
    return float_at(held(d, bin), 0) - float_at(d->input->bins + bin * bin_bytes(d), 0);
}

/* Each bin got 1 for each of its elements, up to what rounding does. */
static bool values_counted(struct difference *d)
{
    size_t fits = 0;
    if (d->oracle->operation != WIDE_SUM && d->oracle->operation != FLOAT_SUM)
        return false;
    for (size_t bin = 0; bin < d->oracle->num_bins; bin++) {
        const double elements = (double)d->oracle->came[bin];
        if (!(fabs(came_to(d, bin) - elements) <= elements / 1024))
            return false;
        fits += elements > 0;
    }
    return fits >= 2 && because(d, "each bin got 1 for each of its elements: they are counted, and "
                                   "their values are not taken");
}

/* How many more, modulo 2^32, came to all bins of a count than should have. */
static uint32_t came_in_all(const struct difference *d)
{
    uint32_t more = 0;
    for (size_t bin = 0; bin < d->oracle->num_bins; bin++)
        more += word_at(held(d, bin), 0) - word_at(d->oracle->bins, bin);
    return more;
}

/* Why bins have too many and others too few; why some have too few; and why some have too many: as far as it is
 * known how often each element was read. */
static const char *both_ways(const struct difference *d)
{
    const enum reads reads = reads_of(d);
    return reads == READ_UNEVENLY ? "some elements are read more than once and others never"
           : reads == READ_ONCE && d->oracle->operation == COUNT && came_in_all(d) != 0
               ? "each element is read once, and more or less is combined than comes"
           : reads == READ_ONCE ? "each element is read once, and some come to a wrong bin, or "
                                  "twice in the place of others"
                                : "elements came to a wrong bin, or some twice and others never";
}

static const char *lost(const struct difference *d)
{
    const enum reads reads = reads_of(d);
    if (reads == READ_UNEVENLY || reads == READ_NEVER)
        return unread_words(reads);
    return reads == READS_UNKNOWN
               ? "no thread reads them, or what they were combined into is not "
                 "combined into d_bins"
               : "each is read, but not combined, or what it was combined into is "
                 "not combined into d_bins";
}

static const char *came_twice(const struct difference *d)
{
    const enum reads reads = reads_of(d);
    if (reads == READ_AGAIN || reads == READ_UNEVENLY)
        return "some elements are read more often than others (look at where a loop begins, and at "
               "its step), or copies were not made neutral";
    if (reads == READ_EVENLY)
        return "all elements are read as often: one is combined again, or copies were not made "
               "neutral";
    return reads == READS_UNKNOWN ? "elements are read more than once, or from outside, or copies "
                                    "were not made neutral"
                                  : "no element is read twice: one is combined again, or copies "
                                    "were not made neutral";
}

/* Of a count that is too much in some bins and too little in none: no more than there are elements without a bin. */
static bool may_be_without_bin(const struct difference *d)
{
    uint64_t without = 0, more = 0;
    for (size_t i = 0; i < d->input->length; i++)
        without += input_key(d->input, i) >= d->input->num_bins;
    for (size_t bin = 0; bin < d->oracle->num_bins; bin++)
        more += number_in(d, held(d, bin)) - number_in(d, d->oracle->bins + bin * bin_bytes(d));
    return d->oracle->operation == COUNT && more <= without;
}

static bool more_or_less(struct difference *d)
{
    const char *same = d->again ? ", the same on another schedule" : "";
    if (d->first + 1 == d->oracle->num_bins && d->first >= 2)
        return because(d,
                       "only the last bin is wrong, number %s%s: a loop over the bins, or a number "
                       "of threads for "
                       "them, is off by one, or what no bin should get comes to it",
                       grouped(d->first), same);
    size_t few = 0, many = 0;
    if (is_integer(d))
        count_both(d, &few, &many);
    if (!is_integer(d))
        return because(
            d,
            "%s of %s bins are wrong%s: elements come to no bin or to another, or what they bring "
            "is changed on the way: turned into a word, cut, combined",
            grouped(d->wrong), grouped(d->oracle->num_bins), same);
    if (few > 0 && many > 0)
        return because(d, "%s bins have too many, %s too few%s: %s", grouped(many), grouped(few),
                       same, both_ways(d));
    if (few > 0)
        return because(d, "elements are missing in %s bins, and none has too many%s: %s",
                       grouped(few), same, lost(d));
    return because(d, "too much came to %s bins, and none has too few%s: %s%s", grouped(many), same,
                   came_twice(d),
                   may_be_without_bin(d) ? ", or elements without a bin were counted" : "");
}

cause_of_output *const likely_causes[] = {nothing_done,
                                          wraps_above_cap,
                                          key_beyond_counted,
                                          keys_of_16_bits,
                                          overwritten,
                                          larger_index_wins,
                                          not_a_number_lost,
                                          not_a_number_taken,
                                          schedules_differ,
                                          several_times,
                                          from_nowhere,
                                          pass_missing,
                                          block_missing,
                                          tail_dropped,
                                          last_bins_wrong,
                                          float_off,
                                          scaled,
                                          one_bin_missing,
                                          shifted,
                                          zero_for_neutral,
                                          values_counted,
                                          more_or_less,
                                          NULL};
