/* many_cases.c - a list of cases with their texts, which are asked together; and fails the test when a call on several
 * devices, or ranks, stopped or is wrong. */
#include "many_cases.h"

#include <criterion/criterion.h>
#include <stdio.h>

#include "cases.h"
#include "contract.h"
#include "expect_right.h"
#include "grouped.h"
#include "many/harness.h"
#include "text_input.h"
#include "verdict_log.h"

struct many_case *inputs_add(struct inputs *inputs, const char *what, struct text text,
                             unsigned int units)
{
    const size_t at = inputs->count++;
    cr_assert(at < MOST_INPUTS, "more than %d inputs", MOST_INPUTS);
    while (!inputs_has_units(units))
        units--;
    snprintf(inputs->name[at], INPUT_NAME, "%s", what);
    inputs->text[at] = text;
    inputs->input[at] = (struct many_case){.what = inputs->name[at],
                                           .text = text.bytes,
                                           .length = text.length,
                                           .units = units,
                                           .seed = at + 1};
    return &inputs->input[at];
}

struct many_case *inputs_add_uniform(struct inputs *inputs, size_t length, unsigned int units)
{
    char what[INPUT_NAME];
    snprintf(what, sizeof what, "%s character%s", grouped(length), length == 1 ? "" : "s");
    return inputs_add(inputs, what, text_of(TEXT_UNIFORM, length + units, length), units);
}

struct many_case *inputs_add_reserved(struct inputs *inputs, size_t length, unsigned int units)
{
    char what[INPUT_NAME];
    snprintf(what, sizeof what, "%s characters", grouped(length));
    return inputs_add(inputs, what, (struct text){.length = length}, units);
}

void inputs_run(struct inputs *inputs, many_judge *judge, void *context)
{
    many_run_all(inputs->input, inputs->count, judge, context);
    for (size_t i = 0; i < inputs->count; i++)
        if (inputs->text[i].bytes)
            text_free(&inputs->text[i]);
    inputs->count = 0;
}

bool inputs_has_units(unsigned int units)
{
    return units <= 1 || !many_reads_files || units == 2 || units == 3 || units == 8;
}

/* Runs them one after the other. Ranks have a better way (common/ranks). */
__attribute__((weak)) void many_run_all(const struct many_case *asked, size_t count,
                                        many_judge *judge, void *context)
{
    struct many_seen seen;
    for (size_t i = 0; i < count; i++) {
        many_run(&asked[i], &seen);
        judge(&asked[i], &seen, context);
        many_seen_free(&seen);
    }
}

/* Fails unless the call has come back as the contract says. */
static void expect_returned(const struct many_case *asked, const struct many_seen *seen)
{
    const char *units = many_units_of(asked->units);
    if (seen->reports > 0)
        fail_reported(&many_contract, asked->what, asked->seed);
    if (seen->error[0])
        fail_as("stopped", "stopped on %s on %u %s: %s", asked->what, asked->units, units,
                seen->error);
    if (seen->results_differ || seen->result != 0)
        fail_as("result",
                "%s returned %s on %s on %u %s: the file can be read, so it has to be 0 on "
                "all",
                many_function, seen->results_differ ? "not the same" : grouped(1), asked->what,
                asked->units, units);
    if (seen->device_after != seen->device_before)
        fail_as("result",
                "device %u is current after %s on %s, and device %u was before: "
                "cudaGetDevice and cudaSetDevice keep it",
                seen->device_after, many_function, asked->what, seen->device_before);
}

bool seen_bins_right(const struct many_case *asked, const struct many_seen *seen, bool fails)
{
    char what[128], cause[512] = "";
    uint64_t held[MOST_BINS];
    snprintf(what, sizeof what, "%s on %u %s", asked->what, asked->units,
             many_units_of(asked->units));
    for (unsigned int bin = 0; bin < num_bins(); bin++)
        held[bin] = many_reads_files ? 0 : asked->held;
    struct input input = input_of_text(&many_contract, what, asked->text, asked->length, 0);
    input.bins = (unsigned char *)held;
    struct oracle *oracle = units_oracle(&input);
    struct difference difference = {.input = &input,
                                    .oracle = oracle,
                                    .held = (const unsigned char *)seen->bins,
                                    .cause = cause,
                                    .size = sizeof cause};
    const bool right = many_contract.compare(&difference);
    if (!right && fails) {
        find_cause(asked, seen, &difference);
        fail_output(&difference, "");
    }
    remember_call(asked, seen);
    contract_forget(oracle);
    return right;
}

