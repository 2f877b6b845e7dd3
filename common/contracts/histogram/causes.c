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

static bool counts_are(const struct difference_of_bins *d, const unsigned int *bins)
{
    return memcmp(d->result->counted, bins, num_bins() * sizeof *bins) == 0;
}

static bool told_above(struct difference_of_bins *d)
{
    if (d->result->reported)
        snprintf(d->cause, d->size, "what the report above tells");
    return d->result->reported;
}

static bool nothing_counted(struct difference_of_bins *d)
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

static bool counted_several_times(struct difference_of_bins *d)
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
static bool counts_from_nowhere(struct difference_of_bins *d)
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
static bool skipped_characters_counted(struct difference_of_bins *d)
{
    if (d->counted_sum != d->result->length || d->counted_sum == d->expected_sum)
        return false;
    snprintf(d->cause, d->size,
             "the bins add up to all %s characters, but only %s have a bin: "
             "a character for which bin_of gives -1 must be skipped",
             grouped(d->counted_sum), grouped(d->expected_sum));
    return true;
}

static bool signed_characters(struct difference_of_bins *d)
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
static bool of_one_bin(const struct difference_of_bins *d)
{
    unsigned int bins = 0;
    for (unsigned int bin = 0; bin < num_bins(); bin++)
        bins += d->expected[bin] > 0;
    return bins == 1;
}

/* How long the beginning of the text is, or its end, that has these counts `times` times; 0 where none has.
 * In a text of one bin any number of counts would be. */
static size_t part_counted(const struct difference_of_bins *d, unsigned int times, bool at_end)
{
    const struct verify_result *result = d->result;
    unsigned long long left = times > 0 ? d->counted_sum / times : 0;
    unsigned int bins[MOST_BINS + 1] = {0};
    size_t i = 0;
    if (of_one_bin(d) || times == 0 || d->counted_sum % times > 0)
        return 0;
    for (; i < result->length && left > 0; i++) {
        const size_t at = at_end ? result->length - 1 - i : i;
        const unsigned short bin = d->bin_of_byte[result->text[at]];
        bins[bin] += times;
        left -= bin != NOT_COUNTED;
    }
    return left == 0 && counts_are(d, bins) ? i : 0;
}

static bool end_dropped(struct difference_of_bins *d)
{
    const size_t first = part_counted(d, 1, false), last = part_counted(d, 1, true);
    if (first > 0)
        snprintf(d->cause, d->size,
                 "the counts are those of the first %s characters: the tail of the text is dropped "
                 "(a division that rounds down, or a bound that is one too small)",
                 grouped(first));
    else if (last > 0)
        snprintf(d->cause, d->size,
                 "the counts are those of the text without its first characters, %s of them at "
                 "most: nobody counts its beginning",
                 grouped(d->result->length - last));
    return first > 0 || last > 0;
}

