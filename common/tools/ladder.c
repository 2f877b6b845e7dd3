/* ladder.c - prints the ladder from the rows of the chapters, and writes it as CSV.
 *
 *     ladder OUT.csv ROW.csv... [-- TIMES.csv DEVICE]
 *     ladder --draw LADDER.csv OUT.svg        draws it, where gnuplot is installed
 *
 * The rows are those that row.c writes, in the order of the chapters. OUT.csv gets
 * their columns up to threads_per_block. TIMES.csv is what common/bench/gpu measured on the
 * GPU whose name the file DEVICE holds; empty, there are no times. Rows of two contracts get a
 * table each. Status 1 when a result was wrong. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grouped.h"
#include "rungs.h"

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

/* The measured time of a chapter, 0 when there is none. */
static double measured(const struct times *times, const struct csv *row)
{
    static struct csv rows;
    char name[96];
    double ms = 0;
    if (!times->file || !csv_open(&rows, times->file))
        return 0;
    snprintf(name, sizeof name, "%02d_%s", atoi(csv_text(row, "chapter")), csv_text(row, "name"));
    while (csv_next(&rows))
        if (strcmp(csv_text(&rows, "implementation"), name) == 0)
            ms = csv_number(&rows, "median_ms");
    csv_close(&rows);
    return ms;
}

const char *whole(double number)
{
    return grouped((unsigned long long)(number + 0.5));
}

const char *time_of(double ms)
{
    static char words[2][32];
    static unsigned int turn;
    char *word = words[turn++ % 2];
    snprintf(word, sizeof words[0], "-");
    if (ms > 0)
        snprintf(word, sizeof words[0], "%.3f", ms);
    return word;
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

/* Rows of one contract, from the first on; what is known of all of them so far. */
struct ladder {
    FILE *csv;
    struct times times;
    const struct table *table; /* of the row above; NULL before the first */
    size_t rows;               /* in this table */
    bool predicted, all_correct;
};

static const struct table *table_for(const struct csv *row)
{
    const bool has_operation = csv_find(row, "operation"), has_bins = csv_find(row, "bins");
    return csv_find(row, "devices") ? &table_of_devices
           : !has_operation         ? &table_of_text
           : has_bins               ? &table_of_keys
                                    : &table_of_values;
}

/* Below a table: what its columns mean, and its times. */
static void end_table(const struct ladder *ladder)
{
    bool predicted = ladder->predicted;
    if (!ladder->table->print_notes(ladder->rows > 1) && (predicted || ladder->times.any))
        printf("\n");
    if (predicted)
        printf("The %s column is a prediction for an NVIDIA H200 from these counters, no "
               "measurement.\nA dash: the counters do not tell the time (docs/prediction.md).\n",
               ladder->times.any ? "predicted" : "last");
    if (ladder->times.any)
        printf("The last column was measured here, on %s: the whole call on this text, median of "
               "21.\n",
               ladder->times.gpu);
}

static void add_row(struct ladder *ladder, const struct csv *above, const struct csv *row)
{
    const struct table *table = table_for(row);
    const char *predicted = csv_find(row, "predicted_ms");
    bool first = table != ladder->table;
    if (first && ladder->table) {
        end_table(ladder);
        printf("\n");
    }
    if (first) {
        ladder->rows = 0;
        ladder->predicted = false;
        write_fields(ladder->csv, row, row->column);
        table->print_heading(row);
        columns_print_words(table->columns, table->count, ladder->times.any);
    }
    ladder->table = table;
    write_fields(ladder->csv, row, row->value);
    columns_print_row(table->columns, table->count, row, ladder->times.any,
                      measured(&ladder->times, row));
    if (!first) {
        struct change changes[MOST_CHANGES];
        changes_print(changes, columns_compare(table->columns, table->count, above, row, changes));
    }
    ladder->rows++;
    ladder->predicted |= predicted && strtod(predicted, NULL) > 0;
    ladder->all_correct &= strcmp(csv_text(row, "correct"), "yes") == 0;
}

int main(int count, char **arguments)
{
    if (count == 4 && strcmp(arguments[1], "--draw") == 0)
        return draw(arguments[2], arguments[3]);
    struct ladder ladder = {.times = times_in(&count, arguments), .all_correct = true};
    if (count < 3) {
        fprintf(stderr, "usage: %s OUT.csv ROW.csv... [-- TIMES.csv DEVICE]\n", arguments[0]);
        return 2;
    }
    ladder.csv = fopen(arguments[1], "w");
    if (!ladder.csv) {
        fprintf(stderr, "cannot write %s\n", arguments[1]);
        return 1;
    }
    static struct csv rows[2]; /* this one and the one above it, in turn */
    for (int i = 2; i < count; i++) {
        read_row(arguments[i], &rows[i % 2]);
        add_row(&ladder, &rows[(i + 1) % 2], &rows[i % 2]);
    }
    fclose(ladder.csv);
    end_table(&ladder);
    return ladder.all_correct ? 0 : 1;
}
