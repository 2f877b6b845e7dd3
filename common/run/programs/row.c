/* row.c - runs one chapter once and writes its row of the ladder.
 *
 *     row INPUT CHAPTER NAME OUT.csv
 *
 * INPUT is a file that the program input wrote. In the environment stand the operation (OPERATIONS), the
 * number of bins that was typed (KEY_BINS), the number of devices (SIM_DEVICES), where a contract has
 * them. OUT.csv gets a header and one row: who ran on what, the counters, and the contract's columns;
 * docs/results/README.md and the ladder say what they mean. A contract with operations runs by the clock
 * (docs/simulator.md), unless SIM_SCHEDULE says otherwise, and has one column more, the predicted time. Why
 * a result is wrong goes to standard error; the status is 0 then, too, since the row says so. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cards.h"
#include "contract.h"
#include "run.h"
#include "to_run.h"

/* Whose row it is, and where it goes. */
struct row {
    const char *file, *chapter, *name;
    bool correct;
};

/* Only a run by the clock tells how often threads try in vain on a card. The counters of a text do not depend on
 * the order. */
static void choose_schedule(void)
{
    const char *schedule = getenv("SIM_SCHEDULE");
    if (kernel_to_run()->contract->has_operation && (!schedule || !*schedule))
        sim_schedule_by_clock(1);
}

/* A run by the clock predicts the time of an H200. For a text the counters do, by a formula. */
static bool is_timed(const struct run *run)
{
    return sim_card_is_measured(sim_card_chosen()) && kernel_to_run()->contract->has_operation &&
           run->cost.counters.picoseconds > 0;
}

static void print_header(FILE *file, const struct run *run)
{
    fprintf(file, "chapter,name,%sinput,length,correct",
            kernel_to_run()->contract->has_bins ? "bins," : "");
    for (size_t i = 0; i < sim_metric_count(); i++)
        fprintf(file, ",%s", sim_metric(i).name);
    for (const struct count *column = contract_columns(kernel_to_run()->contract); column->what;
         column++)
        fprintf(file, ",%s", column->what);
    fprintf(file, "%s\n", is_timed(run) ? ",predicted_ms" : "");
}

/* A name as a field of a CSV file: without what would end the field. */
static void print_name(FILE *file, const char *name)
{
    for (; *name; name++)
        fputc(*name == ',' || *name == '"' || *name == '\n' ? '_' : *name, file);
}

static void print_columns(FILE *file, const struct run *run)
{
    for (size_t i = 0; i < sim_metric_count(); i++)
        fprintf(file, ",%" PRIu64, sim_metric_value(&run->cost.counters, i));
    for (const struct count *column = contract_columns(kernel_to_run()->contract); column->what;
         column++) {
        fputc(',', file);
        if (column->print)
            column->print(file, &run->input, &run->cost);
        else
            fprintf(file, "%" PRIu64, count_of(column, &run->cost));
    }
    if (is_timed(run))
        fprintf(file, ",%.5f",
                run->finished && run->right
                    ? clocked_ms(run->cost.counters.launches, run->cost.counters.picoseconds)
                    : 0); /* the time of a wrong kernel says nothing */
}

__attribute__((noreturn)) static void cannot_write(const char *file)
{
    fprintf(stderr, "cannot write %s: %s\n", file, strerror(errno));
    exit(1);
}

static void write_row(const struct row *row, const struct run *run)
{
    FILE *file = fopen(row->file, "w");
    if (!file)
        cannot_write(row->file);
    print_header(file, run);
    fprintf(file, "%s,%s,", row->chapter, row->name);
    if (kernel_to_run()->contract->has_bins)
        fprintf(file, "%zu,", run->input.num_bins);
    print_name(file, run->called);
    fprintf(file, ",%zu,%s", run->input.length, row->correct ? "yes" : "no");
    print_columns(file, run);
    fprintf(file, "\n");
    if (fclose(file) != 0)
        cannot_write(row->file);
}

/* Says on standard error why a run is not correct: it did not finish, else its result is wrong, else the
 * simulated GPU has reported something. */
static void judge_row(struct row *row, const struct run *run)
{
    const bool reported = sim_error_count() > 0;
    row->correct = run->finished && run->right && !reported;
    if (!run->finished)
        fprintf(stderr, "chapter %s stopped: %s\n", row->chapter, run->error);
    else if (!run->right)
        fprintf(stderr, "chapter %s: %s\n", row->chapter, run->why);
    else if (reported)
        fprintf(stderr, "chapter %s: right this time, but see the report above\n", row->chapter);
}

int main(int count, char **arguments)
{
    if (count != 5) {
        fprintf(stderr, "usage: %s INPUT CHAPTER NAME OUT.csv\n", arguments[0]);
        return 2;
    }
    static struct run run;
    struct row row = {.file = arguments[4], .chapter = arguments[2], .name = arguments[3]};
    run.file = arguments[1];
    choose_schedule();
    if (!run_begin(arguments)) {
        run_kernel(&run);
        run_end();
        return 0;
    }
    run.input = input_read(run.file, 0, run.called, sizeof run.called);
    write_row(&row, &run); /* stays when the program is ended */
    run_kernel(&run);
    judge_row(&row, &run);
    write_row(&row, &run);
    run_end();
    input_free(&run.input);
    return 0;
}
