/* reduce_times.c - times the chapters that reduce an array, next to what they are measured against.
 *
 *     reduce_times OUT.csv SIZE,... LIBRARY.so...
 *
 * A SIZE is in bytes, like 50000000, 64K or 4G, or in values, like 16Mv. The operation is the one that the program was compiled
 * for. A LIBRARY.so holds one chapter's reduce(), or the libraries of rivals.h: contest.h says how. For
 * every size reading alone, the libraries and all chapters run on the same values. Prints a table, and
 * appends rows to OUT.csv.
 *
 * What is timed is the call of reduce(), with all that it allocates and launches, queued back to back:
 * queue.h says how. Each run reads another copy of the values, of which there are at least two and
 * 512 MiB in all: data come from memory, however few they are, and not from the L2 cache. Each run has
 * a result of its own; those of the last queue are all compared with an independent one, and how many
 * different ones there are is counted. Reading alone is the fastest of several shapes (read_shapes.h).
 *
 * A chapter that crashes or never ends is told, and the others go on. A wrong result is told, too, and has
 * NO in its row; of a chapter it makes the status 1, of a library it does not. */
#define _GNU_SOURCE
#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contest.h"
#include "errors.h"
#include "grouped.h"
#include "queue.h"
#include "read_shapes.h"
#include "results.h"
#include "rotation.h"
#include "row_file.h"
#include "supervised.h"
#include "values.h"

enum { MOST_SIZES = 32, PATIENCE_S = 30, WARM_UPS = 3 };
enum { REPETITIONS = 15, FEW = 5, TO_CHOOSE = 3 };
static const double long_ms = 10, very_long_ms = 400;

static const char columns[] = "operation,implementation,bytes,length,median_ms,min_ms,max_ms,runs,"
                              "queued,correct,results,error,shape";

struct task {
    struct contest contest;
    size_t sizes[MOST_SIZES], num_sizes;
    char **libraries;
    int num_libraries;
    FILE *csv;
};

/* Values and results of one size on the device. */
struct field {
    struct rotation values;
    struct results results;
    struct truth truth;
    size_t length;
};

/* All that one run needs: who, on what, and which turn it is. */
struct entry {
    const struct contestant *who;
    struct field *field;
    size_t turn;
    int shape; /* of who only reads */
};

/* What a row says. */
struct outcome {
    struct gpu_times times;
    struct verdict verdict;
    int shape;
};

/* A gpu_run of an entry. */
static void run_once(void *what)
{
    struct entry *entry = what;
    const unsigned char *values = rotation_next(&entry->field->values);
    value_t *result = result_of_run(&entry->field->results, entry->turn++);
    if (entry->who->run)
        entry->who->run((const value_t *)(const void *)values, entry->field->length, result);
    else
        read_in_shape(entry->shape, values, entry->field->length * sizeof(value_t),
                      (unsigned int *)(void *)result);
}

/* The next run is the first of so many. */
static void afresh(void *what, int runs)
{
    struct entry *entry = what;
    (void)runs;
    results_spoil(&entry->field->results);
    entry->turn = 0;
}

/* Returns false when the device has not that much memory. */
static bool field_of(struct field *field, size_t bytes)
{
    *field = (struct field){.length = bytes / sizeof(value_t)};
    field->values = rotation_room(field->length * sizeof(value_t));
    if (!field->values.first)
        return false;
    value_t *first = (value_t *)(void *)field->values.first;
    values_fill(first, field->length, DENSE);
    field->truth = truth_of(first, field->length);
    rotation_repeat(&field->values);
    field->results = results_room();
    return true;
}

static void field_free(struct field *field)
{
    rotation_free(&field->values);
    results_free(&field->results);
}

static struct gpu_times time_it(struct entry *entry, int most)
{
    afresh(entry, WARM_UPS);
    const double ms = queue_warm_up(run_once, entry);
    const int repetitions = ms < long_ms ? most : ms < very_long_ms ? FEW : 0;
    struct gpu_times times = {.run = {ms, ms, ms}, .repetitions = 1, .queued = 1};
    if (repetitions > 0) // or that one run has to do
        times = queue_time_afresh(run_once, afresh, entry, ms, repetitions);
    return times;
}

