/* causes.c - the likeliest cause of a wrong output: see causes.h. Which units were read is asked in parts.c. */
#include "causes.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "contract.h"
#include "grouped.h"

static bool write_cause(const struct difference *d, const char *format, va_list arguments)
{
    vsnprintf(d->cause, d->size, format, arguments);
    return true;
}

bool because(const struct difference *d, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    write_cause(d, format, arguments);
    va_end(arguments);
    return true;
}

bool nobody_knows(struct difference *d, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    write_cause(d, format, arguments);
    va_end(arguments);
    d->is_unknown = true;
    return true;
}

void first_cause(struct difference *d)
{
    cause_of_output *const *cause = contract.causes->likely;
    while (*cause && !(*cause)(d))
        cause++;
}

bool holds_by(const struct difference *d, struct oracle *other)
{
    struct difference by = *d;
    by.oracle = other;
    by.wrong = 0;
    const bool holds = contract_compare(&by);
    contract_forget(other);
    return holds;
}

bool holds_if(const struct difference *d, struct hypothesis hypothesis)
{
    hypothesis.length = d->input->length;
    hypothesis.blocks = d->blocks;
    hypothesis.threads = d->threads_per_block;
    return holds_by(d, contract.causes->oracle_if(d->input, &hypothesis));
}

enum reads reads_of(const struct difference *d)
{
    const struct measurement *seen = d->seen;
    if (!seen || seen->blocks == 0)
        return READS_UNKNOWN;
    if (seen->least_read == 0)
        return seen->most_read > 1 ? READ_UNEVENLY : READ_NEVER;
    if (seen->least_read == seen->most_read)
        return seen->most_read > 1 ? READ_EVENLY : READ_ONCE;
    return READ_AGAIN;
}

/* Output i of so many bytes each, as an integer. */
static uint64_t integer_at(const unsigned char *outputs, size_t bytes, size_t i)
{
    return bytes == sizeof(uint64_t) ? wide_word_at(outputs, i) : word_at(outputs, i);
}

/* What output i held before the call; 0 where that is set anew, or nothing was there. */
static uint64_t integer_before(const struct difference *d, const struct integers *of, size_t i)
{
    return d->input->bins ? integer_at(d->input->bins, of->bytes, i) : 0;
}

/* What came to output i, modulo its size, when it holds `number` in the end. */
static uint64_t came_to(const struct difference *d, const struct integers *of, size_t i,
                        uint64_t number)
{
    const uint64_t came = number - integer_before(d, of, i);
    return of->bytes == sizeof(uint64_t) ? came : (uint32_t)came;
}

/* An output: what it should hold, and holds; and what should have come to it, and came. */
struct output {
    uint64_t right, held, should, came;
};

static struct output output_at(const struct difference *d, const struct integers *of, size_t i)
{
    const uint64_t right = integer_at(of->right, of->bytes, i);
    const uint64_t held = integer_at(d->held, of->bytes, i);
    return (struct output){right, held, came_to(d, of, i, right), came_to(d, of, i, held)};
}

struct tally tally_of(const struct difference *d)
{
    struct tally tally = {.many = 0};
    if (contract.causes->integers)
        tally.of = contract.causes->integers(d->oracle);
    for (size_t i = 0; tally.of.right && i < d->input->num_bins; i++) {
        const struct output output = output_at(d, &tally.of, i);
        tally.outputs += output.should > 0;
        tally.should += output.should;
        tally.came += output.came;
        tally.many += output.held > output.right;
        tally.few += output.held < output.right;
        tally.more += output.held > output.right ? output.held - output.right : 0;
        tally.less += output.held < output.right ? output.right - output.held : 0;
    }
    return tally;
}

bool output_is_as_before(struct difference *d)
{
    const size_t bytes = operation_bin_bytes(operation_chosen()), at = d->first * bytes;
    if (d->wrong == 0 || !d->before)
        return false;
    if (memcmp(d->held + at, d->before + at, bytes) == 0)
        return because(d, "it holds what it held before the call: no thread stores it");
    const double is = float_at(d->held + at, 0), before = float_at(d->before + at, 0);
    return layout.sets && fabs(is - before) <= ldexp(fabs(before), -8) &&
           because(d, "what it held before the call is in it: set it, to 0 where threads add to "
                      "it later");
}

bool known_mistake(struct difference *d)
{
    for (int rule = 1; contract.causes->mistakes[rule]; rule++)
        if (holds_if(d, (struct hypothesis){.rule = rule}))
            return because(d, "%s", contract.causes->mistakes[rule]);
    return false;
}

