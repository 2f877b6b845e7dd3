/* keyed_times.c - times the chapters that reduce by index, next to what they are measured against.
 *
 *     keyed_times OUT.csv LENGTH CELLS LIBRARY.so...
 *
 * CELLS is "all", or a list like 505:zipf,all:uniform of numbers of bins and kinds of keys. The operation is the one that the program was compiled for. A LIBRARY.so holds one chapter's
 * reduce_by_index(), in a folder of its name, or in one of the operation's name below that; or it holds
 * the libraries of rivals.h. For every cell reading alone, the plain kernel, the libraries
 * and all chapters run on the same elements. Prints a table, and appends rows to OUT.csv.
 *
 * What is timed is the call of reduce_by_index(), with all that it allocates, zeroes and merges, queued
 * back to back: queue.h says how. Each run has bins of its own, which were made neutral before. Each
 * reads the other one of two copies of the elements, so that it does not find them in the L2 cache.
 * Before and after that the bins of a run are checked.
 *
 * A kernel may take hours where keys crowd. So it first gets a few of the elements, then more, and is
 * left out when all of them would take longer than some seconds. One that crashes or never ends is
 * told, and the others go on. */
#define _GNU_SOURCE
#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "entrants.h"
#include "errors.h"
#include "grouped.h"
#include "keyed.h"
#include "keyed_cells.h"
#include "baselines.h"
#include "queue.h"
#include "rivals.h"
#include "row_file.h"
#include "supervised.h"

enum { MOST_CONTESTANTS = 32, COPIES = 2, MOST_POOLED = 200, PATIENCE_S = 60 };
enum { WARM_UPS = 3, REPETITIONS = 15, FEW = 5, BINS_ALIGNMENT = 256 };
static const double long_ms = 10, cell_ms = 500, most_ms = 3000;
static const size_t pool_bytes = (size_t)1 << 30;

static const char columns[] =
    "operation,implementation,keys,length,bins,median_ms,min_ms,max_ms,runs,"
    "queued,correct,reading_ms";

typedef void work(const element_t *elements, size_t length, bin_t *bins, size_t num_bins);

struct contestant {
    char name[64];
    work *run;
    bool reduces; /* leaves results in the bins */
};

struct contest {
    struct contestant who[MOST_CONTESTANTS];
    size_t count;
    struct keyed_cell cells[MOST_CELLS];
    size_t num_cells, length;
    char *csv_name, **libraries;
    int num_libraries;
    FILE *csv;
};

/* A cell's elements and bins on the device. */
struct field {
    element_t *copies[COPIES];
    size_t length, num_bins;
    bin_t *bins; /* of `pooled` runs, `stride` bins apart */
    size_t pooled, stride;
    struct keyed_truth *truth;
};

/* All that one run needs: who, how much, and which turn it is. */
struct entry {
    const struct contestant *who;
    const struct field *field;
    size_t length, turn;
};

/* The chapter that is linked in, where one is: then it is timed, too. */
__attribute__((weak)) void reduce_by_index(const element_t *d_elements, size_t length,
                                           bin_t *d_bins, size_t num_bins);

static void run_reading(const element_t *elements, size_t length, bin_t *bins, size_t num_bins)
{
    (void)num_bins;
    read_only((const unsigned char *)elements, length * sizeof *elements, (unsigned int *)bins);
}

static bin_t *bins_of_turn(const struct field *field, size_t turn)
{
    return field->bins + turn % field->pooled * field->stride;
}

/* A gpu_run of an entry. */
static void run_once(void *what)
{
    struct entry *entry = what;
    const struct field *field = entry->field;
    bin_t *bins = bins_of_turn(field, entry->turn);
    entry->who->run(field->copies[entry->turn % COPIES], entry->length, bins, field->num_bins);
    entry->turn++;
}

/* Makes the bins of so many runs neutral; the next run is the first of them. */
static void afresh(void *what, int runs)
{
    struct entry *entry = what;
    const struct field *field = entry->field;
    const size_t used = (size_t)runs < field->pooled ? (size_t)runs : field->pooled;
    keyed_clear(field->bins, used * field->stride);
    must(cudaDeviceSynchronize(), "clearing the bins");
    entry->turn = 0;
}

