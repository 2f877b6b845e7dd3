/* fake_units.h - devices, or ranks, that are a loop on the host, with planted mistakes.
 *
 * What the judge of many.h is linked with in place of a kernel's processes. */
#ifndef FAKE_UNITS_H
#define FAKE_UNITS_H

#include "../histogram/faults.h"
#include "binning.h"
#include "many/harness.h"
#include "letters.h"
#include "many_cases.h"

#ifdef OF_FILES
const bool many_reads_files = true;
const char many_units[] = "ranks", many_function[] = "histogram_file()";
#else
const bool many_reads_files = false;
const char many_units[] = "devices", many_function[] = "histogram_many()";
#endif

static uint64_t fake_before[NUM_BINS]; /* what the call before has counted */

static void add_part(uint64_t *bins, const struct many_case *asked, uint64_t begin, uint64_t end)
{
    for (uint64_t i = begin; asked->text && i < end; i++)
        if (bin_of(asked->text[i]) >= 0)
            bins[bin_of(asked->text[i])]++;
}

/* Who reads what. */
static void split(const struct many_case *asked, struct many_seen *seen)
{
    const uint64_t length = asked->length, units = asked->units;
    seen->reads = calloc(units + 1, sizeof *seen->reads);
    cr_assert(seen->reads);
    for (unsigned int i = 0; i < units; i++) {
        uint64_t begin = length * i / units, end = length * (i + 1) / units;
        if (fault("remainder_lost")) {
            begin = length / units * i;
            end = begin + length / units;
        }
        if (fault("rounded_up"))
            end = begin + (length + units - 1) / units;
        if (fault("reads_all"))
            begin = 0;
        if (fault("offset32") && length > UINT32_MAX)
            end = i == units - 1 ? UINT32_MAX : end;
        end = end < length ? end : length;
        if (begin < end)
            seen->reads[seen->read_count++] = (struct many_read){i, begin, end};
        seen->unit[i] = (struct many_unit){.device = i, .launches = 1, .copied = end - begin};
        seen->unit[i].most_on_device = fault("holds_all") ? length : 1 << 16;
        seen->unit[i].left_on_device = fault("leaves_memory") && asked->calls > 1 ? 40 : 0;
        seen->unit[i].narrow_sums = fault("narrow_sums") && i == units - 1;
    }
}

static void add_up(const struct many_case *asked, struct many_seen *seen)
{
    uint64_t counts[NUM_BINS] = {0};
    for (size_t i = 0; i < seen->read_count; i++) {
        const struct many_read *read = &seen->reads[i];
        if (fault("skips_device_1") && read->unit == 1)
            continue;
        if (fault("only_device_0") && read->unit != 0)
            continue;
        add_part(counts, asked, read->begin, read->end);
    }
    for (unsigned int bin = 0; bin < NUM_BINS; bin++) {
        const uint64_t right = counts[bin];
        if (fault("all_have_all"))
            counts[bin] = asked->units * right;
        if (fault("call_before"))
            counts[bin] += fake_before[bin];
        if (fault("nothing"))
            counts[bin] = 0;
        seen->bins[bin] = counts[bin] + (many_reads_files ? 0 : asked->held);
        if (fault("sets"))
            seen->bins[bin] = counts[bin];
        if (fault("modulo"))
            seen->bins[bin] = (uint32_t)seen->bins[bin];
        fake_before[bin] = right;
    }
}

static void refuse(const struct many_case *asked, struct many_seen *seen)
{
    seen->result = fault("takes_bad") ? 0 : 1;
    seen->results_differ = fault("leaves_others");
    for (unsigned int bin = 0; bin < NUM_BINS; bin++)
        seen->bins[bin] = fault("touches") ? 0 : asked->held;
    snprintf(seen->path, sizeof seen->path, "/tmp/x.txt");
    snprintf(seen->message, sizeof seen->message, "%s: no", fault("nameless") ? "one" : seen->path);
    seen->message_lines = fault("all_say_it") ? asked->units : 1;
}

void many_run(const struct many_case *asked, struct many_seen *seen)
{
    *seen = (struct many_seen){.result = 0};
    if (asked->bad != GOOD_FILE) {
        refuse(asked, seen);
        return;
    }
    split(asked, seen);
    if (asked->text)
        add_up(asked, seen);
    seen->loaded = fault("host_counts") ? 0 : asked->text ? asked->length : 0;
    seen->host_loads = fault("host_loads") ? asked->length / 16 : 0;
    seen->collectives = asked->units > 1;
    seen->collective[0] = (struct many_collective){
        "ncclReduce", asked->units, NUM_BINS, (fault("narrow_collective") ? 4u : 8u) * NUM_BINS};
    seen->reports = fault("is_reported");
    seen->device_after = fault("other_device");
    if (fault("stops"))
        snprintf(seen->error, sizeof seen->error, "invalid device ordinal");
}

Test(fault, edge_cases)
{
    expect_units_right_on_edge_cases();
}

Test(fault, drawn)
{
    expect_units_right_on_drawn_inputs();
}

Test(fault, again)
{
    expect_right_again_and_again();
}

Test(fault, reads)
{
    expect_each_byte_read_once();
}

Test(fault, far)
{
    expect_right_above_4_gib();
}

Test(fault, part)
{
    expect_holds_a_part();
}

Test(fault, files)
{
    expect_refuses_bad_files();
}

/* Without a mistake all of them pass. */
static void expect_all_pass(void)
{
    const char *const tests[] = {"edge_cases", "drawn", "again", "reads", "far", "part", "files"};
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
        expect_message("no_mistake", tests[i], 0, "Passing: 1 | Failing: 0");
}

#endif
