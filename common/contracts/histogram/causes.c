/* causes.c - the likeliest cause of a wrong count.
 *
 * Every cause is a small function: it looks at one pattern of differences and
 * writes a sentence when the pattern fits. They are tried from the most to the
 * least specific; the first that fits is printed. */
#include "verify.h"

#include <stdint.h>
#include <string.h>

#include "grouped.h"
#include "placed.h"

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

static unsigned short bin_of_value(unsigned char value)
{
    static unsigned short bin_of_byte[256];
    static bool known;
    if (!known)
        letters_in_bins(bin_of_byte);
    known = true;
    return bin_of_byte[value];
}

/* The bin of a character of the text. */
static unsigned short bin_at(const struct difference *d, size_t i)
{
    return bin_of_value(d->input->values[i]);
}

/* Stores and atomics of lanes on the final bins, zeros included. */
static uint64_t updates(const struct difference *d)
{
    return d->seen->bins.store.lanes + d->seen->bins.atomic.lanes;
}

/* What may be behind so many counts that are missing, besides: a counter that began again at 0. */
static const char *or_wrapped(unsigned long long missing)
{
    return missing % 65536 == 0 ? ", or a counter of 16 bits has begun again at 0"
           : missing % 256 == 0 ? ", or a counter of 8 bits has begun again at 0"
                                : "";
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
    const bool updated = d->seen && d->seen->launches > 0 && updates(d) > 0;
    const uint64_t added = updated ? d->seen->shared.add.lanes : 0;
    if (added > 0 && added >= sum_of(d->oracle->bins) / 32)
        why = "only zeros were added to d_bins: the counters that were committed had counted "
              "nothing, "
              "though threads have added in shared memory (what they added there does not come to "
              "what is committed, or was 0)";
    const bool unread = reads_of(d) == READ_NEVER;
    if (!d->seen && d->input->length > 0 && bin_at(d, 0) == NOT_COUNTED)
        return because(d, "%s: the first byte, %d, has no bin, and the loop has to go on behind it",
                       why, d->input->values[0]);
    return because(d, "%s%s%s", why, unread ? ", and some characters are read by no thread" : "",
                   updated ? or_wrapped(sum_of(d->oracle->bins)) : "");
}

static bool several_times(struct difference *d)
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
    const bool once = d->seen && d->seen->most_read <= 1;
    const bool read_as_often = d->seen && d->seen->least_read == times;
    bool blocks = times == d->blocks && !once, threads = times == d->threads_per_block;
    bool all = times == d->blocks * d->threads_per_block;
    const char *who =
        blocks && threads ? "every block counts the whole text, or every thread of "
                            "a block merges"
        : blocks          ? "every block counts the whole text"
        : threads         ? "every thread of a block merges the counts of the whole block"
        : all             ? "every thread counts the whole text"
        : once && times == d->blocks
            ? "no character is read twice: one adds more than 1, or the counts are "
              "merged into the bins more than once"
        : read_as_often     ? "each character is read as often: a loop, or a launch, comes "
                              "more than once"
        : !runs_on_device() ? "more than 1 is added for a character, or the text is read again"
                            : "the counts are merged into the bins more than once";
    return because(d, "each count is exactly %s times too large: %s", grouped(times), who);
}

/* More than if each block counted the whole text, and each of its threads something more. That memory was
 * read which nobody had zeroed, a check would have seen. */
static bool from_nowhere(struct difference *d)
{
    const unsigned int *held = counted(d);
    const uint64_t blocks = d->blocks > 0 ? d->blocks : 1, length = d->input->length;
    const uint64_t most = length > 0 ? (length + d->threads_per_block) * blocks : 0;
    for (unsigned int bin = 0; bin < num_bins(); bin++) {
        if (held[bin] <= most)
            continue;
        if (held[bin] <= INT32_MAX && d->seen && d->seen->most_read <= 1)
            return because(d,
                           "bin %u holds %s, of %s characters, none of which is read twice: what "
                           "was counted is added again and again, or with bits that are no count, "
                           "or a thread's own counters were not zeroed",
                           bin, grouped(held[bin]), grouped(length));
        if (held[bin] <= INT32_MAX)
            return because(d,
                           "bin %u holds %s, of %s characters: each is read by several threads "
                           "(look at the step of the loop), or what was counted is added again and "
                           "again, or a thread's own counters were not zeroed",
                           bin, grouped(held[bin]), grouped(length));
        return because(
            d,
            "bin %u holds %s, which is %s below 0: more was taken away than had come, or "
            "a thread's own counters were not zeroed",
            bin, grouped(held[bin]), grouped(-(uint64_t)held[bin] & UINT32_MAX));
    }
    return false;
}

