/* The prediction: its constants, how it grows, and every cell that was recorded. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csv.h"
#include "predicted_time.h"

enum { MOST_CELLS = 2048 };
static const double large = 64 << 20; /* bytes: from here on the page states bounds */

struct cell {
    char name[64], input[64], source[64];
    double bins, length, predicted, measured;
    struct predict_work work;
};

static uint64_t count(const struct csv *table, const char *column)
{
    return (uint64_t)strtoull(csv_text(table, column), NULL, 10);
}

static struct cell cell_of(const struct csv *t)
{
    struct cell cell = {.bins = csv_number(t, "bins"),
                        .length = csv_number(t, "length"),
                        .predicted = csv_number(t, "predicted_ms"),
                        .measured = csv_number(t, "measured_ms")};
    snprintf(cell.name, sizeof cell.name, "%s", csv_text(t, "implementation"));
    snprintf(cell.input, sizeof cell.input, "%s", csv_text(t, "input"));
    snprintf(cell.source, sizeof cell.source, "%.63s", csv_text(t, "measured_in"));
    struct predict_work *work = &cell.work;
    work->bins = (unsigned int)cell.bins;
    work->text_bytes = (uint64_t)cell.length;
    work->runs = work->atomics =
        work->text_bytes; /* not recorded: as in a chapter with an atomic each */
    work->blocks = count(t, "blocks");
    work->threads_per_block = count(t, "threads_per_block");
    work->atomic_stripes = count(t, "atomic_stripes");
    work->busiest_stripe = count(t, "busiest_stripe");
    struct sim_counters *c = &work->counters;
    c->launches = 1;
    c->votes = count(t, "votes");
    c->global[SIM_LOAD].requests = count(t, "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum");
    c->global[SIM_LOAD].sectors = count(t, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum");
    c->global[SIM_RED].sectors = count(t, "l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum");
    c->shared[SIM_ATOM].requests = count(t, "smsp__inst_executed_op_shared_atom.sum");
    c->shared[SIM_ATOM].wavefronts =
        count(t, "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum");
    c->shared[SIM_LOAD].wavefronts =
        count(t, "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum");
    c->shared[SIM_STORE].wavefronts =
        count(t, "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum");
    return cell;
}

/* All recorded cells; returns how many. */
static size_t read_cells(struct cell *cells)
{
    static struct csv table;
    size_t have = 0;
    cr_assert(csv_open(&table, "docs/results/h200/prediction.csv"));
    while (csv_next(&table)) {
        cr_assert_lt(have, (size_t)MOST_CELLS);
        cells[have++] = cell_of(&table);
    }
    csv_close(&table);
    cr_assert_gt(have, 100);
    return have;
}

/* What 26 counters a thread cost is arithmetic, and that the simulator does not count. */
static bool computes_much(const struct cell *cell)
{
    return strcmp(cell->name, "07_register") == 0 && cell->work.bins == 26;
}

/* In sorted text of 256 bytes the stripes of the bins take turns, in whatever order the
 * chapter reads; counters of the whole launch do not tell. */
static bool takes_turns(const struct cell *cell)
{
    return strcmp(cell->input, "sorted") == 0 && cell->work.bins == 256 &&
           cell->work.atomic_stripes == 4 && cell->work.counters.shared[SIM_ATOM].requests == 0;
}

/* Copies of 5 bins take little room, and the time follows the slices in which they happen to lie: up
 * to half of it, which is on either side of the bound. */
static bool depends_on_places(const struct cell *cell)
{
    return strcmp(cell->name, "05_privatized_global") == 0 && cell->work.bins == 5;
}

/* Of all bytes few are letters: what chapter 8 and the copies of chapter 5 then do most is to
 * decide that a character has no bin. */
static bool decides_much(const struct cell *cell)
{
    return strcmp(cell->input, "bytes") == 0 && cell->work.bins < 256;
}

static bool is_known_miss(const struct cell *cell)
{
    return computes_much(cell) ||
           (decides_much(cell) && cell->work.bins == 5 && cell->length >= 1 << 30 &&
            strcmp(cell->name, "08_aggregation") == 0) ||
           (takes_turns(cell) && strcmp(cell->name, "02_naive_atomic") == 0);
}

/* The row of micro.csv, or NAN. */
static double measured_constant(const struct predict_constant *wanted)
{
    static struct csv table;
    double median = NAN;
    cr_assert(csv_open(&table, "docs/results/h200/micro.csv"));
    while (csv_next(&table))
        if (strcmp(csv_text(&table, "what"), wanted->what) == 0 &&
            (int)csv_number(&table, "parameter") == wanted->parameter)
            median = csv_number(&table, "median");
    csv_close(&table);
    return median;
}

Test(predict, uses_constants_as_they_were_measured)
{
    cr_assert_gt(predict_constant_count(), 10);
    for (size_t i = 0; i < predict_constant_count(); i++) {
        struct predict_constant constant = predict_constant(i);
        double median = measured_constant(&constant);
        cr_assert(fabs(median - constant.value) <= 1e-9 * median, "%s,%d is %g, not %g",
                  constant.what, constant.parameter, median, constant.value);
    }
}

Test(predict, says_nothing_of_a_program_without_a_launch)
{
    struct predict_work work = {.text_bytes = 1 << 20, .bins = 5};
    cr_assert_eq(predict(&work).total, 0);
}

Test(predict, takes_no_less_than_the_launch_and_the_reading)
{
    struct predict_work work = {
        .blocks = 1, .threads_per_block = 32, .bins = 5, .text_bytes = 1 << 30};
    work.counters.launches = 1;
    struct predict_times times = predict(&work);
    cr_assert_gt(times.launch, 0);
    cr_assert_gt(times.bandwidth, 0.2);
    cr_assert_float_eq(times.total, times.launch + times.bandwidth, 1e-9);
}

/* Work like that of chapter 6: a character a load, an atomic a character. */
static struct predict_work plain_work(void)
{
    struct predict_work work = {.blocks = 1024,
                                .threads_per_block = 256,
                                .bins = 256,
                                .text_bytes = 1 << 20,
                                .bins_in_turn = 5000,
                                .busiest_of_bins = 4000,
                                .runs = 1 << 20,
                                .atomics = 1 << 20};
    work.counters.launches = 1;
    work.counters.global[SIM_LOAD] =
        (struct sim_access_counters){.requests = 1 << 15, .sectors = 1 << 15};
    return work;
}

Test(predict, has_no_doubt_of_what_was_tried)
{
    struct predict_work work = plain_work();
    cr_expect_null(predict_doubt(&work));
    work.counters.votes = 9 << 15; /* a vote stands for the atomics that it saves */
    work.atomics = 1000;
    cr_expect_null(predict_doubt(&work));
}

Test(predict, doubts_what_no_counter_sees)
{
    struct predict_work work = plain_work();
    work.atomics = work.runs - 1;
    cr_expect(predict_doubt(&work) && strstr(predict_doubt(&work), "registers"));
}

Test(predict, doubts_a_kernel_that_only_reads)
{
    struct predict_work work = plain_work();
    work.runs = work.atomics = 0;
    cr_expect(predict_doubt(&work) && strstr(predict_doubt(&work), "no character"));
}

Test(predict, doubts_loads_of_many_characters)
{
    struct predict_work work = plain_work();
    work.counters.global[SIM_LOAD].requests /= 4;
    cr_expect(predict_doubt(&work) && strstr(predict_doubt(&work), "several characters"));
}

Test(predict, doubts_bins_that_take_turns)
{
    struct predict_work work = plain_work();
    work.bins_in_turn = 2 * work.busiest_of_bins + 1;
    cr_expect(predict_doubt(&work) && strstr(predict_doubt(&work), "one after the other"));
}

/* Raises one counter, and expects the time not to fall. Not so for the sectors of loads:
 * the more of them a request has, the fewer requests have to wait for the same text. */
static void expect_growth(const struct cell *cell, struct predict_work *work, uint64_t *counter)
{
    uint64_t before = *counter;
    double last = predict(work).total, first = last;
    for (int i = 0; i < 12; i++) {
        *counter = *counter * 2 + 1000000;
        double current = predict(work).total;
        cr_assert_geq(current, last, "%s %s", cell->name, cell->input);
        last = current;
    }
    cr_assert_geq(last, first, "%s %s", cell->name, cell->input);
    *counter = before;
}

Test(predict, grows_with_every_counter)
{
    static struct cell cells[MOST_CELLS];
    size_t have = read_cells(cells);
    for (size_t i = 0; i < have; i++) {
        struct predict_work *work = &cells[i].work;
        struct sim_counters *c = &work->counters;
        expect_growth(&cells[i], work, &c->votes);
        expect_growth(&cells[i], work, &c->global[SIM_LOAD].requests);
        expect_growth(&cells[i], work, &c->global[SIM_RED].sectors);
        expect_growth(&cells[i], work, &c->global[SIM_ATOM].sectors);
        expect_growth(&cells[i], work, &c->shared[SIM_ATOM].requests);
        expect_growth(&cells[i], work, &c->shared[SIM_ATOM].wavefronts);
        expect_growth(&cells[i], work, &c->shared[SIM_LOAD].wavefronts);
        expect_growth(&cells[i], work, &c->shared[SIM_STORE].wavefronts);
        expect_growth(&cells[i], work, &work->busiest_stripe);
        expect_growth(&cells[i], work, &work->text_bytes);
    }
}

Test(predict, says_of_every_recorded_cell_what_was_recorded)
{
    static struct cell cells[MOST_CELLS];
    size_t have = read_cells(cells);
    for (size_t i = 0; i < have; i++) {
        double current = predict(&cells[i].work).total;
        cr_assert(fabs(current - cells[i].predicted) < 6e-6, "%s %s %g: %.5f, recorded %.5f",
                  cells[i].name, cells[i].input, cells[i].bins, current, cells[i].predicted);
    }
}

Test(predict, is_within_a_factor_of_1_5_where_the_page_says_so)
{
    static struct cell cells[MOST_CELLS];
    size_t have = read_cells(cells);
    for (size_t i = 0; i < have; i++) {
        double factor = cells[i].predicted / cells[i].measured;
        if (predict_doubt(&cells[i].work))
            continue; /* the ladder does not show it */
        if (depends_on_places(&cells[i])) {
            cr_assert(factor < 1.5 && factor > 0.5, "%s: %.2f", cells[i].input, factor);
            continue;
        }
        bool is_near = factor < 1.5 && factor > 1 / 1.5;
        cr_assert(is_near != is_known_miss(&cells[i]), "%s %s %g: %.2f", cells[i].name,
                  cells[i].input, cells[i].bins, factor);
    }
}

Test(predict, puts_chapters_in_order_that_differ_by_a_tenth)
{
    static struct cell cells[MOST_CELLS];
    size_t have = read_cells(cells), pairs = 0;
    for (size_t i = 0; i < have; i++)
        for (size_t j = 0; j < have; j++) {
            const struct cell *a = &cells[i], *b = &cells[j];
            if (strcmp(a->input, b->input) != 0 || a->work.bins != b->work.bins ||
                a->work.text_bytes != b->work.text_bytes || strcmp(a->source, b->source) != 0 ||
                a->length < large || predict_doubt(&a->work) || predict_doubt(&b->work) ||
                computes_much(a) || computes_much(b) || (takes_turns(a) && takes_turns(b)) ||
                (decides_much(a) && strcmp(a->name, "05_privatized_global") == 0) ||
                a->measured < 1.1 * b->measured)
                continue;
            pairs++;
            cr_assert_gt(a->predicted, b->predicted, "%s and %s on %s in %g bins", a->name, b->name,
                         a->input, a->bins);
        }
    cr_assert_gt(pairs, 300);
}
