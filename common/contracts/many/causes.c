/* causes.c - the likeliest cause of a wrong count on many devices, or ranks: what histogram_many() and histogram_file()
 * have besides those of all contracts, which are in judge/causes.c. */

#include <stdio.h>
#include <string.h>

#include "contract.h"
#include "grouped.h"
#include "letters.h"
#include "many_cases.h"

/* Counts that may be too many, or missing. */
enum part_of_text {
    ALL,          /* of the text */
    HELD,         /* what the bins held before */
    SHARE,        /* what a unit read of the text */
    BEFORE,       /* those of the call before on as many units */
    SHARE_BEFORE, /* what a unit read then */
    NEVER,        /* bytes that nobody reads */
    TWICE,        /* bytes that another one has read, too */
    PARTS
};

/* What an earlier call counted on as many units. */
struct before {
    bool any;
    uint64_t counts[MOST_BINS];
    uint64_t share[MOST_UNITS][MOST_BINS]; /* how many of them each unit counted */
};

/* A result beside the right one. Differences are modulo 2^64, as the counters are. */
struct wrong {
    const struct many_case *asked;
    const struct many_seen *seen;
    uint64_t more[MOST_BINS];          /* what was counted, less what was expected */
    uint64_t counts[PARTS][MOST_BINS]; /* all counts but those of a unit, which stand in: */
    uint64_t share[MOST_UNITS][MOST_BINS];
    uint64_t begin[PARTS], end[PARTS]; /* the first bytes that nobody reads, or that two read */
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

static uint64_t sum_of_bins(const uint64_t *bins)
{
    uint64_t sum = 0;
    for (unsigned int bin = 0; bin < num_bins(); bin++)
        sum += bins[bin];
    return sum;
}

/* Adds the counts of a range of the text. */
static void add_range(struct wrong *wrong, enum part_of_text part, uint64_t begin, uint64_t end)
{
    uint64_t counts[MOST_BINS];
    if (begin >= end || end > wrong->asked->length)
        return;
    if (wrong->end[part] == 0) {
        wrong->begin[part] = begin;
        wrong->end[part] = end;
    }
    letters_count(wrong->asked->text, begin, end, counts);
    for (unsigned int bin = 0; bin < num_bins(); bin++)
        wrong->counts[part][bin] += counts[bin];
}

static void add_reads_of_units(struct wrong *wrong)
{
    uint64_t done = 0, counts[MOST_BINS];
    for (size_t i = 0; i < wrong->seen->read_count; i++) {
        const struct many_read *read = &wrong->seen->reads[i];
        add_range(wrong, NEVER, done, read->begin);
        add_range(wrong, TWICE, read->begin, read->end < done ? read->end : done);
        done = read->end > done ? read->end : done;
        if (read->unit >= MOST_UNITS || read->end > wrong->asked->length)
            continue;
        letters_count(wrong->asked->text, read->begin, read->end, counts);
        for (unsigned int bin = 0; bin < num_bins(); bin++)
            wrong->share[read->unit][bin] += counts[bin];
    }
    add_range(wrong, NEVER, done, wrong->asked->length);
}

static struct before before_of[MOST_UNITS + 1]; /* the last call on so many units */

static struct wrong wrong_of(const struct many_case *asked, const struct many_seen *seen)
{
    struct wrong wrong = {.asked = asked, .seen = seen, .before = before_of[asked->units]};
    add_range(&wrong, ALL, 0, asked->length);
    add_reads_of_units(&wrong);
    memcpy(wrong.counts[BEFORE], wrong.before.counts, sizeof wrong.counts[BEFORE]);
    for (unsigned int bin = 0; bin < num_bins(); bin++) {
        wrong.counts[HELD][bin] = asked->held;
        wrong.more[bin] =
            seen->bins[bin] - wrong.counts[ALL][bin] - (many_reads_files ? 0 : asked->held);
    }
    return wrong;
}

void remember_call(const struct many_case *asked, const struct many_seen *seen)
{
    const struct wrong wrong = wrong_of(asked, seen);
    struct before *before = &before_of[asked->units];
    before->any = true;
    memcpy(before->counts, wrong.counts[ALL], sizeof before->counts);
    memcpy(before->share, wrong.share, sizeof before->share);
}

/* A mistake: how many times each part is counted too often, or too seldom where that is below 0; and the sentence
 * about it, with the name of the unit whose share it is, or else "devices". */
struct mistake {
    int times[PARTS];
    const char *says;
};

static const char kept[] = "the counts of the call before are there, too: sums that are kept from "
                           "call to call have to be zeroed on all %s, each in its stream, before "
                           "they are counted into";

static const struct mistake mistakes[] = {
    {{[ALL] = -1},
     "nothing came into the bins: no kernel was launched, or the sums of the %s are not copied to "
     "the host, or before they are complete, or another one than the root is asked for them"},
    {{[HELD] = -1}, "what the bins held before is gone: the counts of all %s are added to it"},
    {{[BEFORE] = 1}, kept},
    {{[SHARE_BEFORE] = 1}, kept},
    /* The sums are reduced in place, so that the root has the sum of all, and the others have theirs. */
    {{[BEFORE] = 2, [SHARE_BEFORE] = -1}, kept},
    {{[ALL] = -1, [SHARE] = 1},
     "the bins hold the share of %s alone: the sums of the others were not added to its own, or it "
     "was asked for them before they were"},
    {{[SHARE] = -1},
     "exactly what %s read is missing: it did not count it, or its sums were reduced before they "
     "were complete"},
};

/* Whether a mistake with the share of this unit explains the bins. */
static bool explains(const struct wrong *wrong, const int times[PARTS], unsigned int unit)
{
    bool is_any = false;
    for (unsigned int bin = 0; bin < num_bins(); bin++) {
        uint64_t more = 0;
        for (unsigned int part = 0; part < PARTS; part++) {
            const uint64_t counts = part == SHARE          ? wrong->share[unit][bin]
                                    : part == SHARE_BEFORE ? wrong->before.share[unit][bin]
                                                           : wrong->counts[part][bin];
            more += (uint64_t)(int64_t)times[part] * counts;
        }
        if (more != wrong->more[bin])
            return false;
        is_any = is_any || more != 0;
    }
    return is_any;
}

static const struct wrong *known(const struct difference *d)
{
    return d->known;
}

static bool explained_by(const struct difference *d, const struct mistake *mistake)
{
    const struct wrong *wrong = known(d);
    const bool is_of_unit = mistake->times[SHARE] != 0;
    char name[32] = "";
    unsigned int found = 0;
    for (unsigned int i = 0; i < wrong->asked->units; i++)
        if (explains(wrong, mistake->times, i))
            snprintf(name, sizeof name, found++ > 0 ? "one %s" : "%s %u", many_units_of(1), i);
    return found > 0 && because(d, mistake->says, is_of_unit ? name : many_units);
}

static bool known_parts(struct difference *d)
{
    const bool is_alone = known(d)->asked->units == 1;
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++)
        if (!(is_alone && mistakes[i].times[SHARE] > 0) && explained_by(d, &mistakes[i]))
            return true;
    return false;
}