/* Atomics that do not add, on the bins: each takes the place of what others have added. */
static bool set_by_atomics(struct difference *d)
{
    if (!d->seen)
        return false;
    const struct watched *bins = &d->seen->bins;
    const uint64_t setting = bins->exchange.lanes + bins->extreme.lanes + bins->bitwise.lanes;
    return setting > 0 &&
           because(d,
                   "%s atomics on d_bins are no additions: what one thread leaves there takes the "
                   "place of what others have added (atomicAdd, and not atomicExch or atomicMax)",
                   grouped(setting));
}

/* The number of the bin is added, in place of 1: to bin 0 nothing. */
static bool number_added(struct difference *d)
{
    uint64_t came = 0;
    for (unsigned int bin = 0; bin < num_bins(); bin++) {
        if (counted(d)[bin] != bin * d->oracle->bins[bin])
            return false;
        came += counted(d)[bin];
    }
    return came > 0 && because(d, "each bin holds its own number times what it should: that number "
                                  "is added, in place of 1");
}

/* Counting every byte, with the bytes that have no bin in bin 0 or a neighbor's. */
static bool skipped_counted(struct difference *d)
{
    const unsigned long long all_counted = sum_of(counted(d)), expected = sum_of(d->oracle->bins);
    return all_counted == d->input->length && all_counted != expected &&
           because(d,
                   "the bins add up to all %s characters, but only %s have a bin: a character for "
                   "which bin_of gives -1 must be skipped",
                   grouped(all_counted), grouped(expected));
}

static unsigned char as_small_letter(unsigned char value)
{
    return value >= 'A' && value <= 'Z' ? (unsigned char)(value - 'A' + 'a') : value;
}

static unsigned char in_seven_bits(unsigned char value)
{
    return value & 0x7f;
}

/* Whether the counts are those of the text with each character taken for another. */
static bool counted_as(const struct difference *d, unsigned char (*other)(unsigned char))
{
    unsigned int bins[MOST_BINS + 1] = {0};
    for (size_t i = 0; i < d->input->length; i++)
        bins[bin_of_value(other(d->input->values[i]))]++;
    return counts_are(d, bins);
}

static bool taken_for_another(struct difference *d)
{
    if (counted_as(d, as_small_letter))
        return because(d, "capital letters are counted as small ones: a bit of the character is "
                          "changed, or not looked at");
    return counted_as(d, in_seven_bits) &&
           because(d, "bytes above 127 are counted as those that are 128 less: the upper bit of a "
                      "character is not looked at");
}

static bool as_signed(struct difference *d)
{
    static const unsigned int none[128];
    return num_bins() == 256 && memcmp(counted(d), d->oracle->bins, sizeof none) == 0 &&
           memcmp(counted(d) + 128, none, sizeof none) == 0 &&
           because(d, "only bytes above 127 are missing: a character was taken for a signed char, "
                      "which makes them negative");
}

/* Whether one bin has all that is counted. */
static bool of_one_bin(const struct difference *d)
{
    unsigned int bins = 0;
    for (unsigned int bin = 0; bin < num_bins(); bin++)
        bins += d->oracle->bins[bin] > 0;
    return bins == 1;
}

/* How long the beginning of the text is, or its end, that has these counts `times` times; 0 where none has.
 * In a text of one bin any number of counts would be. */
static size_t part_counted(const struct difference *d, uint64_t times, bool at_end)
{
    const unsigned long long all_counted = sum_of(counted(d));
    unsigned int bins[MOST_BINS + 1] = {0};
    size_t i = 0;
    if (of_one_bin(d) || times == 0 || all_counted % times > 0)
        return 0;
    for (unsigned long long left = all_counted / times; i < d->input->length && left > 0; i++) {
        const unsigned short bin = bin_at(d, at_end ? d->input->length - 1 - i : i);
        bins[bin] += (unsigned int)times;
        left -= bin != NOT_COUNTED;
    }
    return counts_are(d, bins) ? i : 0;
}

