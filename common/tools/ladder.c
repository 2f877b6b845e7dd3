/* ladder.c - prints the ladder from the rows of the chapters, and writes it as CSV.
 *
 *     ladder OUT.csv ROW.csv... [-- TIMES.csv DEVICE]
 *     ladder --draw LADDER.csv OUT.svg        draws it, where gnuplot is installed
 *
 * The rows are those that row.c writes, in the order of the chapters. OUT.csv gets
 * their columns up to threads_per_block. TIMES.csv is what kernel_times.c measured on the
 * GPU whose name the file DEVICE holds; empty, there are no times. Status 1 when a result was wrong. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csv.h"
#include "grouped.h"

/* What the table shows of a chapter. */
struct rung {
    const char *chapter, *name, *input;
    bool correct;
    double bins, length, requests, sectors, global_atomics, atomics_on_bins, shared_atomics,
        wavefronts, predicted_ms, measured_ms;
};

/* The times of a GPU: rows like those of the chapters, and none without a GPU. */
struct times {
    const char *file, *gpu; /* NULL without one */
    bool any;
};

static void read_row(const char *name, struct csv *row)
{
    if (!csv_open(row, name) || !csv_next(row)) {
        fprintf(stderr, "%s: there is no row in it\n", name);
        exit(1);
    }
    csv_close(row);
}

