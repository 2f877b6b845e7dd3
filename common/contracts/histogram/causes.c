/* causes.c - the likeliest cause of a wrong count.
 *
 * Every cause is a small function: it looks at one pattern of differences and
 * writes a sentence when the pattern fits. They are tried from the most to the
 * least specific; the first that fits is printed. */
#include "verify.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "grouped.h"

static const unsigned int *counted(const struct difference *d)
{
    return (const unsigned int *)(const void *)d->held;
}

static unsigned long long sum_of(const unsigned int *bins)
{
    unsigned long long sum = 0;
    for (unsigned int bin = 0; bin < num_bins(); bin++)
        sum += bins[bin];
    return sum;
}

static bool counts_are(const struct difference *d, const unsigned int *bins)
{
    return memcmp(d->held, bins, num_bins() * sizeof *bins) == 0;
}

/* The bin of a character of the text. */
static unsigned short bin_at(const struct difference *d, size_t i)
{
    static unsigned short bin_of_byte[256];
    static bool known;
    if (!known)
        letters_in_bins(bin_of_byte);
    known = true;
    return bin_of_byte[d->input->values[i]];
}

/* Stores and atomics of lanes on the final bins, zeros included. */
static uint64_t updates(const struct difference *d)
{
    return d->seen->bins.store.lanes + d->seen->bins.atomic.lanes;
}

static bool nothing_counted(struct difference *d)
{
    if (sum_of(counted(d)) > 0)
        return false;
    const char *why = !d->seen             ? "nothing was added to d_bins"
                      : !d->seen->launches ? "no kernel was launched"
                      : updates(d) == 0    ? "no thread has added anything to d_bins"
                                           : "only zeros were added to d_bins: the counters that "
                                             "were committed had counted nothing";
    snprintf(d->cause, d->size, "%s", why);
    return true;
}

static bool counted_several_times(struct difference *d)
{
    const unsigned long long expected = sum_of(d->oracle->bins), all_counted = sum_of(counted(d));
    if (expected == 0 || all_counted % expected != 0)
        return false;
    unsigned long long times = all_counted / expected;
    for (unsigned int bin = 0; bin < num_bins(); bin++)
        if (counted(d)[bin] != times * d->oracle->bins[bin])
            return false;
    if (times < 2)
        return false;
    bool blocks = times == d->blocks, threads = times == d->threads_per_block;
    bool all = times == d->blocks * d->threads_per_block;
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
    const unsigned int *held = counted(d);
    const uint64_t blocks = d->blocks > 0 ? d->blocks : 1, length = d->input->length;
    const uint64_t most = length > 0 ? (length + d->threads_per_block) * blocks : 0;
    for (unsigned int bin = 0; bin < num_bins(); bin++)
        if (held[bin] > most && held[bin] > INT32_MAX) {
            snprintf(d->cause, d->size,
                     "bin %u holds %s, which is %s below 0: more was taken away than had come, or "
                     "a thread's own counters were not zeroed",
                     bin, grouped(held[bin]), grouped(-(uint64_t)held[bin] & UINT32_MAX));
            return true;
        } else if (held[bin] > most) {
            snprintf(d->cause, d->size,
                     "bin %u holds %s, of %s characters: each is read by several threads (look at "
                     "the step of the loop), or what was counted is added again and again, or a "
                     "thread's own counters were not zeroed",
                     bin, grouped(held[bin]), grouped(length));
            return true;
        }
    return false;
}

/* Counting every byte, with the bytes that have no bin in bin 0 or a neighbor's. */
static bool skipped_characters_counted(struct difference *d)
{
    const unsigned long long all_counted = sum_of(counted(d)), expected = sum_of(d->oracle->bins);
    if (all_counted != d->input->length || all_counted == expected)
        return false;
    snprintf(d->cause, d->size,
             "the bins add up to all %s characters, but only %s have a bin: "
             "a character for which bin_of gives -1 must be skipped",
             grouped(all_counted), grouped(expected));
    return true;
}

