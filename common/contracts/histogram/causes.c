/* causes.c - the likeliest cause of a wrong count.
 *
 * Every cause is a small function: it looks at one pattern of differences and
 * writes a sentence when the pattern fits. They are tried from the most to the
 * least specific; the first that fits is printed. */
#include "causes.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "grouped.h"

static bool counts_are(const struct difference *d, const unsigned int *bins)
{
    return memcmp(d->result->counted, bins, num_bins() * sizeof *bins) == 0;
}

static bool told_above(struct difference *d)
{
    if (d->result->reported)
        snprintf(d->cause, d->size, "what the report above tells");
    return d->result->reported;
}

static bool nothing_counted(struct difference *d)
{
    if (d->counted_sum > 0)
        return false;
    const char *why = !d->result->watched       ? "nothing was added to d_bins"
                      : !d->result->launches    ? "no kernel was launched"
                      : !d->result->bin_updates ? "no thread has added anything to d_bins"
                                                : "only zeros were added to d_bins: the counters "
                                                  "that were committed had counted nothing";
    snprintf(d->cause, d->size, "%s", why);
    return true;
}

static bool counted_several_times(struct difference *d)
{
    if (d->expected_sum == 0 || d->counted_sum % d->expected_sum != 0)
        return false;
    unsigned long long times = d->counted_sum / d->expected_sum;
    for (unsigned int bin = 0; bin < num_bins(); bin++)
        if (d->result->counted[bin] != times * d->expected[bin])
            return false;
    if (times < 2)
        return false;
    bool blocks = times == d->result->blocks, threads = times == d->result->threads_per_block;
    bool all = times == (unsigned long long)d->result->blocks * d->result->threads_per_block;
    const char *who = blocks && threads ? "every block counts the whole text, or every thread of "
                                          "a block merges"
                      : blocks          ? "every block counts the whole text"
                      : threads ? "every thread of a block merges the counts of the whole block"
                      : all     ? "every thread counts the whole text"
                                : "the counts are merged into the bins more than once";
    snprintf(d->cause, d->size, "each count is exactly %s times too large: %s", grouped(times),
             who);
    return true;
}

/* More than if each block counted the whole text, and each of its threads something more. That memory was
 * read which nobody had zeroed, a check would have seen. */
static bool counts_from_nowhere(struct difference *d)
{
    unsigned int blocks = d->result->blocks > 0 ? d->result->blocks : 1;
    unsigned long long length = d->result->length;
    unsigned long long most = length > 0 ? (length + d->result->threads_per_block) * blocks : 0;
    for (unsigned int bin = 0; bin < num_bins(); bin++)
        if (d->result->counted[bin] > most && d->result->counted[bin] > INT32_MAX) {
            snprintf(d->cause, d->size,
                     "bin %u holds %s, which is %s below 0: more was taken away than had come, or "
                     "a thread's own counters were not zeroed",
                     bin, grouped(d->result->counted[bin]),
                     grouped(-(uint64_t)d->result->counted[bin] & UINT32_MAX));
            return true;
        } else if (d->result->counted[bin] > most) {
            snprintf(d->cause, d->size,
                     "bin %u holds %s, of %s characters: each is read by several threads (look at "
                     "the step of the loop), or what was counted is added again and again, or a "
                     "thread's own counters were not zeroed",
                     bin, grouped(d->result->counted[bin]), grouped(length));
            return true;
        }
    return false;
}

/* Counting every byte, with the bytes that have no bin in bin 0 or a neighbor's. */
static bool skipped_characters_counted(struct difference *d)
{
    if (d->counted_sum != d->result->length || d->counted_sum == d->expected_sum)
        return false;
    snprintf(d->cause, d->size,
             "the bins add up to all %s characters, but only %s have a bin: "
             "a character for which bin_of gives -1 must be skipped",
             grouped(d->counted_sum), grouped(d->expected_sum));
    return true;
}

static bool signed_characters(struct difference *d)
{
    if (num_bins() != 256)
        return false;
    for (unsigned int bin = 0; bin < num_bins(); bin++) {
        unsigned int expected = bin < 128 ? d->expected[bin] : 0;
        if (d->result->counted[bin] != expected)
            return false;
    }
    snprintf(d->cause, d->size,
             "only bytes above 127 are missing: a character was taken for a signed char, "
             "which makes them negative");
    return true;
}

/* Whether one bin has all that is counted. */
static bool of_one_bin(const struct difference *d)
{
    unsigned int bins = 0;
    for (unsigned int bin = 0; bin < num_bins(); bin++)
        bins += d->expected[bin] > 0;
    return bins == 1;
}

