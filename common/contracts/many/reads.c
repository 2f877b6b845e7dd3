/* reads.c - who reads what of the text: each byte one unit, also behind 2^32, and never all at once. */

#include "verdict_log.h"
#include "grouped.h"
#include "many/harness.h"
#include "many_cases.h"

/* Texts are so much longer than 2^32 bytes that a slice begins there, too. */
enum { BEHIND_4_GIB = (1 << 28) + 12345, FAR_UNITS = 3 };
static const size_t far_length = ((size_t)1 << 32) + BEHIND_4_GIB;

/* The kind of failure: above 4 GiB the call is wrong, and below it splits the text in another way than is asked for. */
static const char *kind_of_read(const struct many_case *asked)
{
    return asked->length > UINT32_MAX ? "far-end" : "counter";
}

static void fail_never(const struct many_case *asked, uint64_t begin, uint64_t end)
{
    char range[128];
    const char *why = "";
    if (end == asked->length && begin > 0 && end - begin < asked->units)
        why = ": the remainder of the length divided by their number is lost";
    else if (many_reads_files && begin == 0 && end == asked->length)
        why = ": read(), pread(), mmap(), fread() and MPI_File_read are seen, and no other call";
    else if (begin >= UINT32_MAX)
        why = ": an offset or a length has 32 bits";
    fail_as(kind_of_read(asked), "%s (%s) come%s to none of %u %s%s",
            many_name_range(begin, end, asked->length, range, sizeof range), asked->what,
            end - begin == 1 ? "s" : "", asked->units, many_units_of(asked->units), why);
}

static void fail_twice(const struct many_case *asked, uint64_t begin, uint64_t end,
                       const struct many_read *one, const struct many_read *other)
{
    char range[128];
    const char *unit = many_units_of(1);
    const char *why = asked->length > UINT32_MAX && one->begin == other->begin
                          ? ": an offset of 32 bits begins anew behind 4,294,967,295"
                          : "";
    many_name_range(begin, end, asked->length, range, sizeof range);
    if (one->unit == other->unit)
        fail_as(kind_of_read(asked), "%s (%s) come%s to %s %u twice%s", range, asked->what,
                end - begin == 1 ? "s" : "", unit, one->unit, why);
    fail_as(kind_of_read(asked),
            "%s (%s) come%s to %s %u and to %s %u: each byte is for one of %u %s%s", range,
            asked->what, end - begin == 1 ? "s" : "", unit, one->unit, unit, other->unit,
            asked->units, many_units_of(asked->units), why);
}

void expect_read_once(const struct many_case *asked, const struct many_seen *seen, void *unused)
{
    const struct many_read *last = NULL; /* that reaches farthest */
    uint64_t done = 0;
    (void)unused;
    for (size_t i = 0; i < seen->read_count; i++) {
        const struct many_read *read = &seen->reads[i];
        if (read->begin > done)
            fail_never(asked, done, read->begin);
        if (last && read->begin < done && read->end > read->begin)
            fail_twice(asked, read->begin, read->end < done ? read->end : done, last, read);
        if (read->end > done) {
            done = read->end;
            last = read;
        }
    }
    if (done < asked->length)
        fail_never(asked, done, asked->length);
}

/* Notes whether bytes come to devices by copies. Else kernels read them in host memory, which is seen only when they
 * run. */
static void note_copies(const struct many_case *asked, const struct many_seen *seen, void *copies)
{
    expect_read_once(asked, seen, NULL);
    expect_seen_right(asked, seen, NULL);
    for (unsigned int i = 0; i < asked->units; i++)
        *(bool *)copies |= seen->unit[i].copied > 0;
}

static bool comes_by_copies(void)
{
    bool copies = many_reads_files;
    struct inputs inputs = {.count = 0};
    if (copies)
        return true;
    inputs_add_uniform(&inputs, 10007, 3);
    inputs_run(&inputs, note_copies, &copies);
    return copies;
}

static void judge_reads(const struct many_case *asked, const struct many_seen *seen, void *unused)
{
    expect_read_once(asked, seen, unused);
    expect_seen_right(asked, seen, NULL);
}

void expect_each_byte_read_once(void)
{
    const size_t lengths[] = {1, 2, 7, 8, 9, 63, 65, 127, 1000, 4097, 65535, 65537, 1000003};
    struct inputs inputs = {.count = 0};
    const bool far = comes_by_copies();
    if (many_reads_files)
        inputs_add_uniform(&inputs, 10007, 3);
    for (unsigned int units = many_reads_files ? 3 : 1; units <= MOST_UNITS; units++)
        for (size_t i = 0; i < sizeof lengths / sizeof *lengths && inputs_has_units(units); i++)
            if (far)
                inputs_add_reserved(&inputs, lengths[i], units);
            else if (lengths[i] < 100)
                inputs_add_uniform(&inputs, lengths[i], units);
    inputs_run(&inputs, judge_reads, NULL);
}

/* Fails where counts are added up in 32 bits. A collective of num_bins() elements or more adds up counts. */
static void expect_wide_sums(const struct many_case *asked, const struct many_seen *seen,
                             void *unused)
{
    enum { KEPT = sizeof seen->collective / sizeof *seen->collective, WIDE = 8 };
    const char *unit = many_units_of(1);
    judge_reads(asked, seen, unused);
    for (size_t i = 0; i < seen->collectives && i < KEPT; i++) {
        const struct many_collective *c = &seen->collective[i];
        if (c->elements < num_bins() || c->bytes / c->elements >= WIDE)
            continue;
        fail_as("counter", "%s adds up elements of %s bytes: a bin of a text above 4 GiB needs 8",
                c->name, grouped(c->bytes / c->elements));
    }
    for (unsigned int i = 0; i < asked->units; i++) {
        if (seen->unit[i].narrow_sums == 0)
            continue;
        fail_as("counter",
                "%s %u adds to sums of less than 8 bytes what one launch after another "
                "counts (%s): above 4 GiB they overflow",
                unit, i, asked->what);
    }
}

void expect_right_above_4_gib(void)
{
    enum { SLICES = 200003 };
    struct inputs inputs = {.count = 0};
    if (!comes_by_copies())
        return;
    inputs_add_reserved(&inputs, far_length, FAR_UNITS);
    inputs_add_uniform(&inputs, SLICES, many_reads_files ? FAR_UNITS : 1);
    inputs_add_uniform(&inputs, 1001, FAR_UNITS);
    inputs_run(&inputs, expect_wide_sums, NULL);
}

static void expect_part_held(const struct many_case *asked, const struct many_seen *seen,
                             void *unused)
{
    const uint64_t share = asked->length / asked->units, most = share / 2;
    (void)unused;
    expect_seen_right(asked, seen, NULL);
    for (unsigned int i = 0; i < asked->units; i++) {
        if (seen->unit[i].most_on_device <= most)
            continue;
        fail_as("memory",
                "%s bytes were allocated on device %u at a time for a share of %s: its text "
                "may be longer than its memory, so it has to come in slices; half of the "
                "share, %s, would be enough",
                grouped(seen->unit[i].most_on_device), i, grouped(share), grouped(most));
    }
}

void expect_holds_a_part(void)
{
    struct inputs inputs = {.count = 0};
    inputs_add_reserved(&inputs, far_length, FAR_UNITS);
    inputs_run(&inputs, expect_part_held, NULL);
}
