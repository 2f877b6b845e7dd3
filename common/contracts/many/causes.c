/* causes.c - the likeliest cause of a wrong count on many devices, or ranks.
 *
 * Each cause is a small function that looks for one pattern and writes a sentence when it fits. They are
 * tried from the most to the least specific; the first that fits is printed. */

#include <stdio.h>
#include <string.h>

#include "contract.h"
#include "grouped.h"
#include "letters.h"
#include "many_cases.h"

/* What an earlier call counted on as many units. */
struct before {
    bool any;
    uint64_t counts[MOST_BINS];
    uint64_t share[MOST_UNITS][MOST_BINS]; /* of them, by the unit */
};

/* A result beside the right one. Differences are modulo 2^64, as the counters are. */
struct wrong {
    const struct difference *d; /* what is said of it */
    const struct many_case *asked;
    const struct many_seen *seen;
    uint64_t counts[MOST_BINS];            /* of the text */
    uint64_t expected[MOST_BINS];          /* with what the bins held before */
    uint64_t more[MOST_BINS];              /* what was counted, less what was expected */
    uint64_t share[MOST_UNITS][MOST_BINS]; /* what each unit read of the text */
    struct before before;
};

const char *many_units_of(unsigned int units)
{
    return units != 1 ? many_units : many_reads_files ? "rank" : "device";
}

const char *many_name_range(uint64_t begin, uint64_t end, uint64_t length, char *name, size_t size)
{
    if (end - begin == 1)
        snprintf(name, size, "byte %s of %s", grouped(begin), grouped(length));
    else
        snprintf(name, size, "bytes %s to %s of %s", grouped(begin), grouped(end - 1),
                 grouped(length));
    return name;
}

/* bins = a + times x b */
static void add(uint64_t *bins, const uint64_t *a, uint64_t times, const uint64_t *b)
{
    for (unsigned int bin = 0; bin < num_bins(); bin++)
        bins[bin] = a[bin] + times * b[bin];
}

static uint64_t sum_of(const uint64_t *bins)
{
    uint64_t sum = 0;
    for (unsigned int bin = 0; bin < num_bins(); bin++)
        sum += bins[bin];
    return sum;
}

static bool are_equal(const uint64_t *one, const uint64_t *other)
{
    return memcmp(one, other, num_bins() * sizeof *one) == 0;
}

static struct before before_of[MOST_UNITS + 1]; /* the last call on so many units */

static struct wrong wrong_of(const struct many_case *asked, const struct many_seen *seen)
{
    struct wrong wrong = {.asked = asked, .seen = seen, .before = before_of[asked->units]};
    letters_count(asked->text, 0, asked->length, wrong.counts);
    for (unsigned int bin = 0; bin < num_bins(); bin++) {
        wrong.expected[bin] = wrong.counts[bin] + (many_reads_files ? 0 : asked->held);
        wrong.more[bin] = seen->bins[bin] - wrong.expected[bin];
    }
    for (size_t i = 0; i < seen->read_count; i++) {
        const struct many_read *read = &seen->reads[i];
        uint64_t counts[MOST_BINS];
        if (read->unit >= MOST_UNITS || read->end > asked->length)
            continue;
        letters_count(asked->text, read->begin, read->end, counts);
        add(wrong.share[read->unit], wrong.share[read->unit], 1, counts);
    }
    return wrong;
}

void remember_call(const struct many_case *asked, const struct many_seen *seen)
{
    const struct wrong wrong = wrong_of(asked, seen);
    struct before *before = &before_of[asked->units];
    before->any = true;
    memcpy(before->counts, wrong.counts, sizeof before->counts);
    memcpy(before->share, wrong.share, sizeof before->share);
}

/* Whether exactly these counts are missing, or too many; there are some. */
static bool is_missing(const struct wrong *wrong, const uint64_t *counts)
{
    static const uint64_t none[MOST_BINS];
    uint64_t less[MOST_BINS];
    add(less, none, (uint64_t)-1, wrong->more);
    return sum_of(counts) > 0 && are_equal(less, counts);
}

static bool is_too_many(const struct wrong *wrong, const uint64_t *counts)
{
    return sum_of(counts) > 0 && are_equal(wrong->more, counts);
}

/* Whether the result is these counts alone; with what was held on devices. */
static bool is_only(const struct wrong *wrong, const uint64_t *counts)
{
    uint64_t missing[MOST_BINS];
    add(missing, wrong->counts, (uint64_t)-1, counts);
    return sum_of(counts) > 0 && is_missing(wrong, missing);
}