/* Why everything came so many times. */
static const char *why_so_often(const struct difference *d, uint64_t times)
{
    static char why[200];
    const enum reads reads = reads_of(d);
    const char *who = times == d->blocks                          ? "block"
                      : times == d->blocks * d->threads_per_block ? "thread"
                                                                  : NULL;
    if (reads == READ_ONCE && times != d->threads_per_block)
        snprintf(why, sizeof why,
                 "no %s is read twice, and one adds more than it should, or several threads add "
                 "what they all have, or one adds it again",
                 contract.words.unit);
    else if (who && reads != READ_ONCE)
        snprintf(why, sizeof why, "every %s reads all %s%s", who, contract.words.units,
                 times == d->threads_per_block
                     ? ", or every thread of a block adds what the whole block has"
                     : "");
    else if (times == d->threads_per_block)
        return "every thread of a block adds what the whole block has";
    else if (d->seen && d->seen->least_read == times)
        return "each is read as often: a loop, or a launch, comes more than once";
    else
        snprintf(why, sizeof why, "%s are read more than once, or one adds more than it should%s",
                 contract.words.units,
                 d->blocks > 0 ? ", or several threads add what they all have" : "");
    return why;
}

bool several_times(struct difference *d)
{
    enum { WARP = 32 };
    const struct tally tally = tally_of(d);
    const bool is_whole = tally.should > 0 && tally.came % tally.should == 0;
    const uint64_t threads = d->threads_per_block;
    const uint64_t counts[] = {2,
                               3,
                               4,
                               8,
                               16,
                               WARP,
                               threads / WARP,
                               d->blocks,
                               threads,
                               d->blocks * threads,
                               is_whole && d->input->num_bins > 1 ? tally.came / tally.should : 0};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        if (counts[i] > 1 && holds_if(d, (struct hypothesis){.times = counts[i]}))
            return because(d, "everything came exactly %s times: %s", grouped(counts[i]),
                           why_so_often(d, counts[i]));
    return false;
}

/* The first count that is more than if each block counted all, and each of its threads something more. That memory
 * was read which nobody had set, a check would have seen. */
bool from_nowhere(struct difference *d)
{
    const struct tally tally = tally_of(d);
    const uint64_t blocks = d->blocks > 0 ? d->blocks : 1, length = d->input->length;
    const uint64_t most = length > 0 ? (length + d->threads_per_block) * blocks : 0;
    for (size_t i = 0; tally.of.are_counts && i < d->input->num_bins; i++) {
        const uint64_t came = output_at(d, &tally.of, i).came;
        const uint64_t below = tally.of.bytes == sizeof came ? 0 - came : (uint32_t)(0 - came);
        if (came <= most)
            continue;
        if (below < came)
            return because(d,
                           "bin %s is %s below what it held before: more was taken away than had "
                           "come, or a thread's own counters do not begin with %s",
                           grouped(i), grouped(below), contract.words.begins_with);
        return because(d,
                       "bin %s got %s, and there are %s %s%s what was %s is added again and again, "
                       "or with bits that are no count, or a thread's own counters do not begin "
                       "with %s",
                       grouped(i), grouped(came), grouped(length), contract.words.units,
                       d->seen && d->seen->most_read <= 1
                           ? ", none of which is read twice:"
                           : ": each is read by several threads (look at the step of the loop), or",
                       contract.words.done, contract.words.begins_with);
    }
    return false;
}

bool skipped_counted(struct difference *d)
{
    const struct tally tally = tally_of(d);
    return tally.of.are_counts && tally.came == d->input->length && tally.came != tally.should &&
           because(
               d,
               "the bins add up to all %s %s, but only %s have a bin: the others must be skipped",
               grouped(tally.came), contract.words.units, grouped(tally.should));
}

bool schedules_differ(struct difference *d)
{
    const size_t bytes = d->input->num_bins * operation_bin_bytes(operation_chosen());
    const struct tally tally = tally_of(d);
    if (!d->again || memcmp(d->held, d->again, bytes) == 0)
        return false;
    if (layout.sets)
        return nobody_knows(
            d,
            "another schedule gives another %s, though no race was seen: who comes first decides. "
            "A ticket or a sum that the call before has left may do that, or a result that is "
            "taken before all blocks were there, or the last block's part that is missing or comes "
            "twice. We do not know which",
            contract.words.output);
    if (tally.many > 0) /* what is lost makes none too large */
        return nobody_knows(
            d,
            "another schedule gives other bins, though no race was seen: %s have too many, %s too "
            "few. Which of the %s comes to a wrong bin, or comes twice and keeps another from its "
            "own, is decided by who comes first",
            grouped(tally.many), grouped(tally.few), contract.words.units);
    return nobody_knows(
        d, "another schedule gives other bins, though no race was seen: updates are lost, as by an "
           "atomic that does not add (atomicInc, atomicExch), or an atomicCAS that fails and is "
           "not made again, or who "
           "comes first decides what a bin holds");
}