static struct field field_of(const struct keyed_cell *cell, size_t length)
{
    struct field field = {.length = length, .num_bins = cell->num_bins};
    const size_t bytes = cell->num_bins * sizeof(bin_t);
    field.stride = (bytes + BINS_ALIGNMENT - 1) / BINS_ALIGNMENT * BINS_ALIGNMENT / sizeof(bin_t);
    field.pooled = pool_bytes / (field.stride * sizeof(bin_t));
    field.pooled = field.pooled < 1 ? 1 : field.pooled > MOST_POOLED ? MOST_POOLED : field.pooled;
    must(cudaMalloc((void **)&field.bins, field.pooled * field.stride * sizeof(bin_t)),
         "cudaMalloc of the bins");
    for (int i = 0; i < COPIES; i++) {
        must(cudaMalloc((void **)&field.copies[i], length * sizeof(element_t)),
             "cudaMalloc of the elements");
        keyed_fill(field.copies[i], length, cell->num_bins, cell->crowd);
    }
    field.truth = keyed_truth_of(field.copies[0], length, cell->num_bins);
    return field;
}

static void field_free(struct field *field)
{
    keyed_truth_free(field->truth);
    for (int i = 0; i < COPIES; i++)
        must(cudaFree(field->copies[i]), "cudaFree");
    must(cudaFree(field->bins), "cudaFree");
}

/* Whether the bins of the last run are right; says what is wrong. */
static bool is_right(const struct entry *entry, const struct keyed_cell *cell)
{
    const struct field *field = entry->field;
    size_t first;
    if (!entry->who->reduces)
        return true;
    const size_t wrong =
        keyed_wrong_bins(field->truth, bins_of_turn(field, entry->turn - 1), &first);
    if (wrong > 0)
        fprintf(stderr, "%s, %s, %s keys: %s of %s bins are wrong, the first is bin %zu\n",
                entry->who->name, OPERATION_NAME, crowd_names[cell->crowd], grouped(wrong),
                grouped(field->num_bins), first);
    return wrong == 0;
}

/* About how many milliseconds all elements take, from a few of them, then more: it stops as soon as
 * that is clearly too long. */
static double estimate(struct entry *entry)
{
    const size_t length = entry->field->length;
    double slack = 4;
    entry->length = length < 1 ? length : 1;
    (void)queue_warm_up(run_once, entry); // what is new is loaded
    const double launch = queue_warm_up(run_once, entry);
    for (size_t part = 1 << 14; part < length; part *= 16, slack /= 2) {
        entry->length = part;
        const double took = queue_warm_up(run_once, entry) - launch;
        if (took * (double)length / (double)part > slack * most_ms)
            return took * (double)length / (double)part;
    }
    entry->length = length;
    return 0;
}

static void print_heading(const struct keyed_cell *cell, size_t length)
{
    printf(
        "\n%s, %s elements, %s keys, %s bins: queued back to back, median of the repetitions\n\n",
        OPERATION_NAME, grouped(length), crowd_names[cell->crowd], grouped(cell->num_bins));
    printf("%-28s %10s %10s %10s %9s %6s\n", "implementation", "ms", "least", "most", "x reading",
           "right");
    fflush(stdout);
}

/* Fields without a time are dashes; `answer` is yes, no, -, "left out" or "failed". */
static void write_row(const struct contest *contest, const struct keyed_cell *cell,
                      const struct contestant *who, const struct gpu_times *times, double reading,
                      const char *answer)
{
    char time[96] = "-,-,-,0,0", ratio[32] = "-";
    if (times && reading > 0)
        snprintf(ratio, sizeof ratio, "%.5f", reading);
    if (times)
        snprintf(time, sizeof time, "%.5f,%.5f,%.5f,%d,%d", times->run.median, times->run.low,
                 times->run.high, times->repetitions, times->queued);
    fprintf(contest->csv, "%s,%s,%s,%zu,%zu,%s,%s,%s\n", OPERATION_NAME, who->name,
            crowd_names[cell->crowd], contest->length, cell->num_bins, time, answer, ratio);
    fflush(contest->csv);
    if (times)
        printf("%-28s %10.4f %10.4f %10.4f %9.2f %6s%s\n", who->name, times->run.median,
               times->run.low, times->run.high, reading > 0 ? times->run.median / reading : 0,
               answer, times->queued ? "" : " waits for the GPU itself: not queued");
    else
        printf("%-28s %10s %s\n", who->name, "-", answer);
    fflush(stdout);
}