static void expect_bins(const struct many_case *asked, const struct many_seen *seen)
{
    seen_bins_right(asked, seen, true);
    if (seen->others_touched)
        fail_as("bins",
                "bins of a rank but 0, or what lies behind the bins, were touched on %s on %u %s: "
                "rank 0 alone gets the sums (MPI_Reduce, and not MPI_Allreduce), and a reduction "
                "is told how many elements there are, not how many bytes",
                asked->what, asked->units, many_units_of(asked->units));
}

/* Fails unless kernels have loaded each byte of the text. */
static void expect_kernels_loaded(const struct many_case *asked, const struct many_seen *seen)
{
    enum { A_FEW = 64, WIDEST = 32 }; /* loads; bytes of one */
    if (seen->loaded != asked->length && (seen->loaded > 0 || !many_reads_files))
        fail_as("host",
                "of %s bytes (%s) kernels have loaded %s on %u %s: the characters have to be "
                "counted by kernels, each of them on a device",
                grouped(asked->length), asked->what, grouped(seen->loaded), asked->units,
                many_units_of(asked->units));
    if (seen->host_loads > A_FEW + asked->length / WIDEST)
        fail_as("host",
                "host code has loaded from the text itself, %s times on %s (%s bytes): it "
                "only hands the text on, with memcpy or cudaMemcpyAsync, and kernels count",
                grouped(seen->host_loads), asked->what, grouped(asked->length));
}

void expect_holds_no_more(const struct many_case *asked, const struct many_seen *seen)
{
    char words[96], of_rank[32] = "";
    const char *advice;
    for (unsigned int i = 0; i < asked->units; i++) {
        if (!held_grew(&seen->unit[i].before, &seen->unit[i].after, words, sizeof words, &advice))
            continue;
        if (many_reads_files)
            snprintf(of_rank, sizeof of_rank, " on rank %u", i);
        fail_as("memory", "%s leaves %s%s than it found, on %s: %s", many_function, words, of_rank,
                asked->what, advice);
    }
}

/* Fails when a call after another keeps more than that one. */
static void expect_nothing_kept(const struct many_case *asked, const struct many_seen *seen)
{
    for (unsigned int i = 0; i < asked->units; i++) {
        if (seen->unit[i].left_on_device == 0)
            continue;
        fail_as("memory",
                "call %u on %s leaves %s bytes more behind on %s %u than the call before: "
                "streams, buffers and communicators are made once, or given back",
                asked->calls, asked->what, grouped(seen->unit[i].left_on_device), many_units_of(1),
                i);
    }
    if (asked->calls > 1)
        expect_holds_no_more(asked, seen);
}

void expect_seen_right(const struct many_case *asked, const struct many_seen *seen, void *logged)
{
    expect_returned(asked, seen);
    if (!asked->text)
        return;
    expect_bins(asked, seen);
    expect_kernels_loaded(asked, seen);
    expect_nothing_kept(asked, seen);
    if (!logged)
        return;
    verdict_log_add("schedules 1");
    verdict_log_add("input %s", asked->what);
}

void expect_many_right(const struct many_case *asked)
{
    struct many_seen seen = many_measure_case(asked);
    many_seen_free(&seen);
}

struct many_seen many_measure_case(const struct many_case *asked)
{
    struct many_seen seen;
    many_run(asked, &seen);
    expect_seen_right(asked, &seen, asked->text ? (void *)(uintptr_t)asked : NULL);
    return seen;
}

struct many_seen many_measure(const struct text *text, unsigned int units)
{
    return many_measure_case(&(struct many_case){.what = text->name,
                                                 .text = text->bytes,
                                                 .length = text->length,
                                                 .units = units,
                                                 .seed = 1});
}
