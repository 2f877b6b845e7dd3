/* evidence.c - whether it was kernels that counted, and that each byte came to one unit. */
#include "evidence.h"

#include <criterion/criterion.h>
#include <stdio.h>

#include "causes.h"
#include "facts.h"
#include "grouped.h"

void expect_kernels_loaded(const struct many_case *asked, const struct many_seen *seen)
{
    enum { A_FEW = 64, WIDEST = 32 }; /* loads; bytes of one */
    if (seen->loaded != asked->length && (seen->loaded > 0 || !many_reads_files)) {
        facts_add("failed host");
        cr_assert_fail(
            "of %s bytes (%s) kernels have loaded %s on %u %s: the characters have to be "
            "counted by kernels, each of them on a device",
            grouped(asked->length), asked->what, grouped(seen->loaded), asked->units,
            many_units_of(asked->units));
    }
    if (seen->host_loads > A_FEW + asked->length / WIDEST) {
        facts_add("failed host");
        cr_assert_fail("host code has loaded from the text itself, %s times on %s (%s bytes): it "
                       "only hands the text on, with memcpy or cudaMemcpyAsync, and kernels count",
                       grouped(seen->host_loads), asked->what, grouped(asked->length));
    }
}

void expect_nothing_kept(const struct many_case *asked, const struct many_seen *seen)
{
    for (unsigned int i = 0; i < asked->units; i++) {
        if (seen->unit[i].left_on_device == 0)
            continue;
        facts_add("failed memory");
        cr_assert_fail("call %u on %s leaves %s bytes more behind on %s %u than the call before: "
                       "streams, buffers and communicators are made once, or given back",
                       asked->calls, asked->what, grouped(seen->unit[i].left_on_device),
                       many_units_of(1), i);
    }
}

/* Above 4 GiB it is wrong, and below it another split. */
static void note_failed_split(const struct many_case *asked)
{
    facts_add("failed %s", asked->length > UINT32_MAX ? "far-end" : "counter");
}

static void fail_never(const struct many_case *asked, uint64_t begin, uint64_t end)
{
    char range[128];
    const char *why = "";
    if (end == asked->length && begin > 0 && end - begin < asked->units)
        why = ": the remainder of the length divided by their number is lost";
    else if (begin >= UINT32_MAX)
        why = ": an offset or a length has 32 bits";
    note_failed_split(asked);
    cr_assert_fail("%s (%s) come%s to none of %u %s%s",
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
    note_failed_split(asked);
    many_name_range(begin, end, asked->length, range, sizeof range);
    if (one->unit == other->unit)
        cr_assert_fail("%s (%s) come%s to %s %u twice%s", range, asked->what,
                       end - begin == 1 ? "s" : "", unit, one->unit, why);
    cr_assert_fail("%s (%s) come%s to %s %u and to %s %u: each byte is for one of %u %s%s", range,
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
