/* cases.c - the inputs on which splits go wrong, on 1 to 8 units; and files that cannot be read, where nobody waits for
 * ever, and nobody gets a result. */
#include <stdio.h>
#include <string.h>

#include "cases.h"
#include "grouped.h"
#include "many/harness.h"
#include "many_cases.h"
#include "random_numbers.h"
#include "verdict_log.h"

static const unsigned int pinned_units = 3, unaligned_units = 5;

/* Adds lengths around the number of units and its multiples. */
static void add_lengths(struct inputs *inputs)
{
    const size_t a_lane[] = {31, 32, 33};
    for (unsigned int units = MOST_UNITS; units >= 1; units--) {
        if (!inputs_has_units(units))
            continue;
        const size_t lengths[] = {0, 1, units - 1, units, units + 1, 3 * units - 1, 1001 + units};
        for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
            if (i < 2 || lengths[i] > 1)
                inputs_add_uniform(inputs, lengths[i], units);
    }
    for (size_t i = 0; i < sizeof a_lane / sizeof *a_lane; i++)
        inputs_add_uniform(inputs, a_lane[i], 2);
}

static void add_long(struct inputs *inputs)
{
    enum { SLICE = 1 << 16 };
    inputs_add_uniform(inputs, SLICE - 1, 3);
    inputs_add_uniform(inputs, SLICE, 1);
    inputs_add_uniform(inputs, SLICE + 1, 8);
}

static void add_contents(struct inputs *inputs)
{
    enum { LENGTH = 3001 };
    struct text commas = text_of(TEXT_SINGLE, 1, LENGTH);
    memset(commas.bytes, ',', LENGTH);
    inputs_add(inputs, "one letter only", text_of(TEXT_SINGLE, 1, LENGTH), 3);
    inputs_add(inputs, "commas only", commas, 2);
    inputs_add(inputs, "bytes above 127 only", text_of_values(128, 128, 5, LENGTH), 2);
    inputs_add(inputs, "English", text_of(TEXT_ENGLISH, 6, LENGTH), 3);
}

/* Adds a text for four ranks, two to a node. */
static void add_on_nodes(struct inputs *inputs, size_t length)
{
    struct many_case *input = inputs_add_uniform(inputs, length, 4);
    input->units = 4;
    input->per_node = 2;
}

static void add_places(struct inputs *inputs)
{
    enum { LENGTH = 2003 };
    if (many_reads_files) {
        add_on_nodes(inputs, LENGTH);
        add_on_nodes(inputs, 3);
        return;
    }
    inputs_add(inputs, "in pinned memory", text_of(TEXT_UNIFORM, 7, LENGTH), pinned_units)->pinned =
        true;
    inputs_add(inputs, "13 bytes after a multiple of 256", text_of(TEXT_UNIFORM, 8, LENGTH),
               unaligned_units)
        ->misalignment = 13;
}

void expect_units_right_on_edge_cases(void)
{
    struct inputs inputs = {.count = 0};
    add_lengths(&inputs);
    add_contents(&inputs);
    add_places(&inputs);
    add_long(&inputs);
    inputs_run(&inputs, expect_seen_right, "told");
}

void expect_units_right_on_drawn_inputs(void)
{
    enum { INPUTS = 6 };
    const uint32_t longest[INPUTS] = {40, 300, 3000, 3000, 9000, 20000};
    uint64_t state = run_draw();
    const unsigned int ranks = 2 + random_below(&state, 2);
    struct inputs inputs = {.count = 0};
    for (size_t i = 0; i < INPUTS; i++) {
        const size_t length = 1 + random_below(&state, longest[i]);
        unsigned int units = 1 + random_below(&state, MOST_UNITS);
        const uint64_t seed = 1000 + random_below(&state, 1000000);
        const enum text_kind kind = (enum text_kind)random_below(&state, TEXT_KINDS);
        if (many_reads_files)
            units = ranks;
        struct many_case *input = inputs_add(&inputs, "", text_of(kind, seed, length), units);
        snprintf((char *)(uintptr_t)input->what, INPUT_NAME, "%s characters, drawn with DRAW=%llu",
                 grouped(length), (unsigned long long)run_draw());
        input->pinned = !many_reads_files && random_below(&state, 2);
        input->misalignment = many_reads_files ? 0 : random_below(&state, 256);
        input->seed = seed;
    }
    inputs_run(&inputs, expect_seen_right, NULL);
}

