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

#include "keyed_call.h"
#include "operations.h"
#include "ladder_row.h"

enum { MESSAGE = 1024, ERROR = 256 };

static const char more_columns[] =
    ",operation,passes,attempts,locks,copies,most_meeting,global_atomics,atomics_on_bins"
    ",shared_atomics,votes,blocks,threads_per_block";

/* What a row says of the run beyond ladder_row.h. */
struct cost {
    size_t num_bins;
    double elements; /* bytes of all */
    struct measurement of;
};

static uint64_t larger(uint64_t one, uint64_t other)
{
    return one > other ? one : other;
}

static void print_cost(FILE *file, const void *context)
{
    const struct cost *row = context;
    const struct measurement *cost = &row->of;
    const uint64_t touched = cost->elsewhere.addresses + cost->shared.addresses;
    fprintf(file, ",%s,%.10g", operation_name(operation_now()),
            (double)cost->bytes_read / (row->elements > 0 ? row->elements : 1));
    fprintf(file, ",%" PRIu64 ",%" PRIu64 ",%.4g,%" PRIu64, cost->updates.attempts,
            cost->updates.locks, (double)touched / (double)(row->num_bins > 0 ? row->num_bins : 1),
            larger(cost->bins.most_meeting,
                   larger(cost->elsewhere.most_meeting, cost->shared.most_meeting)));
    fprintf(file, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64,
            cost->bins.atomic.lanes + cost->elsewhere.atomic.lanes, cost->bins.atomic.lanes,
            cost->shared.atomic.lanes, cost->counters.votes, cost->blocks, cost->threads_per_block);
}

/* Runs the chapter and compares; says on standard error what is wrong. */
static void run(struct ladder_row *row, struct cost *cost, const struct keyed_call *made)
{
    char error[ERROR], explanation[MESSAGE] = "";
    const bool finished = measure_run(&made->placed.call, &cost->of, error, sizeof error);
    row_judge(row, finished, error,
              finished && keyed_call_is_right(made, explanation, sizeof explanation), explanation);
}

int main(int count, char **arguments)
{
    if (count != 5) {
        fprintf(stderr, "usage: %s KEYS CHAPTER NAME OUT.csv\n", arguments[0]);
        return 2;
    }
    const struct key_kind kind = key_kind_read(arguments[1]);
    struct keyed_call made;
    keyed_call_make(&made, &kind, 0);
    char bins[32];
    snprintf(bins, sizeof bins, "%zu", made.input.num_bins);
    struct ladder_row row = {.file = arguments[4],
                             .chapter = arguments[2],
                             .name = arguments[3],
                             .bins = bins,
                             .input = keys_description(kind.keys),
                             .length = made.input.length,
                             .more = more_columns};
    struct cost cost = {.num_bins = made.input.num_bins,
                        .elements = (double)made.input.length *
                                    (double)operation_element_bytes(operation_now())};
    /* It stays when reduce_by_index() ends the program. */
    row_write(&row, &cost.of.counters, print_cost, &cost);
    run(&row, &cost, &made);
    row_write(&row, &cost.of.counters, print_cost, &cost);
    keyed_call_free(&made);
    return 0;
}