/* Of all shapes, the one that is fastest here. */
static int fastest_shape(struct entry *entry)
{
    double least = 0;
    int best = 0;
    for (entry->shape = 0; entry->shape < READ_SHAPES; entry->shape++) {
        const double ms = time_it(entry, TO_CHOOSE).run.median;
        if (entry->shape == 0 || ms < least) {
            least = ms;
            best = entry->shape;
        }
    }
    return best;
}

static void print_heading(size_t bytes)
{
    printf("\n%s, %s bytes in %s values: queued back to back, median of the repetitions\n\n",
           OPERATION_NAME, grouped(bytes), grouped(bytes / sizeof(value_t)));
    printf("%-24s %10s %10s %10s %9s %10s %6s %8s\n", "implementation", "ms", "least", "most",
           "GB/s", "% reading", "right", "results");
    fflush(stdout);
}

/* Without an outcome the fields are dashes, and `answer` is "left out" or "failed". */
static void write_row(const struct task *task, size_t bytes, const struct contestant *who,
                      const struct outcome *outcome, const char *answer)
{
    fprintf(task->csv, "%s,%s,%zu,%zu,", OPERATION_NAME, who->name, bytes, bytes / sizeof(value_t));
    if (!outcome) {
        fprintf(task->csv, "-,-,-,0,0,%s,-,-,-\n", answer);
    } else {
        const struct gpu_times *times = &outcome->times;
        fprintf(task->csv, "%.5f,%.5f,%.5f,%d,%d,%s,", times->run.median, times->run.low,
                times->run.high, times->repetitions, times->queued, answer);
        if (who->run)
            fprintf(task->csv, "%zu,%.3g,-\n", outcome->verdict.different, outcome->verdict.error);
        else
            fprintf(task->csv, "-,-,%s\n", read_shape_name(outcome->shape));
    }
    fflush(task->csv);
}

static void print_row(size_t bytes, const struct contestant *who, const struct outcome *outcome,
                      double reading, const char *answer)
{
    const struct gpu_times *times = &outcome->times;
    const double median = times->run.median;
    printf("%-24s %10.5f %10.5f %10.5f %9.1f %10.1f %6s", who->name, median, times->run.low,
           times->run.high, (double)bytes / median * 1e-6, 100 * reading / median, answer);
    if (who->run)
        printf(" %8zu%s\n", outcome->verdict.different,
               times->queued ? "" : " waits for the GPU itself: not queued");
    else
        printf("  %s\n", read_shape_name(outcome->shape));
    fflush(stdout);
}

/* How many runs left a result that is still there. */
static size_t runs_seen(const struct gpu_times *times)
{
    return times->queued > 0 ? (size_t)times->queued : 1;
}

static void measure_one(const struct task *task, size_t bytes, struct field *field,
                        const struct contestant *who, struct progress *progress)
{
    struct entry entry = {.who = who, .field = field};
    struct outcome outcome = {.shape = who->run ? 0 : fastest_shape(&entry)};
    const char *answer = "-";
    entry.shape = outcome.shape;
    outcome.times = time_it(&entry, REPETITIONS);
    if (who->run) {
        outcome.verdict =
            results_verdict(&field->results, runs_seen(&outcome.times), &field->truth);
        answer = outcome.verdict.wrong > 0 ? "NO" : "yes";
    } else {
        progress->kept = outcome.times.run.median;
    }
    if (outcome.verdict.wrong > 0) {
        progress->anything_wrong = progress->anything_wrong || !who->is_library;
        fprintf(stderr, "%s, %s, %s bytes: %s of %s results are wrong: %s%s\n", who->name,
                OPERATION_NAME, grouped(bytes), grouped(outcome.verdict.wrong),
                grouped(runs_seen(&outcome.times)),
                what_is_wrong(&field->truth, outcome.verdict.first_wrong),
                who->is_library ? " (a mistake of the library's own)" : "");
    }
    write_row(task, bytes, who, &outcome, answer);
    print_row(bytes, who, &outcome, progress->kept, answer);
}