/* Where a loop may have ended, when it has counted the first characters and no more: from there to the next one that
 * should have been counted some value comes for the first time. 0 where none does, else the next one. */
static size_t new_value_up_to(const struct difference *d, size_t first)
{
    bool met[256] = {false}, is_new = false;
    size_t i = 0;
    for (; i < first; i++)
        met[d->input->values[i]] = true;
    for (; i < d->input->length; i++) {
        is_new |= !met[d->input->values[i]];
        if (bin_at(d, i) != NOT_COUNTED)
            break;
    }
    return is_new ? i : 0;
}

static bool end_dropped(struct difference *d)
{
    const size_t first = part_counted(d, 1, false), last = part_counted(d, 1, true);
    const uint64_t threads = d->blocks * d->threads_per_block;
    if (threads > 0 && first > threads - threads / 64 && first <= threads && d->seen &&
        d->seen->most_by_thread == 1 && d->input->length - first >= threads)
        return because(d,
                       "the counts are those of the first %s characters: each of the %s threads "
                       "counts one, and goes (look at the step of its loop)",
                       grouped(first), grouped(threads));
    if (first > 0 && new_value_up_to(d, first) > 0)
        return because(
            d,
            "the counts are those of the first %s characters: the tail of the text is "
            "dropped (a bound that is too small, or a loop that ends at one of the bytes "
            "from number %s to %s, of which some come there for the first time)",
            grouped(first), grouped(first), grouped(new_value_up_to(d, first)));
    if (first > 0)
        return because(d,
                       "the counts are those of the first %s characters: the tail of the text is "
                       "dropped (a division that rounds down, or a bound that is one too small)",
                       grouped(first));
    return last > 0 &&
           because(d,
                   "the counts are those of the text without its first characters, %s of them "
                   "at most: nobody counts its beginning",
                   grouped(d->input->length - last));
}

/* Each block, or each thread of one, is where the others are. */
static bool beginning_again(struct difference *d)
{
    const bool of_blocks = d->blocks > 1 && part_counted(d, d->blocks, false) > 0;
    const uint64_t times = of_blocks ? d->blocks : d->threads_per_block;
    const size_t first = times > 1 ? part_counted(d, times, false) : 0;
    return first > 0 &&
           because(d,
                   "the first %s characters are counted %s times, and the others never: the "
                   "number of %s is missing where an index begins",
                   grouped(first), grouped(times),
                   of_blocks ? "the block" : "the thread in its block");
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
    return threads > 0 ? (d->input->length + threads - 1) / threads : 0;
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

static bool every_second(const struct difference *d, size_t i, unsigned long long choice)
{
    (void)d;
    return i % 2 != choice;
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
    if (sum_of(counted(d)) >= sum_of(d->oracle->bins))
        return false;
    /* With less than a character a thread, a share and a tail look the same. */
    const uint64_t blocks = d->input->length < d->blocks * d->threads_per_block ? 0 : d->blocks;
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
                return because(d, shares[i].who, grouped(choice));
            }
        }
    return false;
}

/* Some bins lost, and the others right. */
static bool bins_lost(struct difference *d)
{
    unsigned int first = 0, lost = 0;
    for (unsigned int bin = num_bins(); bin-- > 0;)
        if (counted(d)[bin] != d->oracle->bins[bin]) {
            first = bin;
            lost += counted(d)[bin] == 0;
        }
    if (lost < d->wrong)
        return false;
    if (lost == 1)
        return because(d,
                       "only bin %u is wrong, and it has nothing at all: a loop over the bins, or "
                       "a test of the bin's number, is off by one",
                       first);
    return because(d,
                   "bin %u and %u more have nothing at all, and all others are right: a loop "
                   "over the bins, or a test of the bin's number, leaves them out",
                   first, lost - 1);
}