static struct rung rung_of(const struct csv *row)
{
    double requests = csv_number(row, "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum");
    double sectors = csv_number(row, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum");
    return (struct rung){
        .chapter = csv_text(row, "chapter"),
        .name = csv_text(row, "name"),
        .input = csv_text(row, "input"),
        .correct = strcmp(csv_text(row, "correct"), "yes") == 0,
        .bins = csv_number(row, "bins"),
        .length = csv_number(row, "length"),
        .requests = requests,
        .sectors = requests > 0 ? sectors / requests : 0,
        .global_atomics = csv_number(row, "global_atomics"),
        .atomics_on_bins = csv_number(row, "atomics_on_bins"),
        .shared_atomics = csv_number(row, "shared_atomics"),
        .wavefronts = csv_number(row, "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum"),
        .predicted_ms = csv_number(row, "predicted_ms"),
    };
}

/* The measured time of a chapter, 0 when there is none. */
static double measured(const struct times *times, const struct rung *rung)
{
    static struct csv rows;
    char name[96];
    double ms = 0;
    if (!times->file || !csv_open(&rows, times->file))
        return 0;
    snprintf(name, sizeof name, "%02d_%s", atoi(rung->chapter), rung->name);
    while (csv_next(&rows))
        if (strcmp(csv_text(&rows, "implementation"), name) == 0)
            ms = csv_number(&rows, "median_ms");
    csv_close(&rows);
    return ms;
}

static const char *whole(double number)
{
    return grouped((unsigned long long)(number + 0.5));
}

/* One thing that may differ between two rows, and by how much: the larger the
 * weight, the more it tells. */
struct change {
    char words[96];
    double weight;
};

/* Below this a change is not worth a word; a quantity that comes or goes is worth
 * more than one that grows. */
static const double least_factor = 1.25, comes_or_goes = 1e12;

static struct change compare(const char *what, double before, double after)
{
    struct change change = {.weight = 0};
    if (before <= 0 && after <= 0)
        return change;
    if (before <= 0 || after <= 0) {
        change.weight = comes_or_goes + before + after;
        snprintf(change.words, sizeof change.words, before <= 0 ? "%s %s" : "no %s%s",
                 before <= 0 ? whole(after) : "", what);
        return change;
    }
    double factor = before > after ? before / after : after / before;
    if (factor < least_factor)
        return change;
    change.weight = factor;
    char times[32];
    if (factor < 10)
        snprintf(times, sizeof times, "%.1f", factor);
    else
        snprintf(times, sizeof times, "%s", whole(factor));
    snprintf(change.words, sizeof change.words, "%s times %s %s", times,
             before > after ? "fewer" : "more", what);
    return change;
}

/* The three changes that tell most, in words. */
static void print_changes(const struct rung *before, const struct rung *after)
{
    enum { TOLD = 3 };
    struct change changes[] = {
        compare("load requests", before->requests, after->requests),
        compare("sectors per request", before->sectors, after->sectors),
        compare("global atomics", before->global_atomics, after->global_atomics),
        compare("atomics on the bins", before->atomics_on_bins, after->atomics_on_bins),
        compare("shared atomics", before->shared_atomics, after->shared_atomics),
        compare("wavefronts", before->wavefronts, after->wavefronts),
    };
    size_t count = sizeof changes / sizeof *changes;
    printf("      ");
    for (size_t told = 0; told < TOLD; told++) {
        size_t most = 0;
        for (size_t i = 1; i < count; i++)
            if (changes[i].weight > changes[most].weight)
                most = i;
        if (changes[most].weight <= 0) {
            printf("%s", told == 0 ? "the same counters as the row above" : "");
            break;
        }
        printf("%s%s", told > 0 ? ", " : "", changes[most].words);
        changes[most].weight = 0;
    }
    printf("\n");
}

static void print_heading(const struct rung *first, bool timed)
{
    printf("%s characters of %s in %s bins, on the simulated GPU\n\n", whole(first->length),
           first->input, whole(first->bins));
    printf("%2s  %-18s %7s %9s %11s %10s %10s %10s %10s %10s%s\n", "", "", "", "load",
           "sectors per", "global", "of these", "shared", "their", "predicted",
           timed ? "   measured" : "");
    printf("%2s  %-18s %7s %9s %11s %10s %10s %10s %10s %10s%s\n", "", "chapter", "correct",
           "requests", "request", "atomics", "on bins", "atomics", "wavefronts", "H200 ms",
           timed ? "         ms" : "");
}

/* Milliseconds, or "-". */
static const char *time_of(double ms)
{
    static char words[2][32];
    static unsigned int turn;
    char *word = words[turn++ % 2];
    snprintf(word, sizeof words[0], "-");
    if (ms > 0)
        snprintf(word, sizeof words[0], "%.3f", ms);
    return word;
}

static void print_rung(const struct rung *rung, bool timed)
{
    char sectors[32] = "-";
    if (rung->requests > 0)
        snprintf(sectors, sizeof sectors, "%.2f", rung->sectors);
    printf("%2s  %-18s %7s %9s %11s %10s %10s %10s %10s %10s", rung->chapter, rung->name,
           rung->correct ? "yes" : "NO", whole(rung->requests), sectors,
           whole(rung->global_atomics), whole(rung->atomics_on_bins), whole(rung->shared_atomics),
           whole(rung->wavefronts), time_of(rung->predicted_ms));
    if (timed)
        printf(" %10s", time_of(rung->measured_ms));
    printf("\n");
}

/* The columns that are for everybody: up to threads_per_block. */
static void write_fields(FILE *file, const struct csv *row, char *const *fields)
{
    for (size_t i = 0; i < row->columns; i++) {
        fprintf(file, "%s%s", i > 0 ? "," : "", fields[i]);
        if (strcmp(row->column[i], "threads_per_block") == 0)
            break;
    }
    fprintf(file, "\n");
}

/* Below the table: what its columns mean. */
static void print_notes(bool several, bool predicted, const struct times *times)
{
    if (several)
        printf(
            "\nRequests are made by warps, atomics by threads. Under each row: what changed from "
            "the row above.\n");
    else if (predicted || times->any)
        printf("\n");
    if (predicted)
        printf("The %s column is a prediction for an NVIDIA H200 from these counters, no "
               "measurement.\nA dash: the counters do not tell the time (docs/prediction.md).\n",
               times->any ? "predicted" : "last");
    if (times->any)
        printf("The last column was measured here, on %s: the whole call on this text, median of "
               "21.\n",
               times->gpu);
}

/* The first line of a file. */
static const char *first_line(const char *name)
{
    static char line[128];
    FILE *file = fopen(name, "r");
    if (!file || !fgets(line, sizeof line, file))
        snprintf(line, sizeof line, "a GPU");
    line[strcspn(line, "\n")] = '\0';
    if (file)
        fclose(file);
    return line;
}

/* Cuts `-- TIMES.csv DEVICE` off the arguments. */
static struct times times_in(int *count, char **arguments)
{
    struct times times = {NULL, NULL, false};
    if (*count < 6 || strcmp(arguments[*count - 3], "--") != 0)
        return times;
    times.file = arguments[*count - 2];
    times.gpu = first_line(arguments[*count - 1]);
    *count -= 3;
    FILE *file = fopen(times.file, "r");
    times.any = file && fgetc(file) != EOF;
    if (file)
        fclose(file);
    return times;
}

static int draw(const char *csv, const char *svg)
{
    char command[8192];
    if (system("command -v gnuplot >/dev/null") != 0) {
        printf("no %s: gnuplot is not installed (sudo apt-get install gnuplot-nox)\n", svg);
        return 0;
    }
    snprintf(command, sizeof command, "gnuplot -e \"csv='%s'; svg='%s'\" common/tools/ladder.gp",
             csv, svg);
    fflush(stdout);
    if (system(command) != 0)
        return 1;
    printf("The rows are in %s, drawn in %s.\n", csv, svg);
    return 0;
}

int main(int count, char **arguments)
{
    if (count == 4 && strcmp(arguments[1], "--draw") == 0)
        return draw(arguments[2], arguments[3]);
    struct times times = times_in(&count, arguments);
    if (count < 3) {
        fprintf(stderr, "usage: %s OUT.csv ROW.csv... [-- TIMES.csv DEVICE]\n", arguments[0]);
        return 2;
    }
    FILE *file = fopen(arguments[1], "w");
    if (!file) {
        fprintf(stderr, "cannot write %s\n", arguments[1]);
        return 1;
    }
    static struct csv rows[2]; /* this one and the one above it, in turn */
    bool all_correct = true, predicted = false;
    for (int i = 2; i < count; i++) {
        struct csv *row = &rows[i % 2];
        read_row(arguments[i], row);
        struct rung rung = rung_of(row);
        rung.measured_ms = measured(&times, &rung);
        if (i == 2) {
            write_fields(file, row, row->column);
            print_heading(&rung, times.any);
        }
        write_fields(file, row, row->value);
        print_rung(&rung, times.any);
        if (i > 2) {
            struct rung above = rung_of(&rows[(i + 1) % 2]);
            print_changes(&above, &rung);
        }
        all_correct = all_correct && rung.correct;
        predicted = predicted || rung.predicted_ms > 0;
    }
    fclose(file);
    print_notes(count > 3, predicted, &times);
    return all_correct ? 0 : 1;
}