/* One size; of the steps those from `first` on. */
static void measure_size(struct progress *progress, const struct task *task, size_t size,
                         size_t first)
{
    const size_t bytes = task->sizes[size], count = task->contest.count;
    struct field field;
    if (size * count >= first) {
        begin_step(progress, size * count, "");
        print_heading(bytes);
    }
    const bool fits = field_of(&field, bytes);
    for (size_t i = 0; i < count; i++) {
        const struct contestant *who = &task->contest.who[i];
        if (size * count + i < first)
            continue;
        begin_step(progress, size * count + i, who->name);
        if (fits) {
            measure_one(task, bytes, &field, who, progress);
        } else {
            printf("%-24s left out: the GPU has not %s bytes of memory free\n", who->name,
                   grouped(field.values.count * field.values.stride));
            write_row(task, bytes, who, NULL, "left out");
        }
    }
    if (fits)
        field_free(&field);
}

/* In the child: the steps are the rows, and those before progress->next are done. */
static void measure_all(struct progress *progress, void *what)
{
    struct task *task = what;
    const size_t first = progress->next;
    contest_add(&task->contest, "read only", NULL, false);
    contest_add_libraries(&task->contest, task->libraries, task->num_libraries);
    progress->in_row = task->contest.count;
    for (size_t size = 0; size < task->num_sizes; size++)
        if ((size + 1) * task->contest.count > first)
            measure_size(progress, task, size, first);
}

/* In the parent, which has no GPU, and no libraries. */
static void lost(const struct progress *progress, const char *why, void *what)
{
    const struct task *task = what;
    struct contestant who = {.run = NULL};
    snprintf(who.name, sizeof who.name, "%s", progress->name);
    printf("%s: %s\n", who.name, why);
    write_row(task, task->sizes[progress->next / progress->in_row], &who, NULL, "failed");
}

/* "50000000", "64K", "1Mv": in bytes; 0 for what is no number, or cannot be an array of values. */
static size_t size_named(const char *name)
{
    static const char units[] = "KMG";
    char *end;
    size_t size = strtoul(name, &end, 10);
    const bool is_number = end > name && name[0] != '-' && size < (size_t)1 << 40;
    const char *unit = *end ? strchr(units, *end) : NULL;
    if (unit && size <= 1 << 20) {
        size <<= 10 * (unit - units + 1);
        end++;
    }
    if (*end == 'v') {
        size *= sizeof(value_t);
        end++;
    }
    return is_number && *end == '\0' && size / sizeof(value_t) < (size_t)1 << 32 ? size : 0;
}

static size_t sizes_named(char *list, size_t *sizes)
{
    size_t count = 0;
    for (char *name; (name = strsep(&list, ","));) {
        const size_t size = count < MOST_SIZES ? size_named(name) : 0;
        if (size < sizeof(value_t))
            return 0;
        sizes[count++] = size / sizeof(value_t) * sizeof(value_t);
    }
    return count;
}

int main(int count, char **arguments)
{
    static struct task task;
    if (count < 3 || (task.num_sizes = sizes_named(arguments[2], task.sizes)) == 0) {
        fprintf(stderr,
                "usage: %s OUT.csv SIZE,... LIBRARY.so...\n"
                "A SIZE is a number of bytes, like 50000000, 64K or 4G, or of values, like 16Mv.\n",
                arguments[0]);
        return 2;
    }
    task.libraries = arguments + 3;
    task.num_libraries = count - 3;
    task.csv = report_open(arguments[1], columns);
    const bool right = supervised(measure_all, lost, &task, PATIENCE_S);
    fclose(task.csv);
    return right ? 0 : 1;
}