void expect_right_again_and_again(void)
{
    const size_t lengths[] = {5001, 7, 0, 5003, 1};
    const unsigned int units[] = {3, many_reads_files ? 3 : 1, many_reads_files ? 3 : 8};
    struct inputs inputs = {.count = 0};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        inputs_add_uniform(&inputs, lengths[i], 3);
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        struct many_case *input = inputs_add(&inputs, "two more calls on one text",
                                             text_of(TEXT_ZIPF, 9 + i, 2000 + i), units[i]);
        input->calls = 3;
    }
    struct many_case *held = inputs_add(&inputs,
                                        many_reads_files ? "bins that hold something before"
                                                         : "bins that hold 5,000,000,000 before",
                                        text_of(TEXT_UNIFORM, 20, 999), 2);
    held->held = 5000000000;
    inputs_run(&inputs, expect_seen_right, "told");
}

/* "a file that is not there" */
static const char *const names[BAD_FILES] = {
    [NO_FILE] = "a file that is not there",
    [A_FOLDER] = "a folder",
    [NOT_FOR_ONE_RANK] = "a file that one rank cannot read",
    [SHRINKS] = "a file that becomes shorter while it is read",
};

static void expect_refused(const struct many_case *asked, const struct many_seen *seen)
{
    const char *slash = strrchr(seen->path, '/'), *name = slash ? slash + 1 : seen->path;
    if (seen->results_differ || seen->result != 1)
        fail_as("result", "%s returned %s on %s: it has to return 1 on all ranks", many_function,
                seen->results_differ ? "not the same on all ranks"
                                     : grouped((unsigned)seen->result),
                asked->what);
    for (unsigned int bin = 0; bin < num_bins(); bin++)
        if (seen->bins[bin] != asked->held || seen->others_touched)
            fail_as("bins", "%s touched a bin on %s, which has no result", many_function,
                    asked->what);
    if (seen->message_lines != 1 || !strstr(seen->message, name))
        fail_as("result",
                "%s wrote %s lines to standard error on %s, the first \"%s\": rank 0 has to "
                "write one, with the name of the file, \"%s\"",
                many_function, grouped(seen->message_lines), asked->what, seen->message, name);
    if (asked->bad != NO_FILE) /* the first call makes what is kept */
        expect_holds_no_more(asked, seen);
}

/* Whether the file was counted before it shrank, which may happen where the first rank has a slice that is all of it. */
static bool was_read_before(const struct many_case *asked, const struct many_seen *seen)
{
    struct many_case good = *asked;
    good.bad = GOOD_FILE;
    return seen->result == 0 && !seen->results_differ && !seen->others_touched &&
           seen_bins_right(&good, seen, false);
}

static void judge_bad_file(const struct many_case *asked, const struct many_seen *seen,
                           void *unused)
{
    (void)unused;
    if (asked->bad == GOOD_FILE)
        expect_seen_right(asked, seen, NULL);
    else if (asked->bad != SHRINKS || !was_read_before(asked, seen))
        expect_refused(asked, seen);
}

void expect_refuses_bad_files(void)
{
    enum { UNITS = 3, LENGTH = 9001, HELD = 77 };
    struct inputs inputs = {.count = 0};
    for (int bad = GOOD_FILE + 1; bad < BAD_FILES && many_reads_files; bad++) {
        struct many_case *input =
            inputs_add(&inputs, names[bad], text_of(TEXT_UNIFORM, 1, LENGTH), UNITS);
        input->bad = (enum many_bad_file)bad;
        input->held = HELD;
        inputs_add(&inputs, "a good file after a bad one", text_of(TEXT_UNIFORM, 2, LENGTH), UNITS);
    }
    inputs_run(&inputs, judge_bad_file, NULL);
}
