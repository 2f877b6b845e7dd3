/* causes.c - the likeliest cause of a wrong count: what histogram() has besides those of all contracts, which are in
 * judge/causes.c. */
#include "verify.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "grouped.h"
#include "must_have.h"

/* What a kernel does with a character. */
enum rule {
    RIGHT,
    BIN_ADDED,
    SIGNED_CHARACTERS,
    SEVEN_BITS,
    BINS_BEFORE,
    MISTAKES,
    ONE_EACH = MISTAKES
};

static const char *const mistakes[MISTAKES + 1] = {
    [BIN_ADDED] = "each bin holds its own number times what it should: that number is added, in "
                  "place of 1",
    [SIGNED_CHARACTERS] = "only bytes above 127 are missing: a character was taken for a signed "
                          "char, which makes them negative",
    [SEVEN_BITS] = "bytes above 127 are counted as those that are 128 less: the upper bit of a "
                   "character is not looked at",
    [BINS_BEFORE] = "each bin holds what belongs into it and into all bins behind it: a character "
                    "is counted in several bins, by <= or >= in the place of ==",
};

static unsigned int bin_of_value(unsigned char value)
{
    static unsigned short bin_of_byte[256];
    static bool is_known;
    if (!is_known)
        letters_in_bins(bin_of_byte);
    is_known = true;
    return bin_of_byte[value];
}

static void count_by(enum rule rule, unsigned char value, uint64_t times, unsigned int *bins)
{
    if (rule == SEVEN_BITS)
        value &= 0x7f;
    const unsigned int bin = bin_of_value(value);
    if (bin >= num_bins() || (rule == SIGNED_CHARACTERS && value > 127))
        return;
    switch (rule) {
    case BIN_ADDED:
        bins[bin] += bin;
        break;
    case BINS_BEFORE:
        for (unsigned int i = 0; i <= bin; i++)
            bins[i]++;
        break;
    case ONE_EACH:
        bins[bin] = 1;
        break;
    default:
        bins[bin] += (unsigned int)times;
    }
}

static struct oracle *characters_if(const struct input *input, const struct hypothesis *hypothesis)
{
    struct oracle *oracle = oracle_room(NULL, 1, sizeof *oracle);
    const uint64_t times = hypothesis->times > 0 ? hypothesis->times : 1;
    for (size_t i = 0; i < input->length; i++)
        if (is_read(hypothesis, i))
            count_by((enum rule)hypothesis->rule, input->values[i], times, oracle->bins);
    return oracle;
}

static struct integers integers_of_text(const struct oracle *oracle)
{
    return (struct integers){(const unsigned char *)oracle->bins, sizeof *oracle->bins, true};
}

/* Stores and atomics of lanes on the final bins, zeros included. */
static uint64_t updates(const struct difference *d)
{
    return d->seen->bins.store.lanes + d->seen->bins.atomic.lanes;
}

static bool nothing_counted(struct difference *d)
{
    const struct tally tally = tally_of(d);
    if (tally.came > 0)
        return false;
    if (!d->seen && d->input->length > 0 && bin_of_value(d->input->values[0]) == NOT_COUNTED)
        return because(d,
                       "nothing was added to d_bins: the first byte, %d, has no bin, and the loop "
                       "has to go on behind it",
                       d->input->values[0]);
    if (!d->seen || updates(d) == 0)
        return because(d, "nothing was added to d_bins");
    return because(d,
                   "only zeros were added to d_bins: the counters that were committed had counted "
                   "nothing%s%s",
                   d->seen->shared.add.lanes > tally.should / 32
                       ? ", though threads have added in shared memory (what they added there does "
                         "not come to what is committed, or was 0)"
                       : "",
                   reads_of(d) == READ_NEVER ? ", and some characters are read by no thread" : "");
}

/* No atomic sets a bin to 1; and where few have come to each, adding leaves the same. */
static bool set_to_1(struct difference *d)
{
    const struct tally tally = tally_of(d);
    return !(d->seen && d->seen->bins.atomic.lanes > 0) && tally.came < tally.should / 4 &&
           holds_if(d, (struct hypothesis){.rule = ONE_EACH}) &&
           because(
               d,
               "each bin holds 1, however many came: it is set to 1, and nothing is added to it");
}

static const unsigned int *counted_bins(const struct difference *d)
{
    return (const unsigned int *)(const void *)d->held;
}

