/* cells.c - lays predicted times beside measured ones: docs/results/h200/prediction.csv.
 *
 *     cells BENCH.csv... -- ROW.csv...
 *
 * BENCH.csv holds times, as make gpu bench leaves them; a ROW.csv one run of a chapter on the
 * simulated GPU, as row.c writes it. Where a chapter, a text and a number of bins have
 * two rows of different lengths, the counters are drawn on in a straight line to the
 * length that was timed. Prints a line for each time that has counters. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csv.h"
#include "predict.h"

enum { MOST_ROWS = 1024, COUNTERS = 12 };

/* What the prediction needs, by the names of the columns of a row. */
static const char *const column_of[COUNTERS] = {
    "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum",
    "smsp__inst_executed_op_shared_atom.sum",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
    "votes",
    "atomic_stripes",
    "busiest_stripe",
    "blocks",
    "threads_per_block",
};

struct row {
    char name[64], input[64]; /* "06_shared", "english" */
    double bins, length, counter[COUNTERS];
};

static void open_or_stop(struct csv *csv, const char *name)
{
    if (csv_open(csv, name))
        return;
    fprintf(stderr, "%s: cannot read it\n", name);
    exit(1);
}

/* Returns false when the chapter's result was wrong: then its counters mean nothing. */
static bool read_row(const char *name, struct row *row)
{
    struct csv table;
    open_or_stop(&table, name);
    if (!csv_next(&table)) {
        fprintf(stderr, "%s: there is no row in it\n", name);
        exit(1);
    }
    snprintf(row->name, sizeof row->name, "%02d_%s", (int)csv_number(&table, "chapter"),
             csv_text(&table, "name"));
    snprintf(row->input, sizeof row->input, "%s", csv_text(&table, "input"));
    row->bins = csv_number(&table, "bins");
    row->length = csv_number(&table, "length");
    for (size_t i = 0; i < COUNTERS; i++)
        row->counter[i] = csv_number(&table, column_of[i]);
    bool correct = strcmp(csv_text(&table, "correct"), "yes") == 0;
    csv_close(&table);
    return correct;
}

static bool is_same(double a, double b)
{
    return fabs(a - b) < 0.5;
}

/* The counters for a text of `wanted->length`. Returns false when there are none. */
static bool find_counters(const struct row *rows, size_t count, struct row *wanted)
{
    const struct row *fit[2] = {NULL, NULL};
    for (size_t i = 0; i < count; i++)
        if (strcmp(rows[i].name, wanted->name) == 0 && strcmp(rows[i].input, wanted->input) == 0 &&
            is_same(rows[i].bins, wanted->bins))
            fit[fit[0] != NULL] = &rows[i];
    if (!fit[0] || wanted->length < fit[0]->length)
        return false;
    if (!fit[1] && !is_same(fit[0]->length, wanted->length))
        return false;
    for (size_t i = 0; i < COUNTERS; i++) {
        wanted->counter[i] = fit[0]->counter[i];
        if (fit[1])
            wanted->counter[i] += (fit[1]->counter[i] - fit[0]->counter[i]) *
                                  (wanted->length - fit[0]->length) /
                                  (fit[1]->length - fit[0]->length);
    }
    return true;
}

static struct predict_work work_of(const struct row *row)
{
    uint64_t c[COUNTERS];
    for (size_t i = 0; i < COUNTERS; i++)
        c[i] = (uint64_t)(row->counter[i] + 0.5);
    struct predict_work work = {.bins = (unsigned int)row->bins,
                                .text_bytes = (uint64_t)row->length,
                                .atomic_stripes = c[8],
                                .busiest_stripe = c[9],
                                .blocks = c[10],
                                .threads_per_block = c[11]};
    work.counters.launches = 1;
    work.counters.votes = c[7];
    work.counters.global[SIM_LOAD] = (struct sim_traffic){.requests = c[0], .sectors = c[1]};
    work.counters.global[SIM_RED].sectors = c[2];
    work.counters.shared[SIM_ATOM] = (struct sim_traffic){.requests = c[3], .wavefronts = c[4]};
    work.counters.shared[SIM_LOAD].wavefronts = c[5];
    work.counters.shared[SIM_STORE].wavefronts = c[6];
    return work;
}

static void print_cell(const struct row *row, double measured, const char *source)
{
    struct predict_work work = work_of(row);
    struct predict_times times = predict(&work);
    double factor = times.total / measured;
    printf("%s,%s,%.0f,%.0f", row->name, row->input, row->bins, row->length);
    for (size_t i = 0; i < COUNTERS; i++)
        printf(",%.0f", row->counter[i]);
    printf(",%.5f,%.5f,%.5f,%.5f,%.5f,%.5f,%.5f,%.2f,%s,%s\n", times.launch, times.bandwidth,
           times.waiting, times.working, times.atomics, times.total, measured, factor,
           factor < 1.5 && factor > 1 / 1.5 ? "yes" : "no", source);
}

static void print_cells(const char *bench, const struct row *rows, size_t count)
{
    struct csv table;
    const char *slash = strrchr(bench, '/');
    open_or_stop(&table, bench);
    while (csv_next(&table)) {
        struct row cell = {.bins = csv_number(&table, "bins"),
                           .length = csv_number(&table, "length")};
        snprintf(cell.name, sizeof cell.name, "%s", csv_text(&table, "implementation"));
        snprintf(cell.input, sizeof cell.input, "%s", csv_text(&table, "input"));
        if (csv_number(&table, "runs") > 0 && find_counters(rows, count, &cell))
            print_cell(&cell, csv_number(&table, "median_ms"), slash ? slash + 1 : bench);
    }
    csv_close(&table);
}

int main(int count, char **arguments)
{
    static struct row rows[MOST_ROWS];
    size_t have = 0;
    int split = 1;
    while (split < count && strcmp(arguments[split], "--") != 0)
        split++;
    if (split + 1 >= count || count - split > MOST_ROWS) {
        fprintf(stderr, "usage: %s BENCH.csv... -- ROW.csv...\n", arguments[0]);
        return 2;
    }
    for (int i = split + 1; i < count; i++)
        have += read_row(arguments[i], &rows[have]);
    printf("implementation,input,bins,length");
    for (size_t i = 0; i < COUNTERS; i++)
        printf(",%s", column_of[i]);
    printf(",launch_ms,bandwidth_ms,waiting_ms,working_ms,atomics_ms,predicted_ms,measured_ms,"
           "factor,within_1.5,measured_in\n");
    for (int i = 1; i < split; i++)
        print_cells(arguments[i], rows, have);
    return 0;
}
