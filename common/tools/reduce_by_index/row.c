/* row.c - runs one chapter once and writes its row of the ladder.
 *
 *     row KEYS CHAPTER NAME OUT.csv
 *
 * KEYS is a file that input wrote; OPERATIONS and KEY_BINS in the environment say the operation and
 * the number of bins. OUT.csv gets a header and one row; what its columns mean, docs/results/README.md
 * and the ladder say. Why a result is wrong goes to standard error; the status is 0 then, too, since
 * the row says so. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "keyed_call.h"
#include "operations.h"

enum { MESSAGE = 1024, ERROR = 256 };

/* What a row says of the run. */
struct row {
    const char *chapter, *name;
    enum keys keys;
    size_t length, num_bins, element_bytes;
    bool correct;
    struct measurement cost;
};

static void print_header(FILE *file)
{
    fprintf(file, "chapter,name,bins,input,length,correct");
    for (size_t i = 0; i < sim_metric_count(); i++)
        fprintf(file, ",%s", sim_metric(i).name);
    fprintf(file, ",operation,passes,attempts,locks,copies,most_meeting,global_atomics"
                  ",atomics_on_bins,shared_atomics,votes,blocks,threads_per_block\n");
}

static uint64_t larger(uint64_t one, uint64_t other)
{
    return one > other ? one : other;
}

static void print_row(FILE *file, const struct row *row)
{
    const struct measurement *cost = &row->cost;
    const double elements = (double)row->length * (double)row->element_bytes;
    const uint64_t touched = cost->elsewhere.addresses + cost->shared.addresses;
    fprintf(file, "%s,%s,%zu,%s,%zu,%s", row->chapter, row->name, row->num_bins,
            keys_description(row->keys), row->length, row->correct ? "yes" : "no");
    for (size_t i = 0; i < sim_metric_count(); i++)
        fprintf(file, ",%" PRIu64, sim_metric_value(&cost->counters, i));
    fprintf(file, ",%s,%.10g", operation_name(operation_now()),
            (double)cost->bytes_read / (elements > 0 ? elements : 1));
    fprintf(file, ",%" PRIu64 ",%" PRIu64 ",%.4g,%" PRIu64, cost->updates.attempts,
            cost->updates.locks, (double)touched / (double)(row->num_bins > 0 ? row->num_bins : 1),
            larger(cost->bins.most_meeting,
                   larger(cost->elsewhere.most_meeting, cost->shared.most_meeting)));
    fprintf(file, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 "\n",
            cost->bins.atomic.lanes + cost->elsewhere.atomic.lanes, cost->bins.atomic.lanes,
            cost->shared.atomic.lanes, cost->counters.votes, cost->blocks, cost->threads_per_block);
}

static void write_row(const char *name, const struct row *row)
{
    FILE *file = fopen(name, "w");
    if (!file) {
        fprintf(stderr, "cannot write %s\n", name);
        exit(1);
    }
    print_header(file);
    print_row(file, row);
    fclose(file);
}

/* Runs the chapter and compares; says on standard error what is wrong. */
static void run(struct row *row, const struct keyed_call *made)
{
    char error[ERROR], explanation[MESSAGE];
    if (!measure_run(&made->call, &row->cost, error, sizeof error)) {
        fprintf(stderr, "chapter %s stopped: %s\n", row->chapter, error);
        return;
    }
    row->correct = keyed_call_is_right(made, explanation, sizeof explanation);
    if (!row->correct)
        fprintf(stderr, "chapter %s: %s\n", row->chapter, explanation);
    if (row->correct && sim_error_count() > 0) {
        row->correct = false;
        fprintf(stderr, "chapter %s: right this time, but see the report above\n", row->chapter);
    }
}

int main(int count, char **arguments)
{
    if (count != 5) {
        fprintf(stderr, "usage: %s KEYS CHAPTER NAME OUT.csv\n", arguments[0]);
        return 2;
    }
    const struct key_kind kind = key_kind_read(arguments[1]);
    struct keyed_call made = keyed_call_of(&kind, 0);
    struct row row = {.chapter = arguments[2],
                      .name = arguments[3],
                      .keys = kind.keys,
                      .length = made.input.length,
                      .num_bins = made.input.num_bins,
                      .element_bytes = operation_element_bytes(operation_now())};
    write_row(arguments[4], &row); /* stays when reduce_by_index() ends the program */
    run(&row, &made);
    write_row(arguments[4], &row);
    keyed_call_free(&made);
    return 0;
}
