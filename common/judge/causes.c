/* causes.c - which outputs are wrong, the likeliest cause, and what is said of it: see causes.h. Causes that have to do
 * with which units were read are in parts.c. */
#include "causes.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "contract.h"
#include "grouped.h"

size_t wrong_outputs(const struct difference *d, const unsigned char *held, size_t outputs,
                     size_t *first)
{
    const size_t bytes = output_bytes(d->input);
    size_t wrong = 0;
    for (size_t i = outputs; i-- > 0;)
        if (!d->input->contract->may_hold(d->oracle, i, held + i * bytes)) {
            wrong++;
            *first = i;
        }
    return wrong;
}

bool contract_compare(struct difference *d)
{
    if (d->input->contract->compare)
        return d->input->contract->compare(d);
    d->wrong = wrong_outputs(d, d->held, d->input->num_bins, &d->first);
    return d->wrong == 0;
}

void say_first(const struct difference *d, const char *called, char text[FIRST_OUTPUT])
{
    enum { VALUE = 120 };
    char should[VALUE], holds[VALUE];
    const size_t bytes = output_bytes(d->input);
    d->input->contract->say(d->oracle, d->first, d->held + d->first * bytes, should, holds, VALUE);
    snprintf(text, FIRST_OUTPUT, "%s: should be %s, is %s", called, should, holds);
}

void explain_output(const struct difference *d, size_t all, const char *outputs, const char *called,
                    char *message, size_t size)
{
    char first[FIRST_OUTPUT];
    say_first(d, called, first);
    snprintf(message, size, "wrong on %s: %s of %s %s; likeliest cause: %s\n  %s", d->input->name,
             grouped(d->wrong), grouped(all), outputs, d->cause, first);
}

void contract_name(const struct difference *d, char *name, size_t size)
{
    const struct contract *contract = d->input->contract;
    const char *all = contract->outputs ? contract->outputs : "bins";
    if (contract->name_output)
        contract->name_output(d->oracle, d->first, name, size);
    else if (contract->outputs || d->input->num_bins > 1)
        snprintf(name, size, "%.*s %zu", (int)strlen(all) - 1, all, d->first);
    else
        snprintf(name, size, "the result");
}

void contract_explain(const struct difference *d, char *message, size_t size)
{
    const struct contract *contract = d->input->contract;
    char name[80];
    if (contract->explain) {
        contract->explain(d, message, size);
    } else if (d->wrong == 0) { /* each may hold what it does, but not all of them together */
        snprintf(message, size, "wrong on %s: all %s together; likeliest cause: %s", d->input->name,
                 contract->outputs, d->cause);
    } else {
        contract_name(d, name, sizeof name);
        explain_output(d, d->input->num_bins, contract->outputs, name, message, size);
    }
}

/* The word that stands for {name} in a sentence; NULL when there is no such name. */
static const char *word_named(const struct difference *d, const char *name, size_t length)
{
    const struct words *words = &d->input->contract->words;
    const struct {
        const char *name, *word;
    } known[] = {
        {"unit", words->unit},         {"units", words->units},
        {"done", words->done},         {"output", words->output},
        {"begin", words->begins_with}, {"most", d->seen ? grouped(d->seen->most_read) : ""}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strlen(known[i].name) == length && strncmp(known[i].name, name, length) == 0)
            return known[i].word;
    return NULL;
}

