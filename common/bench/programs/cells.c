/* cells.c - runs one chapter on several inputs, one after the other, for who counts what it does.
 *
 *     cells OUT.csv CHAPTER NAME CELL...
 *
 * A CELL says which input, in the settings of make: "KEYS=zipf KEY_BINS=505 SIZE=64K". SHIFT is by
 * how many units it begins after a multiple of 256 bytes. OUT.csv gets a header and a row for
 * each: what it ran on, whether the result is right, and on the simulated GPU the counters, as
 * row.c has them. On a card a profiler counts, and tells the cells apart by a launch that comes
 * before each (cell_begins.cu). The status is 1 when a result is wrong; why goes to standard
 * error. */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contract.h"
#include "placed.h"
#include "run.h"
#include "to_run.h"
#include "sim.h"
#include "util.h"

/* Absent on the simulated GPU, which tells them apart itself. */
void cell_begins(unsigned int cell);
#pragma weak cell_begins

/* What a cell may say. */
static const char *const settings[] = {"TEXT", "KEYS", "KEY_BINS", "SIZE", "SHIFT"};
enum { SETTINGS = sizeof settings / sizeof *settings };

/* Puts "KEYS=zipf SIZE=64K" into the environment, and takes out what it does not say. */
static void set_environment(const char *cell)
{
    char *words = format("%s", cell), *rest = words;
    for (size_t i = 0; i < SETTINGS; i++)
        unsetenv(settings[i]);
    for (char *word; (word = strtok_r(rest, " ", &rest));)
        if (strchr(word, '=') == NULL || putenv(format("%s", word)) != 0)
            fail(2, "\"%s\": %s is no setting", cell, word);
    free(words);
}

static struct run input_of_cell(const char *file)
{
    char *readme[] = {"README.md"};
    uint64_t shift = 0;
    struct run run = {.file = file};
    if (input_write(file, readme, 1) != 0)
        fail(1, "cannot write %s: %s", file, strerror(errno));
    run.input = input_read(file, 0, run.called, sizeof run.called);
    if (*chosen("SHIFT") && (!read_number(chosen("SHIFT"), &shift) || shift > 63))
        fail(2, "SHIFT=%s is no number from 0 to 63", chosen("SHIFT"));
    run.input.misalignment = (size_t)shift;
    return run;
}

static struct sim_counters run_once(struct run *run, unsigned int cell)
{
    struct placed placed = place(&run->input);
    place_output(&placed);
    placed.job.budget =
        UINT64_MAX; /* a run takes as long as the simulator lets it, a verdict less */
    if (cell_begins)
        cell_begins(cell);
    sim_reset_counters();
    place_run(&placed, run->called);
    run->finished = placed.last.finished;
    snprintf(run->error, sizeof run->error, "%s", placed.last.error);
    run_compare(run, placed.output, placed.before);
    const struct sim_counters counters = placed.last.counters;
    place_free(&placed);
    return counters;
}

/* What a card counts, and how long it takes, Nsight Compute tells. */
static bool has_clock(void)
{
    return sim_metric_count() > 0;
}

static void print_header(FILE *out)
{
    fprintf(out, "chapter,name,operation,bins,input,length,shift,correct");
    for (size_t i = 0; i < sim_metric_count(); i++)
        fprintf(out, ",%s", sim_metric(i).name);
    fprintf(out, "%s\n", has_clock() ? ",ns_by_the_clock" : "");
}

static void print_row(FILE *out, const char *chapter, const char *name, const struct run *run,
                      const struct sim_counters *counters)
{
    const char *input = *chosen("KEYS") ? chosen("KEYS") : chosen("TEXT");
    fprintf(out, "%s,%s,%s,", chapter, name,
            kernel_to_run()->contract->has_operation ? operation_name(operation_chosen()) : "");
    if (kernel_to_run()->contract->has_bins)
        fprintf(out, "%zu", run->input.num_bins / (run->input.batch > 0 ? run->input.batch : 1));
    fprintf(out, ",%s,%zu,%zu,%s", input, run->input.length, run->input.misalignment,
            run->finished && run->right ? "yes" : "no");
    for (size_t i = 0; i < sim_metric_count(); i++)
        fprintf(out, ",%" PRIu64, sim_metric_value(counters, i));
    if (has_clock())
        fprintf(out, ",%" PRIu64, counters->picoseconds / 1000);
    fprintf(out, "\n");
    fflush(out);
}

int main(int count, char **arguments)
{
    if (count < 5) {
        fprintf(stderr, "usage: %s OUT.csv CHAPTER NAME CELL...\n", arguments[0]);
        return 2;
    }
    FILE *out = fopen(arguments[1], "w");
    if (!out)
        fail(1, "cannot write %s: %s", arguments[1], strerror(errno));
    char *file = format("%s.input", arguments[1]);
    int status = 0;
    run_begin(arguments);
    print_header(out);
    for (int i = 4; i < count; i++) {
        set_environment(arguments[i]);
        struct run run = input_of_cell(file);
        const struct sim_counters counters = run_once(&run, (unsigned int)(i - 4));
        print_row(out, arguments[2], arguments[3], &run, &counters);
        if (!run.finished || !run.right) {
            fprintf(stderr, "chapter %s, %s: %s\n", arguments[2], arguments[i],
                    run.finished ? run.why : run.error);
            status = 1;
        }
        input_free(&run.input);
    }
    run_end();
    remove(file);
    return fclose(out) == 0 ? status : 1;
}