/* Whether the counts are those of the text without its end: a prefix. In a text of one bin any
 * number of counts would be. */
static bool tail_dropped(struct difference *d)
{
    const struct verify_result *result = d->result;
    if (of_one_bin(d))
        return false;
    unsigned long long left = d->counted_sum;
    unsigned int prefix[MOST_BINS] = {0};
    size_t i = 0;
    for (; i < result->length && left > 0; i++) {
        unsigned short bin = d->bin_of_byte[result->text[i]];
        if (bin == NOT_COUNTED)
            continue;
        prefix[bin]++;
        left--;
    }
    if (left > 0 || !counts_are(d, prefix))
        return false;
    snprintf(d->cause, d->size,
             "the counts are those of the first %s characters: the tail of the text is dropped "
             "(a division that rounds down, or a bound that is one too small)",
             grouped(i));
    return true;
}

/* Whether they are those of the text without its beginning. */
static bool head_dropped(struct difference *d)
{
    const struct verify_result *result = d->result;
    unsigned long long left = d->counted_sum;
    unsigned int suffix[MOST_BINS] = {0};
    size_t begin = result->length;
    if (of_one_bin(d))
        return false;
    for (; begin > 0 && left > 0; begin--) {
        unsigned short bin = d->bin_of_byte[result->text[begin - 1]];
        if (bin == NOT_COUNTED)
            continue;
        suffix[bin]++;
        left--;
    }
    if (left > 0 || begin == 0 || !counts_are(d, suffix))
        return false;
    snprintf(d->cause, d->size,
             "the counts are those of the text without its first characters, %s of them at most: "
             "nobody counts its beginning",
             grouped(begin));
    return true;
}

/* Whether what is missing is what one thread or block reads, or one character of
 * each section. `misses` tells for a character and a choice whether it is missing. */
struct share {
    const char *who; /* with %s for the choice */
    unsigned long long choices;
    bool (*misses)(const struct verify_result *result, size_t i, unsigned long long choice);
};

static size_t section_length(const struct verify_result *result)
{
    size_t threads = (size_t)result->blocks * result->threads_per_block;
    return (result->length + threads - 1) / threads;
}

static bool in_interleaved_block(const struct verify_result *result, size_t i,
                                 unsigned long long block)
{
    return i / result->threads_per_block % result->blocks == block;
}

static bool in_contiguous_block(const struct verify_result *result, size_t i,
                                unsigned long long block)
{
    return i / (section_length(result) * result->threads_per_block) == block;
}

static bool last_of_section(const struct verify_result *result, size_t i, unsigned long long choice)
{
    (void)choice;
    return section_length(result) > 1 &&
           (i % section_length(result) == section_length(result) - 1 || i == result->length - 1);
}

static bool first_of_section(const struct verify_result *result, size_t i,
                             unsigned long long choice)
{
    (void)choice;
    return section_length(result) > 1 && i % section_length(result) == 0;
}

static bool share_is_missing(struct difference *d, const struct share *share,
                             unsigned long long choice)
{
    unsigned int bins[MOST_BINS + 1] = {0};
    for (size_t i = 0; i < d->result->length; i++)
        if (!share->misses(d->result, i, choice))
            bins[d->bin_of_byte[d->result->text[i]]]++;
    return counts_are(d, bins);
}

static bool share_missing(struct difference *d)
{
    /* With less than a character a thread, a share and a tail look the same. */
    size_t threads = (size_t)d->result->blocks * d->result->threads_per_block;
    if (threads == 0 || d->result->length < threads || d->counted_sum >= d->expected_sum)
        return false;
    const struct share shares[] = {
        {"exactly what block %s read is missing: its counts were never merged into the bins",
         d->result->blocks, in_interleaved_block},
        {"exactly what block %s read is missing: its counts were never merged into the bins",
         d->result->blocks, in_contiguous_block},
        {"exactly the last character of each thread's section is missing: "
         "a bound is one too small",
         1, last_of_section},
        {"exactly the first character of each thread's section is missing: "
         "a section starts one too late",
         1, first_of_section},
    };
    for (size_t i = 0; i < sizeof shares / sizeof *shares; i++)
        /* Block 0 and the last one are those that get lost; the rest costs time. */
        for (unsigned long long choice = 0; choice < shares[i].choices; choice++) {
            if (choice == 1)
                choice = shares[i].choices - 1;
            if (share_is_missing(d, &shares[i], choice)) {
                snprintf(d->cause, d->size, shares[i].who, grouped(choice));
                return true;
            }
        }
    return false;
}