/* Writes the sentence, with the contract's words for {unit} and the like. */
static void write_cause(const struct difference *d, const char *format, va_list arguments)
{
    char sentence[1000];
    size_t used = 0;
    vsnprintf(sentence, sizeof sentence, format, arguments);
    for (const char *at = sentence; *at && used + 1 < d->size;) {
        const size_t length = *at == '{' ? strcspn(at + 1, "}") : 0;
        const char *word = length > 0 ? word_named(d, at + 1, length) : NULL;
        used += (size_t)snprintf(d->cause + used, d->size - used, "%.*s", word ? 80 : 1,
                                 word ? word : at);
        at += word ? length + 2 : 1;
    }
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
    cause_of_output *const *cause = d->input->contract->causes->likely;
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
    return holds_by(d, d->input->contract->causes->oracle_if(d->input, &hypothesis));
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

/* Output i as an integer, where each output has so many bytes. */
static uint64_t integer_at(const unsigned char *outputs, size_t bytes, size_t i)
{
    return bytes == sizeof(uint64_t) ? wide_word_at(outputs, i) : word_at(outputs, i);
}

/* What output i held before the call; 0 where outputs are set anew, or nothing was there. */
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

/* What an output should hold and what it holds; what should have come to it and what came. */
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
    if (d->input->contract->causes->integers)
        tally.of = d->input->contract->causes->integers(d->oracle);
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
    const size_t bytes = output_bytes(d->input), at = d->first * bytes;
    if (d->wrong == 0 || !d->before)
        return false;
    if (memcmp(d->held + at, d->before + at, bytes) == 0)
        return because(d, "it holds what it held before the call: no thread stores it");
    const double is = float_at(d->held + at, 0), before = float_at(d->before + at, 0);
    return d->input->contract->sets && fabs(is - before) <= ldexp(fabs(before), -8) &&
           because(d, "what it held before the call is in it: set it, to 0 where threads add to "
                      "it later");
}

bool known_mistake(struct difference *d)
{
    const char *const *mistakes = d->input->contract->causes->mistakes;
    for (int rule = 1; mistakes[rule]; rule++)
        if (holds_if(d, (struct hypothesis){.rule = rule}))
            return because(d, "%s", mistakes[rule]);
    return false;
}

bool several_times(struct difference *d)
{
    const struct tally tally = tally_of(d);
    const bool is_whole = tally.outputs > 1 && tally.came % tally.should == 0;
    const bool is_once = reads_of(d) == READ_ONCE;
    const uint64_t blocks = d->blocks, threads = d->threads_per_block;
    const uint64_t tried[] = {blocks, threads, is_whole ? tally.came / tally.should : 0, 2, 3, 4, 8,
                              16,     32};
    uint64_t times = 0;
    for (size_t i = 0; i < sizeof tried / sizeof *tried && times == 0; i++)
        if (tried[i] > 1 && holds_if(d, (struct hypothesis){.times = tried[i]}))
            times = tried[i];
    return times > 0 &&
           because(d, "everything came exactly %s times: %s", grouped(times),
                   times == blocks && !is_once ? "every block reads all {units}"
                   : times == threads ? "every thread of a block adds what the whole block has"
                   : is_once ? "no {unit} is read twice, and one adds more than it should, or "
                               "several threads add what they all have"
                             : "{units} are read more than once, or one adds more than it should, "
                               "or several threads add what they all have");
}

/* What one thread leaves takes the place of what others have added. */
bool set_by_atomics(struct difference *d)
{
    if (!d->seen || !tally_of(d).of.are_counts)
        return false;
    const struct watched *bins = &d->seen->bins;
    const uint64_t setting = bins->exchange.lanes + bins->extreme.lanes + bins->bitwise.lanes;
    return setting > 0 &&
           because(
               d,
               "%s atomics on the bins are no additions: what one thread leaves there takes the "
               "place of what others have added (atomicAdd, and not atomicExch or atomicMax)",
               grouped(setting));
}

/* Looks for the first count that is larger than if each block had counted everything and each of its threads something
 * more. A check would have seen a read of memory that nobody had set. */
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
                           "come, or a thread's own counters do not begin with {begin}",
                           grouped(i), grouped(below));
        return because(
            d,
            "bin %s got %s, and there are %s {units}%s what was {done} is added again "
            "and again, or with bits that are no count, or a thread's own counters do "
            "not begin with {begin}",
            grouped(i), grouped(came), grouped(length),
            d->seen && d->seen->most_read <= 1
                ? ", none of which is read twice:"
                : ": each is read by several threads (look at the step of the loop), or");
    }
    return false;
}

