/* row.c - runs one chapter once and writes its row of the ladder.
 *
 *     row VALUES CHAPTER NAME OUT.csv
 *
 * VALUES is a file that input wrote; OPERATIONS in the environment says the operation. OUT.csv gets a
 * header and one row; what its columns mean, docs/results/README.md and the ladder say. Why a result is
 * wrong goes to standard error; the status is 0 then, too, since the row says so. */
#include <inttypes.h>
#include <stdio.h>

#include "array_call.h"
#include "ladder_row.h"
#include "operations.h"

enum { MESSAGE = 1024, ERROR = 256 };

static const char more_columns[] =
    ",operation,passes,launches,cooperative_launches,grid_barriers,barriers_a_block,shared_words"
    ",bank_conflicts,shuffles,global_atomics,atomics_on_result,shared_atomics,reading_threads,"
    "blocks"
    ",threads_per_block";

/* What a row says of the run beyond ladder_row.h. */
struct cost {
    double bytes; /* of all values */
    struct measurement of;
};

static void print_cost(FILE *file, const void *context)
{
    const struct cost *row = context;
    const struct measurement *cost = &row->of;
    fprintf(file, ",%s,%.10g", operation_name(operation_now()),
            (double)cost->bytes_read / (row->bytes > 0 ? row->bytes : 1));
    const uint64_t numbers[] = {cost->launches,
                                cost->cooperative_launches,
                                cost->grid_barriers,
                                cost->most_barriers,
                                cost->most_words,
                                cost->conflicts,
                                cost->shuffles,
                                cost->result.atomic.lanes + cost->elsewhere.atomic.lanes,
                                cost->result.atomic.lanes,
                                cost->shared.atomic.lanes,
                                cost->threads,
                                cost->blocks,
                                cost->threads_per_block};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        fprintf(file, ",%" PRIu64, numbers[i]);
}

/* Runs the chapter and compares; says on standard error what is wrong. */
static void run(struct ladder_row *row, struct cost *cost, const struct array_call *made)
{
    char error[ERROR], explanation[MESSAGE] = "";
    const bool finished = measure_run(&made->placed.call, &cost->of, error, sizeof error);
    row_judge(row, finished, error,
              finished && array_call_is_right(made, &cost->of, explanation, sizeof explanation),
              explanation);
}

int main(int count, char **arguments)
{
    if (count != 5) {
        fprintf(stderr, "usage: %s VALUES CHAPTER NAME OUT.csv\n", arguments[0]);
        return 2;
    }
    const struct array_kind kind = array_kind_read(arguments[1]);
    struct array_call made;
    array_call_make(&made, &kind, 0);
    char input[64];
    snprintf(input, sizeof input, "values of seed %" PRIu64, kind.seed);
    struct ladder_row row = {.file = arguments[4],
                             .chapter = arguments[2],
                             .name = arguments[3],
                             .input = input,
                             .length = kind.length,
                             .more = more_columns};
    struct cost cost = {.bytes =
                            (double)kind.length * (double)operation_bin_bytes(operation_now())};
    row_write(&row, &cost.of.counters, print_cost,
              &cost); /* stays when reduce() ends the program */
    run(&row, &cost, &made);
    row_write(&row, &cost.of.counters, print_cost, &cost);
    array_call_free(&made);
    return 0;
}