/* Bytes that nobody reads are missing, or those that two read are too many, or both, as where all begin at one place. */
static bool lost_or_doubled(struct difference *d)
{
    const struct wrong *wrong = known(d);
    const uint64_t length = wrong->asked->length, units = wrong->asked->units;
    const bool is_lost = explains(wrong, (int[PARTS]){[NEVER] = -1}, 0);
    const enum part_of_text part = is_lost ? NEVER : TWICE;
    const uint64_t begin = wrong->begin[part], end = wrong->end[part];
    char lost[128], doubled[128];
    if (wrong->end[NEVER] > 0 && wrong->end[TWICE] > 0 &&
        explains(wrong, (int[PARTS]){[NEVER] = -1, [TWICE] = 1}, 0))
        return because(
            d, "%s came to nobody, and %s to several: the place where a part begins",
            many_name_range(wrong->begin[NEVER], wrong->end[NEVER], length, lost, sizeof lost),
            many_name_range(begin, end, length, doubled, sizeof doubled));
    if (!is_lost && !explains(wrong, (int[PARTS]){[TWICE] = 1}, 0))
        return false;
    if (begin == 0 && end == length && length >= units)
        return false; /* all of the text is lost, so something else is wrong */
    const bool is_rest = length % units > 0 && end - begin < units && (!is_lost || end == length);
    return because(d, "%s %s%s", many_name_range(begin, end, length, lost, sizeof lost),
                   is_lost ? "came to nobody" : "came to two, and both have counted",
                   !is_rest  ? ""
                   : is_lost ? ": the remainder of the length divided by their number is lost"
                             : ": shares that are rounded up overlap");
}

static bool overflowed(struct difference *d)
{
    const struct wrong *wrong = known(d);
    for (unsigned int bin = 0; bin < num_bins(); bin++)
        if (wrong->seen->bins[bin] != (uint32_t)(wrong->seen->bins[bin] - wrong->more[bin]))
            return false;
    return because(d, "the counts are right modulo 2^32: a sum on the way to the bins has 32 bits");
}