/* Some bins hold a multiple of what they should, and the others are right. */
static bool bins_several_times(struct difference *d)
{
    enum { FEW = 8 }; /* a few may be a multiple by chance */
    unsigned int times = 0, several = 0;
    for (unsigned int bin = 0; bin < num_bins(); bin++) {
        const unsigned int expected = d->oracle->bins[bin], held = counted(d)[bin];
        if (held == expected)
            continue;
        if (expected < FEW || held % expected > 0 || held / expected < 2 ||
            (several > 0 && held / expected != times))
            return false;
        times = held / expected;
        several++;
    }
    return because(d,
                   "%u of %u bins hold exactly %s times what they should, and all others are "
                   "right: several threads add the same counts to these",
                   several, num_bins(), grouped(times));
}

/* Bins that begin with something else than 0, or are set in place of added to. */
static bool each_by_as_much(struct difference *d)
{
    const unsigned int *held = counted(d), *expected = d->oracle->bins, more = *held - *expected;
    const bool by_atomics = d->seen && d->seen->bins.atomic.lanes > 0; /* which set nothing */
    bool all_more = more > 0, all_one = !by_atomics && sum_of(held) < sum_of(expected) / 4;
    for (unsigned int bin = 0; bin < num_bins(); bin++) {
        all_more = all_more && held[bin] - expected[bin] == more;
        all_one = all_one && held[bin] == (expected[bin] > 0);
    }
    if (all_one)
        return because(
            d, "each bin holds 1, however many came: it is set to 1, and nothing is added to it");
    return all_more &&
           because(d, "each bin holds %s more than it should%s: its counters do not begin at 0",
                   grouped(more),
                   d->blocks > 1 && more % d->blocks == 0 ? ", as much for each block" : "");
}

/* Whether each block came to the bins, and none has a copy in global memory, which another may use. */
static bool all_blocks_came(const struct difference *d)
{
    return d->seen && d->seen->bins.blocks >= d->blocks && d->seen->elsewhere.atomic.lanes == 0;
}

static bool block_about_missing(struct difference *d)
{
    const unsigned long long expected = sum_of(d->oracle->bins), all_counted = sum_of(counted(d));
    if (d->blocks < 2 || all_counted >= expected || all_blocks_came(d))
        return false;
    unsigned long long missing = expected - all_counted, share = expected / d->blocks;
    return share >= 64 && missing >= share - share / 16 && missing <= share + share / 16 &&
           because(d,
                   "%s counts are missing, about the share of one of the %s blocks (%s): one "
                   "block's copy is lost, or two blocks use the same copy",
                   grouped(missing), grouped(d->blocks), grouped(share));
}

static bool schedules_differ(struct difference *d)
{
    if (!d->again || memcmp(d->held, d->again, num_bins() * sizeof *d->oracle->bins) == 0)
        return false;
    const bool fewer = sum_of(counted(d)) < sum_of(d->oracle->bins);
    const char *cause = fewer ? "too few" : "too many or too few";
    return nobody_knows(
        d,
        "another schedule counts differently, though no race was seen: %s are counted "
        "by who comes first. We do not know why",
        cause);
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
    /* Whether each bin holds what the one before it should. */
    if (memcmp(counted(d) + 1, d->oracle->bins, (num_bins() - 1) * sizeof *counted(d)) == 0)
        return because(
            d, "each bin holds what belongs into the bin before it: they are shifted by one");
    const enum reads reads = reads_of(d);
    if (over != under)
        return because(
            d, "%s counts too many in some bins, %s too few in others: %s", grouped(over),
            grouped(under),
            reads == READ_UNEVENLY ? "some characters are read more than once and counted twice, "
                                     "and others never (look "
                                     "at where a loop begins, and at the number of a thread)"
            : reads == READ_ONCE ? "each character is read once, and some come to a wrong bin, or "
                                   "more or less was added than was met"
                                 : "characters came to a wrong bin, some were counted twice and "
                                   "others never, or more or less was added than was met");
    return because(d, "%s counts too many in some bins, %s too few in others, as many: %s",
                   grouped(over), grouped(under),
                   reads == READ_UNEVENLY ? "some characters are read more than once and others "
                                            "never"
                   : reads == READ_ONCE   ? "each character is read once, and some come to a wrong "
                                            "bin, or are counted twice in the place of others"
                                          : "characters came to a wrong bin, or some were counted "
                                            "twice and others never");
}