/* "device 2", or when the share of several fits "one device"; false: of none. */
typedef bool fits(const struct wrong *wrong, const uint64_t *share);
static bool name_unit(const struct wrong *wrong, fits *does_fit, char *name, size_t size)
{
    unsigned int found = 0;
    for (unsigned int i = 0; i < wrong->asked->units; i++) {
        if (!does_fit(wrong, wrong->share[i]))
            continue;
        snprintf(name, size, found++ > 0 ? "one %s" : "%s %u", many_units_of(1), i);
    }
    return found > 0;
}

static bool nothing_came(const struct wrong *wrong)
{
    if (sum_of(wrong->counts) == 0 || !is_missing(wrong, wrong->counts))
        return false;
    uint64_t launches = 0;
    for (unsigned int i = 0; i < wrong->asked->units; i++)
        launches += wrong->seen->unit[i].launches;
    return because(
        wrong->d, "%s",
        launches == 0 && !many_reads_files
            ? "no kernel was launched"
            : "nothing came into the bins: the sums are not copied to the host, or before they are "
              "complete, or another one than the root is asked for them");
}

/* Bins that are set, and have to be added to; or the other way round, as files are counted. */
static bool held_before(const struct wrong *wrong)
{
    uint64_t now[MOST_BINS];
    for (unsigned int bin = 0; bin < num_bins(); bin++)
        now[bin] = wrong->counts[bin] + (many_reads_files ? wrong->asked->held : 0);
    return wrong->asked->held != 0 && are_equal(wrong->seen->bins, now) &&
           because(wrong->d, "%s: %s has to %s",
                   many_reads_files ? "the counts were added to what the bins held before"
                                    : "what the bins held before is gone",
                   many_function, many_reads_files ? "set them" : "add to them, not to set them");
}

static bool overflowed(const struct wrong *wrong)
{
    for (unsigned int bin = 0; bin < num_bins(); bin++)
        if (wrong->seen->bins[bin] != (uint32_t)wrong->expected[bin])
            return false;
    return because(wrong->d,
                   "the counts are right modulo 2^32: a sum on the way to the bins has 32 bits");
}

static bool came_several_times(const struct wrong *wrong)
{
    static const uint64_t none[MOST_BINS];
    const unsigned int units = wrong->asked->units;
    uint64_t most = units > 3 ? units : 3;
    for (uint64_t times = 2; times <= most; times++) {
        uint64_t more[MOST_BINS];
        add(more, none, times - 1, wrong->counts);
        if (!is_too_many(wrong, more))
            continue;
        if (times == units)
            return because(
                wrong->d,
                "each count is exactly %s times too large, as many as there are %s: each of them "
                "counts the whole text, or sums that all have are added up once more",
                grouped(times), many_units);
        return because(wrong->d,
                       "each count is exactly %s times too large: the sum of all %s was added "
                       "once more to what it is made of",
                       grouped(times), many_units);
    }
    return false;
}

/* Bytes that nobody reads, or that two units read, are what is missing, or too many. */
struct stretch {
    size_t begin, end; /* the first such range */
    uint64_t counts[MOST_BINS];
};

static void add_range(const struct wrong *wrong, struct stretch *stretch, uint64_t begin,
                      uint64_t end)
{
    uint64_t counts[MOST_BINS];
    if (begin >= end)
        return;
    if (stretch->end == 0) {
        stretch->begin = begin;
        stretch->end = end;
    }
    letters_count(wrong->asked->text, begin, end, counts);
    add(stretch->counts, stretch->counts, 1, counts);
}

static void find_stretches(const struct wrong *wrong, struct stretch *never, struct stretch *twice)
{
    const struct many_seen *seen = wrong->seen;
    uint64_t done = 0;
    for (size_t i = 0; i < seen->read_count; i++) {
        const struct many_read *read = &seen->reads[i];
        add_range(wrong, never, done, read->begin);
        add_range(wrong, twice, read->begin, read->end < done ? read->end : done);
        done = read->end > done ? read->end : done;
    }
    add_range(wrong, never, done, wrong->asked->length);
}

/* Some bytes come to nobody and others to several, as where all begin at one place. */
static bool lost_and_doubled(const struct wrong *wrong, const struct stretch *never,
                             const struct stretch *twice)
{
    uint64_t more[MOST_BINS];
    char lost[128], doubled[128];
    add(more, twice->counts, (uint64_t)-1, never->counts);
    return sum_of(never->counts) > 0 && sum_of(twice->counts) > 0 && are_equal(wrong->more, more) &&
           because(
               wrong->d, "%s came to nobody, and %s to several: the place where a part begins",
               many_name_range(never->begin, never->end, wrong->asked->length, lost, sizeof lost),
               many_name_range(twice->begin, twice->end, wrong->asked->length, doubled,
                               sizeof doubled));
}