bool skipped_counted(struct difference *d)
{
    const struct tally tally = tally_of(d);
    return tally.of.are_counts && tally.came == d->input->length && tally.came != tally.should &&
           because(d,
                   "the bins add up to all %s {units}, but only %s have a bin: the others must "
                   "be skipped",
                   grouped(tally.came), grouped(tally.should));
}

bool schedules_differ(struct difference *d)
{
    const size_t bytes = d->input->num_bins * output_bytes(d->input);
    if (!d->again || memcmp(d->held, d->again, bytes) == 0)
        return false;
    return nobody_knows(
        d, "another schedule gives %s {output}, though no race was seen: %s",
        d->input->contract->sets ? "another" : "other",
        d->input->contract->sets
            ? "who comes first decides. A ticket or a sum that the call before has left "
              "may do that, or a result that is taken before all blocks were there, or the "
              "last block's part that is missing or comes twice. We do not know which"
            : "updates are lost, as by an atomic that does not add (atomicInc, "
              "atomicExch), or an atomicCAS that fails and is not made again, or who comes "
              "first decides what a bin holds");
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
    return because(
        d, "each bin holds %s more than it should%s: its counters do not begin with {begin}",
        grouped(more), d->blocks > 1 && more % d->blocks == 0 ? ", as much for each block" : "");
}

/* Whether output i is as it was before the call. */
static bool is_untouched(const struct difference *d, size_t i)
{
    static const unsigned char zeros[64];
    const size_t bytes = output_bytes(d->input);
    return memcmp(d->held + i * bytes, d->input->bins ? d->input->bins + i * bytes : zeros,
                  bytes) == 0;
}

static bool is_right_in(const struct difference *d, size_t i)
{
    return d->input->contract->may_hold(d->oracle, i, d->held + i * output_bytes(d->input));
}

bool one_output_left_out(struct difference *d)
{
    return d->wrong == 1 && is_untouched(d, d->first) &&
           because(d,
                   "only bin %s is wrong, and holds what it held before: a loop over the bins, "
                   "a division by their number or a test of a bin's number is off by one, or "
                   "the only {unit} that belongs there is left out",
                   grouped(d->first));
}