static bool signed_characters(struct difference *d)
{
    if (num_bins() != 256)
        return false;
    for (unsigned int bin = 0; bin < num_bins(); bin++) {
        unsigned int expected = bin < 128 ? d->oracle->bins[bin] : 0;
        if (counted(d)[bin] != expected)
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
        bins += d->oracle->bins[bin] > 0;
    return bins == 1;
}

/* Whether the counts are those of the text without its end: a prefix. In a text of one bin any
 * number of counts would be. */
static bool tail_dropped(struct difference *d)
{
    if (of_one_bin(d))
        return false;
    unsigned long long left = sum_of(counted(d));
    unsigned int prefix[MOST_BINS] = {0};
    size_t i = 0;
    for (; i < d->input->length && left > 0; i++) {
        unsigned short bin = bin_at(d, i);
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
    unsigned long long left = sum_of(counted(d));
    unsigned int suffix[MOST_BINS] = {0};
    size_t begin = d->input->length;
    if (of_one_bin(d))
        return false;
    for (; begin > 0 && left > 0; begin--) {
        unsigned short bin = bin_at(d, begin - 1);
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
    bool (*misses)(const struct difference *d, size_t i, unsigned long long choice);
};

static size_t section_length(const struct difference *d)
{
    const size_t threads = d->blocks * d->threads_per_block;
    return (d->input->length + threads - 1) / threads;
}

static bool in_interleaved_block(const struct difference *d, size_t i, unsigned long long block)
{
    return i / d->threads_per_block % d->blocks == block;
}

static bool in_contiguous_block(const struct difference *d, size_t i, unsigned long long block)
{
    return i / (section_length(d) * d->threads_per_block) == block;
}

static bool last_of_section(const struct difference *d, size_t i, unsigned long long choice)
{
    (void)choice;
    return section_length(d) > 1 &&
           (i % section_length(d) == section_length(d) - 1 || i == d->input->length - 1);
}

static bool first_of_section(const struct difference *d, size_t i, unsigned long long choice)
{
    (void)choice;
    return section_length(d) > 1 && i % section_length(d) == 0;
}

static bool share_is_missing(struct difference *d, const struct share *share,
                             unsigned long long choice)
{
    unsigned int bins[MOST_BINS + 1] = {0};
    for (size_t i = 0; i < d->input->length; i++)
        if (!share->misses(d, i, choice))
            bins[bin_at(d, i)]++;
    return counts_are(d, bins);
}

static bool share_missing(struct difference *d)
{
    /* With less than a character a thread, a share and a tail look the same. */
    const size_t threads = d->blocks * d->threads_per_block;
    if (threads == 0 || d->input->length < threads || sum_of(counted(d)) >= sum_of(d->oracle->bins))
        return false;
    const struct share shares[] = {
        {"exactly what block %s read is missing: its counts were never merged into the bins",
         d->blocks, in_interleaved_block},
        {"exactly what block %s read is missing: its counts were never merged into the bins",
         d->blocks, in_contiguous_block},
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
    while (bin < num_bins() - 1 && counted(d)[bin] == d->oracle->bins[bin])
        bin++;
    if (d->wrong != 1 || counted(d)[bin] > 0)
        return false;
    snprintf(d->cause, d->size,
             "only bin %u is wrong, and it has nothing at all: a loop over the bins, or a test of "
             "the bin's number, is off by one",
             bin);
    return true;
}

static bool about_one_block_missing(struct difference *d)
{
    const unsigned long long expected = sum_of(d->oracle->bins), all_counted = sum_of(counted(d));
    if (d->blocks < 2 || all_counted >= expected)
        return false;
    unsigned long long missing = expected - all_counted, share = expected / d->blocks;
    if (share < 64 || missing < share - share / 16 || missing > share + share / 16)
        return false;
    snprintf(d->cause, d->size,
             "%s counts are missing, about the share of one of the %s blocks (%s): "
             "one block's copy is lost, or two blocks use the same copy",
             grouped(missing), grouped(d->blocks), grouped(share));
    return true;
}

static bool schedules_differ(struct difference *d)
{
    if (!d->again || memcmp(d->held, d->again, num_bins() * sizeof *d->oracle->bins) == 0)
        return false;
    const bool fewer = sum_of(counted(d)) < sum_of(d->oracle->bins);
    const char *cause = fewer ? "too few" : "too many or too few";
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
        shifted = shifted && counted(d)[bin + 1] == d->oracle->bins[bin];
    return shifted;
}

/* Some bins have too many counts and others too few, so that neither is the whole story. */
static bool over_and_under(struct difference *d)
{
    unsigned long long over = 0, under = 0;
    for (unsigned int bin = 0; bin < num_bins(); bin++) {
        const unsigned int expected = d->oracle->bins[bin], held = counted(d)[bin];
        over += held > expected ? held - expected : 0;
        under += held < expected ? expected - held : 0;
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
    const unsigned long long expected = sum_of(d->oracle->bins), all_counted = sum_of(counted(d));
    const char *same = d->again ? ", the same on another schedule" : "";
    if (all_counted < expected && d->seen && updates(d) >= expected)
        snprintf(d->cause, d->size,
                 "%s of %s characters are missing, though d_bins was updated %s times: an update "
                 "adds less than was met (atomicAdd(&bins[bin], 1), and not atomicInc)",
                 grouped(expected - all_counted), grouped(expected), grouped(updates(d)));
    else if (all_counted < expected)
        snprintf(d->cause, d->size,
                 "%s of %s characters are missing%s: a thread does not read them, or what it "
                 "counted does not come to the bins (who adds it, and how much)",
                 grouped(expected - all_counted), grouped(expected), same);
    else if (all_counted > expected)
        snprintf(d->cause, d->size,
                 "%s counts too many%s: characters are read twice, or from outside the text, or "
                 "counted though they have no bin, or counters begin with something else than 0",
                 grouped(all_counted - expected), same);
    else
        snprintf(d->cause, d->size, "we do not know: no pattern of the differences is a known one");
    return true;
}

pattern *const likely_causes[] = {nothing_counted,
                                  counted_several_times,
                                  signed_characters,
                                  counts_from_nowhere,
                                  skipped_characters_counted,
                                  schedules_differ,
                                  one_bin_lost,
                                  share_missing,
                                  tail_dropped,
                                  head_dropped,
                                  about_one_block_missing,
                                  over_and_under,
                                  more_or_less,
                                  NULL};