static bool lost_or_doubled(const struct wrong *wrong)
{
    struct stretch never = {.end = 0}, twice = {.end = 0};
    const size_t length = wrong->asked->length, rest = length % wrong->asked->units;
    find_stretches(wrong, &never, &twice);
    if (lost_and_doubled(wrong, &never, &twice))
        return true;
    const bool is_lost = is_missing(wrong, never.counts);
    const struct stretch *where = is_lost ? &never : &twice;
    if (!is_lost && !is_too_many(wrong, twice.counts))
        return false;
    if (where->begin == 0 && where->end == length && length >= wrong->asked->units)
        return false; /* all of it: something else is wrong */
    const char *remainder = "";
    if (rest > 0 && where->end - where->begin < wrong->asked->units &&
        (!is_lost || where->end == length))
        remainder = is_lost ? ": the remainder of the length divided by their number is lost"
                            : ": shares that are rounded up overlap";
    char range[128];
    return because(wrong->d, "%s %s%s",
                   many_name_range(where->begin, where->end, length, range, sizeof range),
                   is_lost ? "came to nobody" : "came to two, and both have counted", remainder);
}

/* The end that a division loses, where nobody saw who reads what. */
static bool remainder_lost(const struct wrong *wrong)
{
    const size_t length = wrong->asked->length, rest = length % wrong->asked->units;
    uint64_t end[MOST_BINS];
    letters_count(wrong->asked->text, length - rest, length, end);
    const bool is_lost = is_missing(wrong, end);
    if (!is_lost && !is_too_many(wrong, end))
        return false;
    return because(
        wrong->d,
        "the last %s of %s bytes %s: the remainder of the length divided by the number of %s",
        grouped(rest), grouped(length), is_lost ? "are missing" : "are counted twice", many_units);
}

static bool are_peers(const struct wrong *wrong, const uint64_t *share)
{
    uint64_t peers[MOST_BINS];
    add(peers, wrong->counts, (uint64_t)-1, share);
    return is_too_many(wrong, peers);
}

/* The share of one unit, or of one of several, is what is wrong. */
static bool of_a_share(const struct wrong *wrong)
{
    static const struct {
        fits *fits;
        const char *before, *behind; /* the name of the unit */
    } patterns[] = {
        {is_only, "the bins hold the share of ",
         " alone: the sums of the others were not added to its own, or it was asked for them "
         "before "
         "they were"},
        {is_missing, "exactly what ",
         " read is missing: it did not count it, or its sums were reduced before they were "
         "complete"},
        {is_too_many, "exactly what ",
         " read is there twice: the sum of all was added to its own sums, which are a part of it"},
        {are_peers, "all shares but that of ",
         " are there twice: peers were added up, and then the sums in which they are already once "
         "more"},
    };
    char name[32];
    for (size_t i = wrong->asked->units == 1; i < sizeof patterns / sizeof *patterns; i++) {
        if (name_unit(wrong, patterns[i].fits, name, sizeof name))
            return because(wrong->d, "%s%s%s", patterns[i].before, name, patterns[i].behind);
    }
    return false;
}

static bool call_before(const struct wrong *wrong)
{
    const struct before *before = &wrong->before;
    if (!before->any)
        return false;
    bool found = is_too_many(wrong, before->counts);
    for (unsigned int i = 0; i < wrong->asked->units; i++) {
        uint64_t reduced[MOST_BINS]; /* in place: the root has the sum of all, the others theirs */
        add(reduced, before->counts, 1, before->counts);
        add(reduced, reduced, (uint64_t)-1, before->share[i]);
        found = found || is_too_many(wrong, before->share[i]) || is_too_many(wrong, reduced);
    }
    uint64_t calls[MOST_BINS];
    memset(calls, 0, sizeof calls);
    for (unsigned int call = 1; call < wrong->asked->calls; call++) {
        add(calls, calls, 1, wrong->counts);
        found = found || is_too_many(wrong, calls);
    }
    return found &&
           because(wrong->d,
                   "the counts of the call before are there, too: sums that are kept from call to "
                   "call have to be zeroed on each %s, in its stream, before they are counted into",
                   many_units_of(1));
}