/* Each bin holds what belongs into it and into all bins on one side of it. */
static bool in_several_bins(struct difference *d)
{
    bool above = true, below = true;
    unsigned long long behind = sum_of(d->oracle->bins), before = 0;
    for (unsigned int bin = 0; bin < num_bins(); bin++) {
        before += d->oracle->bins[bin];
        above = above && counted(d)[bin] == behind;
        below = below && counted(d)[bin] == before;
        behind -= d->oracle->bins[bin];
    }
    if (!above && !below)
        return false;
    return because(d, "%s",
                   above ? "each bin holds what belongs into it and into all bins behind it: a "
                           "character is counted in several bins, by <= or >= in the place of =="
                         : "each bin holds what belongs into it and into all bins before it: a "
                           "character is counted in several bins, by <= or >= in the place of ==");
}

/* Too few of all characters, by so many. */
static bool fewer(struct difference *d, unsigned long long missing, const char *same)
{
    const char *all = grouped(sum_of(d->oracle->bins)), *wrapped = or_wrapped(missing);
    const enum reads reads = reads_of(d);
    if (reads == READ_ONCE || reads == READ_EVENLY || reads == READ_AGAIN)
        return because(
            d,
            "%s of %s characters are missing%s, though each is read: some are not counted, or "
            "what a thread has counted does not come to the bins (who adds it, and how "
            "much)%s",
            grouped(missing), all, same, wrapped);
    if (reads == READ_UNEVENLY)
        return because(
            d,
            "%s of %s characters are missing%s: some are read by no thread, and others "
            "up to %s times (look at where a loop begins, and at the number of a thread)",
            grouped(missing), all, same, grouped(d->seen->most_read));
    if (reads == READ_NEVER)
        return because(d,
                       "%s of %s characters are missing%s: some are read by no thread (look at "
                       "where a loop begins and ends, and at its step)%s",
                       grouped(missing), all, same, wrapped);
    return because(d,
                   "%s of %s characters are missing%s: a thread does not read them, or what it "
                   "counted does not come to the bins (who adds it, and how much)%s",
                   grouped(missing), all, same, wrapped);
}

/* Too many, by so many. */
static bool more(struct difference *d, unsigned long long too_many, const char *same)
{
    const enum reads reads = reads_of(d);
    if (reads == READ_AGAIN || reads == READ_UNEVENLY)
        return because(d,
                       "%s counts too many%s: characters are read up to %s times (look at where a "
                       "loop begins, and at its step)",
                       grouped(too_many), same, grouped(d->seen->most_read));
    if (reads == READ_ONCE || reads == READ_NEVER)
        return because(d,
                       "%s counts too many%s, though no character is read twice: one is counted "
                       "again, or though it has no bin, or counters begin with something else "
                       "than 0",
                       grouped(too_many), same);
    return because(
        d,
        "%s counts too many%s: characters are read twice, or from outside the text, or counted "
        "though they have no bin, or counters begin with something else than 0",
        grouped(too_many), same);
}

static bool more_or_less(struct difference *d)
{
    const unsigned long long expected = sum_of(d->oracle->bins), all_counted = sum_of(counted(d));
    const char *same = d->again ? ", the same on another schedule" : "";
    if (all_counted < expected && d->seen && updates(d) >= expected)
        return because(
            d,
            "%s of %s characters are missing, though d_bins was updated %s times: an update adds "
            "less than was met (atomicAdd(&bins[bin], 1), and not atomicInc)",
            grouped(expected - all_counted), grouped(expected), grouped(updates(d)));
    if (all_counted < expected)
        return fewer(d, expected - all_counted, same);
    if (all_counted > expected && d->seen && updates(d) == expected)
        return because(d,
                       "%s counts too many, though d_bins was updated once for each character that "
                       "has a bin: an update adds more than was met",
                       grouped(all_counted - expected));
    if (all_counted > expected)
        return more(d, all_counted - expected, same);
    return nobody_knows(d, "we do not know: no pattern of the differences is a known one");
}

cause_of_output *const likely_causes[] = {
    nothing_counted,     several_times,      number_added,    set_by_atomics,  as_signed,
    taken_for_another,   each_by_as_much,    from_nowhere,    skipped_counted, schedules_differ,
    bins_lost,           bins_several_times, share_missing,   end_dropped,     beginning_again,
    block_about_missing, over_and_under,     in_several_bins, more_or_less,    NULL};
