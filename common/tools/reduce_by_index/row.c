/* row.c - runs one chapter once and writes its row of the ladder.
 *
 *     row KEYS CHAPTER NAME OUT.csv
 *     row --updates KEYS
 *
 * KEYS is a file that input wrote; OPERATIONS and KEY_BINS in the environment say the operation and
 * the number of bins. OUT.csv gets a header and one row; what its columns mean, docs/results/README.md
 * and the ladder say. Why a result is wrong goes to standard error; the status is 0 then, too, since
 * the row says so.
 *
 * How bins are updated is seen by another observer than the rest, so the program starts itself for
 * it: with --updates it prints attempts and locks. */
#define _POSIX_C_SOURCE 200809L
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "keyed_call.h"
#include "operations.h"
#include "reduce_by_index.h"
#include "target.h"
#include "updates.h"

enum { MESSAGE = 1024, ERROR = 256 };

/* What a row says of the run. */
struct row {
    const char *chapter, *name;
    enum keys keys;
    size_t length, num_bins, element_bytes;
    bool correct;
    struct measurement cost;
    struct updates updates;
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
    fprintf(file, ",%" PRIu64 ",%" PRIu64 ",%.4g,%" PRIu64, row->updates.attempts,
            row->updates.locks, (double)touched / (double)(row->num_bins > 0 ? row->num_bins : 1),
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

/* Runs the chapter once more, in a process of its own, whose launches no profile counts. Nothing is
 * known of one that does not end well: then the row says that it is wrong. */
static struct updates updates_of(const char *keys)
{
    struct updates updates = {0, 0, 0};
    int ends[2];
    if (pipe(ends) != 0)
        return updates;
    const pid_t pid = fork();
    if (pid == 0) {
        unsetenv("SIM_PROFILE");
        setenv("SIM_CHECKS", "none", 1);
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        execl("/proc/self/exe", "row", "--updates", keys, (char *)NULL);
        _exit(1);
    }
    close(ends[1]);
    FILE *said = fdopen(ends[0], "r");
    if (!said || fscanf(said, "%" SCNu64 " %" SCNu64, &updates.attempts, &updates.locks) != 2)
        updates = (struct updates){0, 0, 0};
    if (said)
        fclose(said);
    if (pid > 0)
        waitpid(pid, NULL, 0);
    return updates;
}

static int print_updates(const char *keys)
{
    const struct key_kind kind = key_kind_read(keys);
    struct keyed_call made = keyed_call_of(&kind, 0);
    char error[ERROR];
    updates_watch();
    reduce_by_index((const element_t *)(uintptr_t)made.call.elements, made.call.length,
                    (bin_t *)(uintptr_t)made.call.bins, made.call.num_bins);
    const bool finished = target_finish(error, sizeof error);
    const struct updates updates = updates_end();
    if (finished)
        printf("%" PRIu64 " %" PRIu64 "\n", updates.attempts, updates.locks);
    keyed_call_free(&made);
    return finished ? 0 : 1;
}

/* Runs the chapter and compares; says on standard error what is wrong. */
static void run(struct row *row, const char *keys, const struct keyed_call *made)
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
    if (row->correct)
        row->updates = updates_of(keys);
}

int main(int count, char **arguments)
{
    if (count == 3 && strcmp(arguments[1], "--updates") == 0)
        return print_updates(arguments[2]);
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
    run(&row, arguments[1], &made);
    write_row(arguments[4], &row);
    keyed_call_free(&made);
    return 0;
}
