/* row.c - runs one chapter once and writes its row of the ladder.
 *
 *     row INPUT CHAPTER NAME OUT.csv
 *
 * INPUT is a file that the program input wrote. In the environment stand the operation (OPERATIONS), the
 * number of bins that was typed (KEY_BINS), the number of devices (SIM_DEVICES), where a contract has
 * them. OUT.csv gets a header and one row: who ran on what, the counters, and the contract's columns;
 * docs/results/README.md and the ladder say what they mean. Why a result is wrong goes to standard
 * error; the status is 0 then, too, since the row says so. */
#include <inttypes.h>
#include <stdio.h>

#include "contract.h"
#include "ladder_row.h"
#include "run.h"

static void print_columns(FILE *file, const void *context)
{
    const struct run *run = context;
    for (const struct count *column = contract.columns; column->what; column++) {
        fputc(',', file);
        if (column->print)
            column->print(file, &run->input, &run->cost);
        else
            fprintf(file, "%" PRIu64, count_of(column, &run->cost));
    }
}

/* ",operation,passes" */
static void name_columns(char *names, size_t size)
{
    size_t used = 0;
    for (const struct count *column = contract.columns; column->what; column++)
        used += (size_t)snprintf(names + used, size - used, ",%s", column->what);
}

static void run_and_write(struct ladder_row *row, struct run *run)
{
    char bins[32], more[512] = "";
    snprintf(bins, sizeof bins, "%zu", run->input.num_bins);
    row->bins = contract.has_bins ? bins : NULL;
    row->input = run->called;
    row->length = run->input.length;
    name_columns(more, sizeof more);
    row->more = more;
    row_write(row, &run->cost.counters, print_columns, run); /* stays when the program is ended */
    run_kernel(run);
    row_judge(row, run->finished, run->error, run->right, run->why);
    row_write(row, &run->cost.counters, print_columns, run);
}

int main(int count, char **arguments)
{
    if (count != 5) {
        fprintf(stderr, "usage: %s INPUT CHAPTER NAME OUT.csv\n", arguments[0]);
        return 2;
    }
    static struct run run;
    struct ladder_row row = {.file = arguments[4], .chapter = arguments[2], .name = arguments[3]};
    run.file = arguments[1];
    if (contract.has_operation) /* its attempts depend on the schedule */
        sim_schedule_by_clock(true);
    if (!run_begin(arguments)) {
        run_kernel(&run);
        run_end();
        return 0;
    }
    run.input = input_read(run.file, run.called, sizeof run.called);
    run_and_write(&row, &run);
    run_end();
    input_free(&run.input);
    return 0;
}
