/* causes.c - the likeliest cause of a wrong bin: what reduce_by_index() has besides those of all contracts, which are in
 * judge/causes.c. */
#include "contract.h"

#include <math.h>
#include <string.h>

#include "grouped.h"
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
    return elements_may_hold(d->oracle, bin, held(d, bin));
}

static const char *const mistakes[RULES + 1] = {
    [BEYOND_IN_LAST] = "elements whose key is the number of bins or more came to the last bin: "
                       "they must be skipped",
    [BEYOND_IN_REST] = "elements whose key is the number of bins or more came to bin key % "
                       "num_bins: they must be skipped",
    [SHORT_KEYS] = "keys from 65,536 on came to bin key % 65,536: a key in 16 bits",
    [NEXT_BIN] = "each element came to the bin behind its own: all are shifted by one",
    [ONE_EACH] = "each bin got 1 for each of its elements: they are counted, and their values are "
                 "not taken",
};

static struct integers integers_of_elements(const struct oracle *oracle)
{
    const enum operation operation = oracle->operation;
    const bool are_integers = operation == COUNT || operation == SATURATE || operation == WIDE_SUM;
    return (struct integers){are_integers ? oracle->bins : NULL, operation_bin_bytes(operation),
                             operation == COUNT};
}

static bool nothing_done(struct difference *d)
{
    return memcmp(d->held, d->input->bins, d->oracle->num_bins * bin_bytes(d)) == 0 &&
           because(d, "all bins hold what they held before: no thread has combined anything into "
                      "d_bins, or nothing that changes them");
}

/* Whether bins hold only what came now. */
static bool overwritten(struct difference *d)
{
    struct input emptied = *d->input;
    size_t fits = 0, came = 0;
    emptied.bins = room_for(d->oracle->num_bins, bin_bytes(d), "for bins without contents");
    for (size_t bin = 0; bin < d->oracle->num_bins; bin++)
        operation_neutral(d->oracle->operation, emptied.bins + bin * bin_bytes(d));
    struct oracle *fresh = elements_oracle(&emptied);
    for (size_t bin = 0; bin < d->oracle->num_bins; bin++) {
        if (agrees(d, bin))
            continue;
        came++;
        fits += elements_may_hold(fresh, bin, held(d, bin));
    }
    contract_forget(fresh);
    free(emptied.bins);
    return fits >= came && because(d, "what the bins held before is lost: combine into d_bins, do "
                                      "not set them, and do not begin with neutral bins there");
}

static bool another_index_wins(struct difference *d)
{
    size_t turned = 0;
    if (d->oracle->operation != ARGMAX)
        return false;
    for (size_t bin = 0; bin < d->oracle->num_bins; bin++) {
        const unsigned char *right = d->oracle->bins + bin * bin_bytes(d);
        const uint32_t index = word_at(held(d, bin), 1);
        if (word_at(held(d, bin), 0) != word_at(right, 0) || index < word_at(right, 1))
            return false;
        turned += index != word_at(right, 1) && index == ~word_at(right, 1);
    }
    if (turned == d->wrong)
        return because(d, "the values are right, and each index has all of its bits turned round: "
                          "what made a word of it has to be undone where the word becomes a bin "
                          "again");
    return because(d, "the values are right, but of equal ones another index won: it has to be the "
                      "smaller one, whichever comes first");
}

/* Whether several bins that should hold the cap of saturate all hold the same other number. */
static bool all_cut_alike(const struct difference *d)
{
    size_t alike = 0;
    for (size_t bin = 0; bin < d->oracle->num_bins; bin++) {
        const uint32_t current = word_at(d->held, bin);
        if (word_at(d->oracle->bins, bin) != SATURATED || current == SATURATED)
            continue;
        if (current != word_at(d->held, d->first))
            return false;
        alike++;
    }
    return alike >= 2;
}

static bool cut_otherwise(struct difference *d)
{
    const uint32_t current = word_at(d->held, d->first);
    if (d->oracle->operation != SATURATE || word_at(d->oracle->bins, d->first) != SATURATED)
        return false;
    if (all_cut_alike(d))
        return because(d, "bins that pass 16,777,215 all hold %s: they are cut to another number",
                       grouped(current));
    return current > SATURATED &&
           because(d, "the bin went on above 16,777,215, where it has to stop");
}

/* Copies begin with 0 where that is not neutral: (0, 0) wins, or joins. */
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
        /* No element has brought index 0 or value 0. */
        zeros += memcmp(held(d, bin), nothing, bin_bytes(d)) == 0;
    }
    return zeros >= d->wrong && because(d,
                                        "0 came to %s bins, and nobody brought it: copies begin "
                                        "with 0, which is not neutral for this operation",
                                        grouped(d->wrong));
}

/* Sums of floats differ from schedule to schedule. Where another one leaves as many wrong bins it tells nothing. */
static bool schedules_matter_of_elements(struct difference *d)
{
    size_t first;
    const bool are_floats = d->oracle->parts > 0 && d->again;
    return !(are_floats && wrong_outputs(d, d->again, d->oracle->num_bins, &first) == d->wrong) &&
           schedules_differ(d);
}

static bool last_bin_wrong(struct difference *d)
{
    return d->first + 1 == d->oracle->num_bins && d->first >= 2 &&
           because(d,
                   "only the last bin is wrong, number %s: a loop over the bins, or a number of "
                   "threads for them, is off by one, or what no bin should get comes to it",
                   grouped(d->first));
}

static cause_of_output *const likely[] = {nothing_done,
                                          known_mistake,
                                          cut_otherwise,
                                          overwritten,
                                          another_index_wins,
                                          set_by_atomics,
                                          schedules_matter_of_elements,
                                          several_times,
                                          from_nowhere,
                                          part_of_block_missing,
                                          block_missing,
                                          outputs_left_out,
                                          tail_dropped,
                                          one_output_left_out,
                                          zero_for_neutral,
                                          last_bin_wrong,
                                          more_or_less,
                                          NULL};

const struct causes causes_of_elements = {likely, mistakes, elements_if, integers_of_elements};