bool each_by_as_much(struct difference *d)
{
    const struct tally tally = tally_of(d);
    const uint64_t more = tally.more / d->input->num_bins;
    if (tally.many < d->input->num_bins || tally.many < 2)
        return false;
    for (size_t i = 0; i < d->input->num_bins; i++) {
        const struct output output = output_at(d, &tally.of, i);
        if (output.held - output.right != more)
            return false;
    }
    return because(d, "each bin holds %s more than it should%s: its counters do not begin with %s",
                   grouped(more),
                   d->blocks > 1 && more % d->blocks == 0 ? ", as much for each block" : "",
                   contract.words.begins_with);
}

/* Whether output i is as it was before the call. */
static bool is_untouched(const struct difference *d, size_t i)
{
    static const unsigned char zeros[64];
    const size_t bytes = operation_bin_bytes(operation_chosen());
    return memcmp(d->held + i * bytes, d->input->bins ? d->input->bins + i * bytes : zeros,
                  bytes) == 0;
}

static bool is_right_in(const struct difference *d, size_t i)
{
    return oracle_may_hold(d->oracle, i, d->held + i * operation_bin_bytes(operation_chosen()));
}

bool outputs_left_out(struct difference *d)
{
    const size_t outputs = d->input->num_bins;
    size_t last = d->first, touched = 0;
    for (size_t i = d->first; i < outputs; i++) {
        if (!is_right_in(d, i) && !is_untouched(d, i))
            return false;
        last = is_right_in(d, i) ? last : i;
    }
    for (size_t i = d->first; i < last; i++)
        touched += !is_untouched(d, i);
    if (d->wrong == 1)
        return because(d,
                       "only bin %s is wrong, and holds what it held before: a loop over the bins, "
                       "a division by their number or a test of a bin's number is off by one, or "
                       "the only %s that belongs there is left out",
                       grouped(d->first), contract.words.unit);
    return touched == 0 &&
           because(d,
                   "bins %s to %s hold what they held before, and all others are right: a pass, "
                   "a bucket, a block's range of bins or a loop over the bins leaves them out",
                   grouped(d->first), grouped(last));
}

bool outputs_several_times(struct difference *d)
{
    enum { FEW = 8 }; /* a few may be a multiple by chance */
    const struct tally tally = tally_of(d);
    uint64_t times = 0;
    for (size_t i = 0; i < d->input->num_bins && tally.of.right; i++) {
        const struct output output = output_at(d, &tally.of, i);
        if (output.held == output.right)
            continue;
        if (output.should < FEW || output.came % output.should > 0 ||
            output.came / output.should < 2 || (times > 0 && output.came / output.should != times))
            return false;
        times = output.came / output.should;
    }
    return times > 0 && d->input->num_bins > 1 &&
           because(
               d,
               "%s of %s bins hold exactly %s times what they should, and all others are right: "
               "several threads add the same to these",
               grouped(d->wrong), grouped(d->input->num_bins), grouped(times));
}

/* Why something is missing, as far as it is known how often each unit was read. */
static void say_why_less(const struct difference *d, char *why, size_t size)
{
    const enum reads reads = reads_of(d);
    if (reads == READ_UNEVENLY)
        snprintf(why, size,
                 "some are read by no thread, and others up to %s times (look at where a loop "
                 "begins, and at the number of a thread)",
                 grouped(d->seen->most_read));
    else if (reads == READ_NEVER)
        snprintf(why, size,
                 "some are read by no thread (look at where a loop begins and ends, and "
                 "at its step)");
    else
        snprintf(why, size,
                 "%s%s, or what a thread, a warp or a block has does not come to the %s "
                 "(who adds it, and how much)",
                 reads == READS_UNKNOWN ? "some are not read" : "each is read, but some are not ",
                 reads == READS_UNKNOWN ? "" : contract.words.done, contract.words.output);
}