/* One bin lost, and the others right. */
static bool one_bin_lost(struct difference *d)
{
    unsigned int bin = 0;
    while (bin < num_bins() - 1 && d->result->counted[bin] == d->expected[bin])
        bin++;
    if (d->wrong != 1 || d->result->counted[bin] > 0)
        return false;
    snprintf(d->cause, d->size,
             "only bin %u is wrong, and it has nothing at all: a loop over the bins, or a test of "
             "the bin's number, is off by one",
             bin);
    return true;
}

static bool about_one_block_missing(struct difference *d)
{
    unsigned int blocks = d->result->blocks;
    if (blocks < 2 || d->counted_sum >= d->expected_sum)
        return false;
    unsigned long long missing = d->expected_sum - d->counted_sum;
    unsigned long long share = d->expected_sum / blocks;
    if (share < 64 || missing < share - share / 16 || missing > share + share / 16)
        return false;
    snprintf(d->cause, d->size,
             "%s counts are missing, about the share of one of the %u blocks (%s): "
             "one block's copy is lost, or two blocks use the same copy",
             grouped(missing), blocks, grouped(share));
    return true;
}

static bool schedules_differ(struct difference *d)
{
    if (!d->result->again || counts_are(d, d->result->again))
        return false;
    const char *cause = d->counted_sum < d->expected_sum ? "too few" : "too many or too few";
    snprintf(d->cause, d->size,
             "another schedule counts differently, though no race was seen: %s are counted by who "
             "comes first. We do not know why",
             cause);
    return true;
}

/* Whether each bin holds what the one before it should. */
static bool is_shifted(const struct difference *d)
{
    const unsigned int bins = num_bins();
    bool shifted = true;
    for (unsigned int bin = 0; bin + 1 < bins; bin++)
        shifted = shifted && d->result->counted[bin + 1] == d->expected[bin];
    return shifted;
}

/* Some bins have too many counts and others too few, so that neither is the whole story. */
static bool over_and_under(struct difference *d)
{
    unsigned long long over = 0, under = 0;
    for (unsigned int bin = 0; bin < num_bins(); bin++) {
        unsigned int expected = d->expected[bin], counted = d->result->counted[bin];
        over += counted > expected ? counted - expected : 0;
        under += counted < expected ? expected - counted : 0;
    }
    if (over == 0 || under == 0)
        return false;
    if (is_shifted(d))
        snprintf(d->cause, d->size,
                 "each bin holds what belongs into the bin before it: they are shifted by one");
    else
        snprintf(d->cause, d->size,
                 "%s counts too many in some bins, %s too few in others%s: characters came to a "
                 "wrong bin, or some were counted twice and others never",
                 grouped(over), grouped(under), over == under ? ", as many" : "");
    return true;
}

static bool more_or_less(struct difference *d)
{
    const char *same = d->result->again ? ", the same on another schedule" : "";
    if (d->counted_sum < d->expected_sum && d->result->watched &&
        d->result->bin_updates >= d->expected_sum)
        snprintf(d->cause, d->size,
                 "%s of %s characters are missing, though d_bins was updated %s times: an update "
                 "adds less than was met (atomicAdd(&bins[bin], 1), and not atomicInc)",
                 grouped(d->expected_sum - d->counted_sum), grouped(d->expected_sum),
                 grouped(d->result->bin_updates));
    else if (d->counted_sum < d->expected_sum)
        snprintf(d->cause, d->size,
                 "%s of %s characters are missing%s: a thread does not read them, or what it "
                 "counted does not come to the bins (who adds it, and how much)",
                 grouped(d->expected_sum - d->counted_sum), grouped(d->expected_sum), same);
    else if (d->counted_sum > d->expected_sum)
        snprintf(d->cause, d->size,
                 "%s counts too many%s: characters are read twice, or from outside the text, or "
                 "counted though they have no bin, or counters begin with something else than 0",
                 grouped(d->counted_sum - d->expected_sum), same);
    else
        snprintf(d->cause, d->size, "we do not know: no pattern of the differences is a known one");
    return true;
}

void find_cause(struct difference *d)
{
    static bool (*const causes[])(struct difference *) = {
        told_above,        nothing_counted,     counted_several_times,
        signed_characters, counts_from_nowhere, skipped_characters_counted,
        schedules_differ,  one_bin_lost,        share_missing,
        tail_dropped,      head_dropped,        about_one_block_missing,
        over_and_under,    more_or_less,
    };
    for (size_t i = 0; i < sizeof causes / sizeof *causes; i++)
        if (causes[i](d))
            return;
}