bool outputs_left_out(struct difference *d)
{
    size_t last = d->first, untouched = 0;
    for (size_t i = d->first; i < d->input->num_bins; i++) {
        if (!is_right_in(d, i) && !is_untouched(d, i))
            return false;
        last = is_right_in(d, i) ? last : i;
    }
    for (size_t i = d->first; i <= last; i++)
        untouched += is_untouched(d, i);
    return d->wrong > 1 && untouched == last - d->first + 1 &&
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

/* Why too little came, why too much came, and why both did, as far as it is known how often each unit was read. */
enum amount { LESS, MORE, BOTH };
static const char *why(enum amount amount, enum reads reads)
{
    static const char not_all[] = "each is read, but some are not {done}, or what a thread, a warp "
                                  "or a block has does not come to the {output} (who adds it, and "
                                  "how much)";
    static const char again[] = "{units} are read more than once, up to {most} times (look at "
                                "where a loop begins, and at its step)";
    static const char once[] =
        "no {unit} is read twice, but one, or what several came to, is "
        "{done} again, or a copy of the {output} does not begin with {begin}";
    static const char both[] = "some come to a wrong bin, or twice, and others never";
    static const char *const says[][READ_UNEVENLY + 1] = {
        [LESS] = {[READS_UNKNOWN] = "some are not read, or what a thread, a warp or a block has "
                                    "does not come to the {output} (who adds it, and how much)",
                  [READ_ONCE] = not_all,
                  [READ_EVENLY] = not_all,
                  [READ_AGAIN] = not_all,
                  [READ_NEVER] = "some are read by no thread (look at where a loop begins and "
                                 "ends, and at its step)",
                  [READ_UNEVENLY] = "some are read by no thread, and others up to {most} times "
                                    "(look at where a loop begins, and at the number of a thread)"},
        [MORE] = {[READS_UNKNOWN] = "{units} are read twice, or from outside, or {done} again, or "
                                    "a copy of the {output} does not begin with {begin}",
                  [READ_ONCE] = once,
                  [READ_NEVER] = once,
                  [READ_EVENLY] = "all {units} are read as often, but some are {done} again, or a "
                                  "copy of the {output} does not begin with {begin}",
                  [READ_AGAIN] = again,
                  [READ_UNEVENLY] = again},
        [BOTH] = {[READS_UNKNOWN] = both,
                  [READ_ONCE] = "each is read once, and some come to a wrong bin",
                  [READ_EVENLY] = both,
                  [READ_AGAIN] = both,
                  [READ_NEVER] = both,
                  [READ_UNEVENLY] = "some are read more than once, and others never (look at where "
                                    "a loop begins, and at the number of a thread)"}};
    return says[amount][reads];
}

/* What else may be the cause. */
static const char *or_else(const struct difference *d, const struct tally *tally)
{
    const uint64_t binned =
        d->input->contract->counted ? d->input->contract->counted(d->oracle) : d->input->length;
    if (tally->many > 0 && tally->few > 0)
        return reads_of(d) != READ_ONCE     ? ""
               : tally->more == tally->less ? ", or twice in the place of others"
                                            : ", or more or less is {done} than comes";
    if (tally->of.are_counts && tally->few == 0 && tally->more <= d->input->length - binned)
        return ", or what has no bin is {done}, too";
    return d->input->contract->sets && d->right_before > 0 && tally->few == 0
               ? ", or what a call before this one has left is taken for this one's"
               : "";
}

/* Says what it can of outputs that are no integers, or whose sum is more than they can hold. */
static bool just_wrong(struct difference *d, const char *same, const char *besides)
{
    const enum reads reads = reads_of(d);
    const char *outputs = d->input->contract->outputs;
    if (d->input->num_bins > 1)
        return because(d,
                       "%s of %s %s are wrong%s: {units} come to no bin or to another, or what "
                       "they bring is changed on the way: turned into a word, cut, combined",
                       grouped(d->wrong), grouped(d->input->num_bins), outputs ? outputs : "bins",
                       same);
    return because(d, "{units} are missing, or came twice%s: %s%s", same,
                   reads == READ_ONCE ? "each is read once, and what a thread, a warp or a block "
                                        "has is combined twice or not at all"
                                      : why(reads == READ_AGAIN ? MORE : LESS, reads),
                   besides);
}

bool more_or_less(struct difference *d)
{
    const struct tally tally = tally_of(d);
    const bool are_counts = tally.of.are_counts;
    const char *same = d->again && d->blocks > 0 ? ", the same on another schedule" : "";
    const char *besides = or_else(d, &tally), *more = grouped(are_counts ? tally.more : tally.many);
    const char *less = grouped(are_counts ? tally.less : tally.few);
    const enum reads reads = reads_of(d);
    if (!tally.of.right)
        return just_wrong(d, same, besides);
    if (tally.many > 0 && tally.few > 0 && are_counts)
        return because(d, "%s counts too many in some bins, %s too few in others%s: %s%s", more,
                       less, same, why(BOTH, reads), besides);
    if (tally.many > 0 && tally.few > 0)
        return because(d, "%s bins have too much, %s too little%s: %s%s", more, less, same,
                       why(BOTH, reads), besides);
    if (tally.few > 0)
        return because(d, "%s%s%s%s{units} are missing%s: %s", are_counts ? less : "",
                       are_counts ? " of " : "", are_counts ? grouped(tally.should) : "",
                       are_counts ? " " : "", same, why(LESS, reads));
    return because(d, "%s%s%s: %s%s", are_counts ? more : "too much came to the {output}",
                   are_counts ? " counts too many" : "", same, why(MORE, reads), besides);
}