/* Why so much came that should not; with UINT64_MAX for what is no count. */
static void say_why_more(const struct difference *d, uint64_t more, char *why, size_t size)
{
    const enum reads reads = reads_of(d);
    const uint64_t binned = contract.counted ? contract.counted(d->oracle) : d->input->length;
    const char *without = more <= d->input->length - binned ? ", or one that has no bin" : "";
    char how[100] = "";
    if (reads == READ_ONCE || reads == READ_NEVER)
        snprintf(how, sizeof how, "no %s is read twice, but ", contract.words.unit);
    else if (reads == READ_EVENLY)
        snprintf(how, sizeof how, "all %s are read as often, but ", contract.words.units);
    else
        snprintf(how, sizeof how, "%s are read twice, or from outside, or ", contract.words.units);
    if (reads == READ_AGAIN || reads == READ_UNEVENLY)
        snprintf(why, size,
                 "%s are read more than once, up to %s times (look at where a loop begins, and at "
                 "its step)",
                 contract.words.units, grouped(d->seen->most_read));
    else
        snprintf(why, size,
                 "%sone, or what several came to, is %s again%s, or a copy of the %s does not "
                 "begin with %s",
                 how, contract.words.done, without, contract.words.output,
                 contract.words.begins_with);
}

/* Why some outputs have too much, and others too little. */
static void say_why_both(const struct difference *d, bool is_sum_right, char *why, size_t size)
{
    const enum reads reads = reads_of(d);
    snprintf(why, size, "%s%s%s",
             reads == READ_UNEVENLY
                 ? "some are read more than once, and others never (look at where a loop begins, "
                   "and at the number of a thread)"
             : reads != READ_ONCE ? "some come to a wrong bin, or twice, and others never"
                                  : "each is read once, and some come to a wrong bin, or ",
             reads != READ_ONCE ? ""
             : is_sum_right     ? "twice in the place of others"
                                : "more or less is ",
             reads == READ_ONCE && !is_sum_right ? contract.words.done : "");
    if (reads == READ_ONCE && !is_sum_right)
        strncat(why, " than comes", size - strlen(why) - 1);
}

/* Of outputs that are no integers, or whose sum is more than they can hold. */
static bool just_wrong(struct difference *d, const char *same, const char *left)
{
    const enum reads reads = reads_of(d);
    char why[300] = "each is read once, and what a thread, a warp or a block has is combined twice "
                    "or not at all";
    if (d->input->num_bins > 1)
        return because(d,
                       "%s of %s bins are wrong%s: %s come to no bin or to another, or what they "
                       "bring is changed on the way: turned into a word, cut, combined",
                       grouped(d->wrong), grouped(d->input->num_bins), same, contract.words.units);
    if (reads == READ_AGAIN)
        say_why_more(d, 0, why, sizeof why);
    else if (reads != READ_ONCE)
        say_why_less(d, why, sizeof why);
    return because(d, "%s are missing, or came twice%s: %s%s", contract.words.units, same, why,
                   left);
}

bool more_or_less(struct difference *d)
{
    const char *units = contract.words.units;
    const char *same = d->again ? ", the same on another schedule" : "";
    const char *left = layout.sets && d->right_before > 0
                           ? ", or what a call before this one has left is taken for this one's"
                           : "";
    const struct tally tally = tally_of(d);
    char why[300];
    if (!tally.of.right)
        return just_wrong(d, same, left);
    if (tally.many > 0 && tally.few > 0)
        say_why_both(d, tally.more == tally.less, why, sizeof why);
    else if (tally.few > 0)
        say_why_less(d, why, sizeof why);
    else
        say_why_more(d, tally.of.are_counts ? tally.more : UINT64_MAX, why, sizeof why);
    if (tally.many > 0 && tally.few > 0)
        return because(d, "%s %s too many%s, %s too few%s%s: %s",
                       grouped(tally.of.are_counts ? tally.more : tally.many),
                       tally.of.are_counts ? "counts" : "bins have",
                       tally.of.are_counts ? " in some bins" : "",
                       grouped(tally.of.are_counts ? tally.less : tally.few),
                       tally.of.are_counts ? " in others" : "", same, why);
    if (tally.few > 0 && tally.of.are_counts)
        return because(d, "%s of %s %s are missing%s: %s", grouped(tally.less),
                       grouped(tally.should), units, same, why);
    if (tally.few > 0)
        return because(d, "%s are missing%s: %s", units, same, why);
    if (tally.of.are_counts)
        return because(d, "%s counts too many%s: %s", grouped(tally.more), same, why);
    return because(d, "too much came to the %s%s: %s%s", contract.words.output, same, why, left);
}