static bool skipped_counted(const struct wrong *wrong)
{
    const uint64_t counted = sum_of(wrong->more) + sum_of(wrong->counts);
    return counted == wrong->asked->length && counted != sum_of(wrong->counts) &&
           because(wrong->d,
                   "the bins add up to all %s characters, but only %s have a bin: a character for "
                   "which bin_of gives -1 must be skipped",
                   grouped(counted), grouped(sum_of(wrong->counts)));
}

/* Whether each bin holds the largest of the shares, or of the sums of some of them. */
static bool largest_share(const struct wrong *wrong)
{
    for (unsigned int bin = 0; bin < num_bins(); bin++) {
        uint64_t largest = 0;
        for (unsigned int i = 0; i < wrong->asked->units; i++)
            if (wrong->share[i][bin] > largest)
                largest = wrong->share[i][bin];
        if (wrong->counts[bin] + wrong->more[bin] != largest)
            return false;
    }
    return wrong->asked->units >= 2 &&
           because(wrong->d,
                   "each bin holds the largest of the counts of all %s, and not their sum: the "
                   "reduction has to be a sum (ncclSum, MPI_SUM), and not a maximum",
                   many_units);
}

/* Whether some bins are right, and the others are what one unit, the root, has counted. */
static bool some_bins_reduced(const struct wrong *wrong)
{
    unsigned int right = 0, alone = 0;
    for (unsigned int bin = 0; bin < num_bins(); bin++) {
        const uint64_t now = wrong->counts[bin] + wrong->more[bin];
        if (wrong->more[bin] == 0)
            right++;
        else
            alone += now == wrong->share[0][bin];
    }
    return wrong->asked->units >= 2 && right != 0 && alone != 0 && right + alone >= num_bins() &&
           because(wrong->d,
                   "%u of %u bins are added up, and the others are those of %s 0 alone: the "
                   "collective has to be told as many elements as there are bins, of the type of "
                   "the sums, 64 bits",
                   right, num_bins(), many_units_of(1));
}

/* What lies behind the bytes that were copied is rubbish. Of ranks nobody knows what was copied to the host. */
static bool copied_in_part(const struct wrong *wrong)
{
    const size_t needed = num_bins() * sizeof *wrong->counts;
    uint64_t copied = 0;
    for (unsigned int i = 0; i < wrong->asked->units; i++)
        copied += wrong->seen->unit[i].to_host;
    return copied > 0 && copied < needed &&
           because(wrong->d,
                   "%s bytes of the sums come to the host, and %u bins have %zu: a copy is told in "
                   "bytes, so multiply the number of bins by sizeof",
                   grouped(copied), num_bins(), needed);
}

static bool from_nowhere(const struct wrong *wrong)
{
    for (unsigned int bin = 0; bin < num_bins(); bin++)
        if (wrong->seen->bins[bin] > wrong->asked->held + 8 * (wrong->asked->length + 1))
            return because(wrong->d,
                           "bin %u holds more than all %s together could count: sums were used "
                           "that nobody had zeroed%s, also where there is nothing to count",
                           bin, many_units,
                           wrong->before.any ? ", since the call before or at all" : "");
    return false;
}

static bool more_or_less(const struct wrong *wrong)
{
    const uint64_t expected = sum_of(wrong->counts), counted = expected + sum_of(wrong->more);
    if (counted == expected)
        return because(
            wrong->d, "the sum is right, and characters are in a wrong bin, or some came twice and "
                      "others never: by an index, or by what moves the sums (their type, their "
                      "number)");
    if (counted < expected)
        return because(
            wrong->d,
            "%s of %s characters are missing: nobody counts them, or their sums are lost where "
            "all are reduced (its operation, type and number of elements)",
            grouped(expected - counted), grouped(expected));
    return because(wrong->d,
                   "%s counts too many: characters are counted twice, or from outside the "
                   "text, or sums were not zeroed",
                   grouped(counted - expected));
}

void find_cause(const struct many_case *asked, const struct many_seen *seen,
                const struct difference *d)
{
    struct wrong wrong = wrong_of(asked, seen);
    static bool (*const causes[])(const struct wrong *) = {
        lost_or_doubled, nothing_came,   held_before,  overflowed,    came_several_times,
        remainder_lost,  call_before,    of_a_share,   largest_share, some_bins_reduced,
        skipped_counted, copied_in_part, from_nowhere, more_or_less,
    };
    wrong.d = d;
    for (size_t i = 0; i < sizeof causes / sizeof *causes; i++)
        if (causes[i](&wrong))
            return;
}