static bool came_several_times(struct difference *d)
{
    const struct wrong *wrong = known(d);
    const int units = (int)wrong->asked->units;
    return units > 1 && explains(wrong, (int[PARTS]){[ALL] = units - 1}, 0) &&
           because(d,
                   "everything came exactly %d times, as many as there are %s: each of them counts "
                   "the whole text, or sums that all have are added up once more",
                   units, many_units);
}

/* Whether each bin holds the largest of the shares, or of the sums of some of them. */
static bool largest_share(struct difference *d)
{
    const struct wrong *wrong = known(d);
    for (unsigned int bin = 0; bin < num_bins(); bin++) {
        uint64_t largest = 0;
        for (unsigned int i = 0; i < wrong->asked->units; i++)
            if (wrong->share[i][bin] > largest)
                largest = wrong->share[i][bin];
        if (wrong->counts[ALL][bin] + wrong->more[bin] != largest)
            return false;
    }
    return wrong->asked->units >= 2 &&
           because(d,
                   "each bin holds the largest of the counts of all %s, and not their sum: the "
                   "reduction has to be a sum (ncclSum, MPI_SUM), and not a maximum",
                   many_units);
}

/* Whether some bins are right, and the others are what one unit, the root, has counted. */
static bool some_bins_reduced(struct difference *d)
{
    const struct wrong *wrong = known(d);
    unsigned int right = 0, alone = 0;
    for (unsigned int bin = 0; bin < num_bins(); bin++) {
        right += wrong->more[bin] == 0;
        alone += wrong->more[bin] != 0 &&
                 wrong->counts[ALL][bin] + wrong->more[bin] == wrong->share[0][bin];
    }
    return wrong->asked->units >= 2 && right != 0 && alone != 0 && right + alone >= num_bins() &&
           because(d,
                   "%u of %u bins are added up, and the others are those of %s 0 alone: the "
                   "collective has to be told as many elements as there are bins, of the type of "
                   "the sums, 64 bits",
                   right, num_bins(), many_units_of(1));
}

/* Behind the bytes that were copied lies rubbish. What ranks copy to the host is not known. */
static bool copied_in_part(struct difference *d)
{
    const struct wrong *wrong = known(d);
    const size_t needed = num_bins() * sizeof *wrong->more;
    uint64_t copied = 0;
    for (unsigned int i = 0; i < wrong->asked->units; i++)
        copied += wrong->seen->unit[i].to_host;
    return copied > 0 && copied < needed &&
           because(d,
                   "%s bytes of the sums come to the host, and %u bins have %zu: a copy is told in "
                   "bytes, so multiply the number of bins by sizeof",
                   grouped(copied), num_bins(), needed);
}

static bool not_zeroed(struct difference *d)
{
    const struct wrong *wrong = known(d);
    for (unsigned int bin = 0; bin < num_bins(); bin++)
        if (wrong->seen->bins[bin] > wrong->asked->held + 8 * (wrong->asked->length + 1))
            return because(d,
                           "bin %u holds more than all %s together could count: sums were used "
                           "that nobody had zeroed%s, also where there is nothing to count",
                           bin, many_units,
                           wrong->before.any ? ", since the call before or at all" : "");
    return false;
}

static bool other_sum(struct difference *d)
{
    const uint64_t expected = sum_of_bins(known(d)->counts[ALL]);
    const uint64_t counted = expected + sum_of_bins(known(d)->more);
    if (counted < expected)
        return because(
            d,
            "%s of %s characters are missing: nobody counts them, or their sums are lost where "
            "all are reduced (its operation, type and number of elements)",
            grouped(expected - counted), grouped(expected));
    return because(d,
                   "characters are counted twice, or in a wrong bin, or sums do not begin with 0");
}

static struct integers integers_of_units(const struct oracle *oracle)
{
    return (struct integers){(const unsigned char *)oracle_bins(oracle), sizeof(uint64_t), true};
}

/* A program that only runs a kernel has not watched its units: then there is no cause to tell. */
static bool was_not_watched(struct difference *d)
{
    return !known(d);
}

static cause_of_output *const likely[] = {was_not_watched,    lost_or_doubled, overflowed,
                                          came_several_times, known_parts,     largest_share,
                                          some_bins_reduced,  skipped_counted, copied_in_part,
                                          not_zeroed,         other_sum,       NULL};

const struct causes causes_of_units = {likely, NULL, NULL, integers_of_units};

void find_cause(const struct many_case *asked, const struct many_seen *seen,
                const struct difference *d)
{
    const struct wrong wrong = wrong_of(asked, seen);
    struct difference with = *d;
    with.known = &wrong;
    first_cause(&with);
}
