/* row.c - runs one chapter once and writes its row of the ladder.
 *
 *     row TEXT CHAPTER NAME OUT.csv
 *
 * TEXT is a file that input wrote; its name stands in TEXT.name. OUT.csv gets a
 * header and one row: the columns of build/ladder.csv, and after them the atomics
 * by threads, which the table shows, and the time that an H200 would take, with what
 * predict.h needs for it. Why a result is wrong goes to standard error; the status
 * is 0 then, too, since the row says so. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "binning.h"
#include "verify.h"
#include "measure.h"
#include "placed.h"
#include "predict.h"
#include "ladder_row.h"
#include "text.h"
#include "text_input.h"

static const char more_columns[] =
    ",blocks,threads_per_block,global_atomics,atomics_on_bins,shared_atomics,votes,atomic_stripes"
    ",busiest_stripe,predicted_ms";

/* What a row says of the run beyond ladder_row.h. */
struct cost {
    const struct text *text;
    struct measurement of;
};

/* Milliseconds on an H200; 0 when the counters do not tell. */
static double predicted(const struct text *text, const struct measurement *cost)
{
    struct predict_work work = {.counters = cost->counters,
                                .blocks = cost->blocks,
                                .threads_per_block = cost->threads_per_block,
                                .bins = NUM_BINS,
                                .text_bytes = text->length,
                                .atomic_stripes = cost->atomic_stripes,
                                .busiest_stripe = cost->busiest_stripe,
                                .bins_in_turn = cost->bins_in_turn,
                                .busiest_of_bins = cost->busiest_of_bins,
                                .runs = cost->reading.runs,
                                .atomics = cost->bins.atomic.lanes + cost->elsewhere.atomic.lanes +
                                           cost->shared.atomic.lanes};
    return predict_doubt(&work) ? 0 : predict(&work).total;
}

static void print_cost(FILE *file, const void *context)
{
    const struct cost *row = context;
    const struct measurement *cost = &row->of;
    fprintf(file, ",%" PRIu64 ",%" PRIu64, cost->blocks, cost->threads_per_block);
    fprintf(file, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64,
            cost->bins.atomic.lanes + cost->elsewhere.atomic.lanes, cost->bins.atomic.lanes,
            cost->shared.atomic.lanes);
    fprintf(file, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%.5f", cost->counters.votes,
            cost->atomic_stripes, cost->busiest_stripe, predicted(row->text, cost));
}

/* Runs the chapter and compares; says on standard error what is wrong. */
static void run(struct ladder_row *row, struct cost *cost)
{
    unsigned int bins[NUM_BINS];
    char error[256], explanation[1024] = "";
    const struct input input =
        input_of_text(cost->text->name, cost->text->bytes, cost->text->length, 0);
    struct placed placed = place(&input);
    place_output(&placed);
    const bool finished = measure_run(&placed.call, &cost->of, error, sizeof error);
    unsigned char *held = place_read(&placed);
    memcpy(bins, held, sizeof bins);
    free(held);
    struct verify_result check = {.input = cost->text->name,
                                  .text = cost->text->bytes,
                                  .length = cost->text->length,
                                  .counted = bins,
                                  .blocks = (unsigned int)cost->of.blocks,
                                  .threads_per_block = (unsigned int)cost->of.threads_per_block,
                                  .reported = sim_error_count() > 0};
    row_judge(row, finished, error,
              finished && verify_is_right(&check, explanation, sizeof explanation), explanation);
    place_free(&placed);
}

int main(int count, char **arguments)
{
    if (count != 5) {
        fprintf(stderr, "usage: %s TEXT CHAPTER NAME OUT.csv\n", arguments[0]);
        return 2;
    }
    struct text text = text_read_input(arguments[1]);
    char bins[16];
    snprintf(bins, sizeof bins, "%d", (int)NUM_BINS);
    struct ladder_row row = {.file = arguments[4],
                             .chapter = arguments[2],
                             .name = arguments[3],
                             .bins = bins,
                             .input = text.name,
                             .length = text.length,
                             .more = more_columns};
    struct cost cost = {.text = &text};
    row_write(&row, &cost.of.counters, print_cost,
              &cost); /* stays when histogram() ends the program */
    run(&row, &cost);
    row_write(&row, &cost.of.counters, print_cost, &cost);
    text_free(&text);
    return 0;
}