static void measure_one(const struct contest *contest, const struct keyed_cell *cell,
                        const struct field *field, const struct contestant *who,
                        struct progress *progress)
{
    struct entry entry = {.who = who, .field = field, .length = field->length};
    afresh(&entry, 1);
    const double guess = estimate(&entry);
    if (guess > 0) {
        printf("%-28s %10s all elements would take about %.0f s\n", who->name, "-", guess / 1e3);
        write_row(contest, cell, who, NULL, 0, "left out");
        return;
    }
    afresh(&entry, WARM_UPS);
    const double ms = queue_warm_up(run_once, &entry);
    bool right = is_right(&entry, cell);
    const double affordable = cell_ms / ms;
    const int repetitions = ms < long_ms ? REPETITIONS : affordable < FEW ? (int)affordable : FEW;
    struct gpu_times times = {.run = {ms, ms, ms}, .repetitions = 1, .queued = 1};
    if (repetitions > 0) // or that one run has to do
        times = queue_time_afresh(run_once, afresh, &entry, ms, repetitions);
    right = right && is_right(&entry, cell);
    if (who->run == run_reading)
        progress->kept = times.run.median;
    if (!right)
        progress->anything_wrong = true;
    write_row(contest, cell, who, &times, progress->kept,
              !who->reduces ? "-"
              : right       ? "yes"
                            : "NO");
}

static void add(struct contest *contest, const char *name, work *run, bool reduces)
{
    if (contest->count == MOST_CONTESTANTS) {
        fprintf(stderr, "gpu: at most %d implementations can be timed at once\n",
                (int)MOST_CONTESTANTS);
        exit(1);
    }
    struct contestant *who = &contest->who[contest->count++];
    *who = (struct contestant){.run = run, .reduces = reduces};
    snprintf(who->name, sizeof who->name, "%s", name);
}

static void add_library(struct contest *contest, const char *path)
{
    char name[64];
    work *chapter, *even, *sort, *thrust;
    void *library = entrant_library(path);
    entrant_function(library, "reduce_by_index", &chapter);
    entrant_function(library, "cub_even", &even);
    entrant_function(library, "cub_sort", &sort);
    entrant_function(library, "thrust_sort", &thrust);
    if (chapter) {
        entrant_chapter(path, OPERATION_NAME, name, sizeof name);
        add(contest, name, chapter, true);
    } else if (sort) {
        if (even)
            add(contest, "cub HistogramEven", even, true);
        add(contest, "cub sort and reduce", sort, true);
        add(contest, "thrust sort and reduce", thrust, true);
    } else {
        fprintf(stderr, "gpu: %s: there is no reduce_by_index() in it\n", path);
        exit(1);
    }
}

static void add_all(struct contest *contest)
{
    add(contest, "read only", run_reading, false);
    add(contest, "plain kernel", plain_reduce, true);
    if (reduce_by_index)
        add(contest, "this kernel", reduce_by_index, true);
    for (int i = 0; i < contest->num_libraries; i++)
        add_library(contest, contest->libraries[i]);
}

/* In the child: the steps are the rows, and those before progress->next are done. */
static void measure_all(struct progress *progress, void *what)
{
    struct contest *contest = what;
    const size_t first = progress->next;
    add_all(contest);
    progress->in_row = contest->count;
    for (size_t c = 0; c < contest->num_cells; c++) {
        const struct keyed_cell *cell = &contest->cells[c];
        if ((c + 1) * contest->count <= first)
            continue;
        if (c * contest->count >= first) {
            begin_step(progress, c * contest->count, "");
            print_heading(cell, contest->length);
        }
        struct field field = field_of(cell, contest->length);
        for (size_t i = 0; i < contest->count; i++) {
            if (c * contest->count + i < first)
                continue;
            begin_step(progress, c * contest->count + i, contest->who[i].name);
            measure_one(contest, cell, &field, &contest->who[i], progress);
        }
        field_free(&field);
    }
}

/* In the parent, which has no GPU, and no libraries. */
static void lost(const struct progress *progress, const char *why, void *what)
{
    struct contest *contest = what;
    struct contestant who = {.reduces = true};
    snprintf(who.name, sizeof who.name, "%s", progress->name);
    printf("%s: %s\n", who.name, why);
    write_row(contest, &contest->cells[progress->next / progress->in_row], &who, NULL, 0, "failed");
}

int main(int count, char **arguments)
{
    static struct contest contest;
    if (count < 4) {
        fprintf(stderr, "usage: %s OUT.csv LENGTH all|BINS:KEYS,... LIBRARY.so...\n", arguments[0]);
        return 2;
    }
    contest.length = strtoul(arguments[2], NULL, 10);
    contest.num_cells = keyed_cells(arguments[3], contest.cells);
    if (contest.length == 0 || contest.length >= (size_t)1 << 26 || contest.num_cells == 0) {
        fprintf(stderr, "gpu: LENGTH is 1 to 2^26 - 1, and a cell is like 505:zipf\n");
        return 2;
    }
    contest.libraries = arguments + 4;
    contest.num_libraries = count - 4;
    contest.csv = report_open(arguments[1], columns);
    const bool right = supervised(measure_all, lost, &contest, PATIENCE_S);
    fclose(contest.csv);
    return right ? 0 : 1;
}