/* Those bytes that have no bin and lie before the first that has one are in the bin of their neighbor. */
static bool bytes_before_counted(struct difference *d)
{
    unsigned long long before = 0;
    unsigned int first = 0;
    while (first < 255 && bin_of_value((unsigned char)first) == NOT_COUNTED)
        first++;
    for (size_t i = 0; i < d->input->length; i++)
        before += d->input->values[i] < first;
    const unsigned int bin = (unsigned int)d->first;
    return d->wrong == 1 && before > 0 && counted_bins(d)[bin] == d->oracle->bins[bin] + before &&
           because(d,
                   "bin %u has as many too many as there are bytes before 'a', which have no bin: "
                   "they must be skipped",
                   bin);
}

/* Whether the counts are those of threads of which each ends at its first character without a bin: threads that lie
 * side by side, or have a section each. */
static bool counted_up_to_skipped(const struct difference *d, size_t section)
{
    const size_t threads = d->blocks * d->threads_per_block;
    unsigned int bins[MOST_BINS + 1] = {0};
    bool *has_ended = must_have(calloc(threads, 1), "to look for a cause");
    for (size_t i = 0; i < d->input->length; i++) {
        const unsigned int bin = bin_of_value(d->input->values[i]);
        bool *const ended = &has_ended[section > 0 ? i / section : i % threads];
        *ended |= bin == NOT_COUNTED;
        bins[bin] += !*ended;
    }
    free(has_ended);
    return memcmp(counted_bins(d), bins, num_bins() * sizeof *bins) == 0;
}

static bool ends_at_skipped(struct difference *d)
{
    const size_t threads = d->blocks * d->threads_per_block;
    if (threads == 0)
        return false;
    return (counted_up_to_skipped(d, 0) ||
            counted_up_to_skipped(d, (d->input->length + threads - 1) / threads)) &&
           because(d,
                   "each thread counts up to its first character that has no bin, and no further: "
                   "its loop has to go on behind it (continue, and not break or return)");
}

/* A counter of 8 or 16 bits loses a multiple of 2^8 or 2^16 each time. */
static bool counter_began_again(struct difference *d)
{
    const struct tally tally = tally_of(d);
    const uint64_t lost_at_once = tally.less % 65536 == 0 ? 65536 : 256;
    const enum reads reads = reads_of(d);
    return tally.many == 0 && tally.less % lost_at_once == 0 && reads != READ_NEVER &&
           reads != READ_UNEVENLY &&
           because(d,
                   "%s of %s characters are missing, a multiple of %s: a counter of %d bits has "
                   "begun again at 0, or what a thread or a block has counted does not come to "
                   "the bins",
                   grouped(tally.less), grouped(tally.should), grouped(lost_at_once),
                   lost_at_once == 256 ? 8 : 16);
}

/* Too many or too few are counted, though the bins were updated as often as there are characters, or more often. */
static bool updated_otherwise(struct difference *d)
{
    const struct tally tally = tally_of(d);
    const uint64_t made = d->seen ? updates(d) : 0;
    if (tally.few == 0 && made == tally.should)
        return because(d,
                       "%s counts too many, though d_bins was updated once for each character that "
                       "has a bin: an update adds more than was met",
                       grouped(tally.more));
    return tally.many == 0 && d->seen && made >= tally.should &&
           because(d,
                   "%s of %s characters are missing, though d_bins was updated %s times: an update "
                   "adds less than was met (atomicAdd(&bins[bin], 1), and not atomicInc)",
                   grouped(tally.less), grouped(tally.should), grouped(made));
}

static cause_of_output *const likely[] = {nothing_counted,
                                          several_times,
                                          set_by_atomics,
                                          known_mistake,
                                          set_to_1,
                                          each_by_as_much,
                                          from_nowhere,
                                          skipped_counted,
                                          bytes_before_counted,
                                          schedules_differ,
                                          one_output_left_out,
                                          outputs_left_out,
                                          outputs_several_times,
                                          part_of_block_missing,
                                          block_missing,
                                          sections_cut,
                                          ends_at_skipped,
                                          tail_dropped,
                                          beginning_again,
                                          updated_otherwise,
                                          counter_began_again,
                                          more_or_less,
                                          NULL};

const struct causes causes_of_characters = {likely, mistakes, characters_if, integers_of_text};