/* Each block, or each thread of one, is where the others are. */
static bool beginning_again(struct difference_of_bins *d)
{
    const unsigned int blocks = d->result->blocks, threads = d->result->threads_per_block;
    const unsigned int times = blocks > 1 && part_counted(d, blocks, false) > 0 ? blocks : threads;
    const size_t first = times > 1 ? part_counted(d, times, false) : 0;
    if (first > 0)
        snprintf(d->cause, d->size,
                 "the first %s characters are counted %s times, and the others never: the number "
                 "of %s is missing where an index begins",
                 grouped(first), grouped(times),
                 times == blocks ? "the block" : "the thread in its block");
    return first > 0;
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
    return threads > 0 ? (result->length + threads - 1) / threads : 0;
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

static bool every_second(const struct verify_result *result, size_t i, unsigned long long choice)
{
    (void)result;
    return i % 2 != choice;
}

static bool share_is_missing(struct difference_of_bins *d, const struct share *share,
                             unsigned long long choice)
{
    unsigned int bins[MOST_BINS + 1] = {0};
    for (size_t i = 0; i < d->result->length; i++)
        if (!share->misses(d->result, i, choice))
            bins[d->bin_of_byte[d->result->text[i]]]++;
    return counts_are(d, bins);
}

static bool share_missing(struct difference_of_bins *d)
{
    if (d->counted_sum >= d->expected_sum)
        return false;
    /* With less than a character a thread, a share and a tail look the same. */
    const size_t threads = (size_t)d->result->blocks * d->result->threads_per_block;
    const unsigned int blocks = d->result->length < threads ? 0 : d->result->blocks;
    const struct share shares[] = {
        {"exactly what block %s read is missing: its counts were never merged into the bins",
         blocks, in_interleaved_block},
        {"exactly what block %s read is missing: its counts were never merged into the bins",
         blocks, in_contiguous_block},
        {"exactly the last character of each thread's section is missing: "
         "a bound is one too small",
         1, last_of_section},
        {"exactly the first character of each thread's section is missing: "
         "a section starts one too late",
         1, first_of_section},
        {"the counts are those of every second character: a loop goes on by too many, or a word's "
         "characters are not all counted",
         2, every_second},
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

/* Some bins lost, and the others right. */
static bool bins_lost(struct difference_of_bins *d)
{
    unsigned int first = 0;
    while (first < num_bins() - 1 && d->result->counted[first] == d->expected[first])
        first++;
    for (unsigned int bin = first; bin < num_bins(); bin++)
        if (d->result->counted[bin] != d->expected[bin] && d->result->counted[bin] > 0)
            return false;
    if (d->wrong == 1)
        snprintf(
            d->cause, d->size,
            "only bin %u is wrong, and it has nothing at all: a loop over the bins, or a test of "
            "the bin's number, is off by one",
            first);
    else
        snprintf(
            d->cause, d->size,
            "bin %u and %u more have nothing at all, and all others are right: a loop over the "
            "bins, or a test of the bin's number, leaves them out",
            first, d->wrong - 1);
    return true;
}

/* Bins that begin with something else than 0, or are set in place of added to. */
static bool each_by_as_much(struct difference_of_bins *d)
{
    const unsigned int *counted = d->result->counted, blocks = d->result->blocks;
    const unsigned int more = counted[0] - d->expected[0];
    bool all_more = more > 0, all_one = d->counted_sum < d->expected_sum / 4;
    for (unsigned int bin = 0; bin < num_bins(); bin++) {
        all_more = all_more && counted[bin] - d->expected[bin] == more;
        all_one = all_one && counted[bin] == (d->expected[bin] > 0);
    }
    if (all_one)
        snprintf(d->cause, d->size,
                 "each bin holds 1, however many came: it is set to 1, and nothing is added to it");
    else if (all_more)
        snprintf(d->cause, d->size,
                 "each bin holds %s more than it should%s: its counters do not begin at 0",
                 grouped(more), blocks > 1 && more % blocks == 0 ? ", as much for each block" : "");
    return all_one || all_more;
}

static bool about_one_block_missing(struct difference_of_bins *d)
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

static bool schedules_differ(struct difference_of_bins *d)
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
static bool is_shifted(const struct difference_of_bins *d)
{
    const unsigned int bins = num_bins();
    bool shifted = true;
    for (unsigned int bin = 0; bin + 1 < bins; bin++)
        shifted = shifted && d->result->counted[bin + 1] == d->expected[bin];
    return shifted;
}

/* Some bins have too many counts and others too few, so that neither is the whole story. */
static bool over_and_under(struct difference_of_bins *d)
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

static bool more_or_less(struct difference_of_bins *d)
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

void find_cause(struct difference_of_bins *d)
{
    static bool (*const causes[])(struct difference_of_bins *) = {
        told_above,
        nothing_counted,
        counted_several_times,
        signed_characters,
        each_by_as_much,
        counts_from_nowhere,
        skipped_characters_counted,
        schedules_differ,
        bins_lost,
        share_missing,
        end_dropped,
        beginning_again,
        about_one_block_missing,
        over_and_under,
        more_or_less,
    };
    for (size_t i = 0; i < sizeof causes / sizeof *causes; i++)
        if (causes[i](d))
            return;
}
