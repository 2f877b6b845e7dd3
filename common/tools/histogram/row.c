/* row.c - runs one chapter once and writes its row of the ladder.
 *
 *     row TEXT CHAPTER NAME OUT.csv
 *
 * TEXT is a file that input wrote; its name stands in TEXT.name. OUT.csv gets a
 * header and one row: the columns of build/ladder.csv, and after them the atomics
 * by threads, which the table shows, and the time that an H200 would take, with what
 * predict.h needs for it. Why a result is wrong goes to standard error; the status
 * is 0 then, too, since the row says so. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "binning.h"
#include "verify.h"
#include "measure.h"
#include "predict.h"
#include "text.h"

/* What a row says of the run. */
struct row {
    const char *chapter, *name;
    const struct text *text;
    bool correct;
    struct measurement cost;
};

static void print_header(FILE *file)
{
    fprintf(file, "chapter,name,bins,input,length,correct");
    for (size_t i = 0; i < sim_metric_count(); i++)
        fprintf(file, ",%s", sim_metric(i).name);
    fprintf(file, ",blocks,threads_per_block,global_atomics,atomics_on_bins,shared_atomics"
                  ",votes,atomic_stripes,busiest_stripe,predicted_ms\n");
}

/* A name as a field of a CSV file: without what would end the field. */
static void print_name(FILE *file, const char *name)
{
    for (; *name; name++)
        fputc(*name == ',' || *name == '"' || *name == '\n' ? '_' : *name, file);
}

/* Milliseconds on an H200; 0 when the counters do not tell. */
static double predicted(const struct row *row)
{
    const struct measurement *cost = &row->cost;
    struct predict_work work = {.counters = cost->counters,
                                .blocks = cost->blocks,
                                .threads_per_block = cost->threads_per_block,
                                .bins = NUM_BINS,
                                .text_bytes = row->text->length,
                                .atomic_stripes = cost->atomic_stripes,
                                .busiest_stripe = cost->busiest_stripe,
                                .bins_in_turn = cost->bins_in_turn,
                                .busiest_of_bins = cost->busiest_of_bins,
                                .runs = cost->reading.runs,
                                .atomics = cost->bins.atomic.lanes + cost->elsewhere.atomic.lanes +
                                           cost->shared.atomic.lanes};
    return predict_doubt(&work) ? 0 : predict(&work).total;
}

static void print_row(FILE *file, const struct row *row)
{
    const struct measurement *cost = &row->cost;
    fprintf(file, "%s,%s,%d,", row->chapter, row->name, (int)NUM_BINS);
    print_name(file, row->text->name);
    fprintf(file, ",%zu,%s", row->text->length, row->correct ? "yes" : "no");
    for (size_t i = 0; i < sim_metric_count(); i++)
        fprintf(file, ",%llu", (unsigned long long)sim_metric_value(&cost->counters, i));
    fprintf(file, ",%llu,%llu", (unsigned long long)cost->blocks,
            (unsigned long long)cost->threads_per_block);
    fprintf(file, ",%llu,%llu,%llu",
            (unsigned long long)(cost->bins.atomic.lanes + cost->elsewhere.atomic.lanes),
            (unsigned long long)cost->bins.atomic.lanes,
            (unsigned long long)cost->shared.atomic.lanes);
    fprintf(file, ",%llu,%llu,%llu,%.5f\n", (unsigned long long)cost->counters.votes,
            (unsigned long long)cost->atomic_stripes, (unsigned long long)cost->busiest_stripe,
            predicted(row));
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
static void run(struct row *row)
{
    unsigned int bins[NUM_BINS];
    char error[256], explanation[1024];
    if (!measure_run(row->text, 0, &row->cost, bins, error, sizeof error)) {
        fprintf(stderr, "chapter %s stopped: %s\n", row->chapter, error);
        return;
    }
    struct verify_result check = {.input = row->text->name,
                                  .text = row->text->bytes,
                                  .length = row->text->length,
                                  .counted = bins,
                                  .blocks = (unsigned int)row->cost.blocks,
                                  .threads_per_block = (unsigned int)row->cost.threads_per_block,
                                  .reported = sim_error_count() > 0};
    row->correct = verify_is_right(&check, explanation, sizeof explanation);
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
        fprintf(stderr, "usage: %s TEXT CHAPTER NAME OUT.csv\n", arguments[0]);
        return 2;
    }
    struct text text = text_read_input(arguments[1]);
    struct row row = {.chapter = arguments[2], .name = arguments[3], .text = &text};
    write_row(arguments[4], &row); /* stays when histogram() ends the program */
    run(&row);
    write_row(arguments[4], &row);
    text_free(&text);
    return 0;
}
