/* reduce_summary.c - puts the times of reductions beside reading, CUB and the targets of the course.
 *
 *     reduce_summary PEERS.csv OUT.csv IN.csv...
 *
 * A cell's rows, those of an operation and a number of bytes, are those of the last IN that has any. OUT
 * gets all of them, with how fast they are, how much of what reading alone reaches and how they compare
 * with CUB, all of the same run; and, where the course has set a target, the strictest that the row has
 * and whether it is reached. Prints each target with what came of it, and reading and CUB beside what
 * they took elsewhere (PEERS). Nothing here needs a GPU. */
#define _GNU_SOURCE
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csv.h"

enum { MOST_ROWS = 4096, WORD = 48 };

static const char reading[] = "read only", cub[] = "cub DeviceReduce",
                  gpu_to_gpu[] = "cub gpu-to-gpu";
/* Chapters that have a target, without their numbers. */
static const char fastest[] = "at_the_roofline", reproducible[] = "reproducible";

struct row {
    char operation[WORD], who[WORD], correct[WORD], results[WORD], error[WORD], shape[WORD];
    char median[WORD], least[WORD], most[WORD], runs[WORD], queued[WORD];
    size_t bytes, length;
    double ms; /* 0: it has no time, or wrong results */
};

struct rows {
    struct row row[MOST_ROWS];
    size_t count;
};

/* A row of the table of targets: a chapter takes at most `factor` times what another one takes in the
 * same cell, or at most `ms`. */
struct goal {
    const char *title, *chapter, *operation, *other;
    double factor, ms;
    size_t bytes; /* 0: all */
};

static const struct goal goals[] = {
    {"at_the_roofline, sum: never slower than CUB", fastest, "sum", cub, 1, 0, 0},
    {"at_the_roofline, sum, 50,000,000 bytes: at most 0.0165 ms", fastest, "sum", NULL, 0, 0.0165,
     50000000},
    {"at_the_roofline, sum, 1 GiB: 98% of reading alone", fastest, "sum", reading, 1 / 0.98, 0,
     (size_t)1 << 30},
    {"reproducible, float_sum: within 5% of at_the_roofline", reproducible, "float_sum", fastest,
     1.05, 0, 0},
    {"reproducible, float_sum: faster than CUB's gpu-to-gpu mode", reproducible, "float_sum",
     gpu_to_gpu, 1, 0, 0},
};

enum { GOALS = sizeof goals / sizeof *goals };

/* A chapter's name begins with its number: without it, or the whole name. */
static const char *name_of(const char *who)
{
    const bool is_chapter = who[0] >= '0' && who[0] <= '9' && strchr(who, '_');
    return is_chapter ? strchr(who, '_') + 1 : who;
}

static bool is_wrong(const struct row *row)
{
    return strcmp(row->correct, "NO") == 0;
}

static bool same_cell(const struct row *a, const struct row *b)
{
    return a->bytes == b->bytes && strcmp(a->operation, b->operation) == 0;
}

/* Of the same cell; NULL where there is none. */
static const struct row *row_of(const struct rows *rows, const struct row *cell, const char *name)
{
    for (size_t i = 0; i < rows->count; i++)
        if (same_cell(&rows->row[i], cell) && strcmp(name_of(rows->row[i].who), name) == 0)
            return &rows->row[i];
    return NULL;
}

/* 0 where it has no time. */
static double ms_of(const struct rows *rows, const struct row *cell, const char *name)
{
    const struct row *row = row_of(rows, cell, name);
    return row ? row->ms : 0;
}

static bool is_for(const struct goal *goal, const struct row *row)
{
    return strcmp(goal->chapter, name_of(row->who)) == 0 &&
           strcmp(goal->operation, row->operation) == 0 &&
           (goal->bytes == 0 || goal->bytes == row->bytes);
}

/* In milliseconds; 0 where what it compares with has no time. */
static double target_of(const struct rows *rows, const struct goal *goal, const struct row *row)
{
    return goal->other ? goal->factor * ms_of(rows, row, goal->other) : goal->ms;
}

static bool reaches(const struct row *row, double target)
{
    return row->ms > 0 && row->ms <= target;
}

/* The strictest target of a row; 0 where it has none. */
static double strictest(const struct rows *rows, const struct row *row)
{
    double least = 0;
    for (size_t i = 0; i < GOALS; i++) {
        const double target = is_for(&goals[i], row) ? target_of(rows, &goals[i], row) : 0;
        if (target > 0 && (least == 0 || target < least))
            least = target;
    }
    return least;
}

static void copy(char *to, const char *from)
{
    snprintf(to, WORD, "%s", from);
}

static void open_or_end(struct csv *csv, const char *file)
{
    if (csv_open(csv, file))
        return;
    fprintf(stderr, "%s: cannot be read\n", file);
    exit(1);
}

static void read_row(struct row *row, const struct csv *csv)
{
    copy(row->operation, csv_text(csv, "operation"));
    copy(row->who, csv_text(csv, "implementation"));
    copy(row->correct, csv_text(csv, "correct"));
    copy(row->results, csv_text(csv, "results"));
    copy(row->error, csv_text(csv, "error"));
    copy(row->shape, csv_text(csv, "shape"));
    copy(row->median, csv_text(csv, "median_ms"));
    copy(row->least, csv_text(csv, "min_ms"));
    copy(row->most, csv_text(csv, "max_ms"));
    copy(row->runs, csv_text(csv, "runs"));
    copy(row->queued, csv_text(csv, "queued"));
    row->bytes = (size_t)csv_number(csv, "bytes");
    row->length = (size_t)csv_number(csv, "length");
    row->ms = is_wrong(row) ? 0 : strtod(row->median, NULL);
}

/* Adds the rows of a file; older ones of the same cells are dropped. */
static void read_rows(struct rows *rows, const char *file)
{
    struct csv csv;
    size_t kept = 0, before = rows->count;
    open_or_end(&csv, file);
    while (csv_next(&csv)) {
        if (rows->count == MOST_ROWS) {
            fprintf(stderr, "%s: more than %d rows\n", file, (int)MOST_ROWS);
            exit(1);
        }
        struct row *row = &rows->row[rows->count++];
        read_row(row, &csv);
        for (size_t i = 0; i < before; i++)
            if (same_cell(&rows->row[i], row))
                rows->row[i].operation[0] = '\0';
    }
    csv_close(&csv);
    for (size_t i = 0; i < rows->count; i++)
        if (rows->row[i].operation[0] != '\0')
            rows->row[kept++] = rows->row[i];
    rows->count = kept;
}

/* A number, or a dash for 0. */
static void put(FILE *out, double number, const char *format)
{
    if (number > 0)
        fprintf(out, format, number);
    else
        fputs(",-", out);
}

static void write_rows(FILE *out, const struct rows *rows)
{
    fputs(
        "operation,implementation,bytes,length,median_ms,min_ms,max_ms,runs,queued,correct,results,"
        "error,shape,GB_per_s,percent_of_reading,ratio_to_CUB,target_ms,reached\n",
        out);
    for (size_t i = 0; i < rows->count; i++) {
        const struct row *row = &rows->row[i];
        const double ms = row->ms > 0 ? row->ms : 1e30, target = strictest(rows, row);
        fprintf(out, "%s,%s,%zu,%zu,%s,%s,%s,%s,%s,%s,%s,%s,%s", row->operation, row->who,
                row->bytes, row->length, row->median, row->least, row->most, row->runs, row->queued,
                row->correct, row->results, row->error, row->shape);
        put(out, row->ms > 0 ? (double)row->bytes / ms * 1e-6 : 0, ",%.1f");
        put(out, row->ms > 0 ? 100 * ms_of(rows, row, reading) / ms : 0, ",%.1f");
        put(out, row->ms > 0 ? ms_of(rows, row, cub) / ms : 0, ",%.3f");
        put(out, target, ",%.5f");
        fprintf(out, ",%s\n", target <= 0 ? "-" : reaches(row, target) ? "yes" : "no");
    }
}

/* Why there is no target: what it would be compared with has no time. */
static void print_unknown(const struct rows *rows, const struct goal *goal, const struct row *row)
{
    const struct row *other = row_of(rows, row, goal->other);
    if (other && is_wrong(other))
        printf("    unknown: %zu bytes: no time to compare with: the result of %s was wrong\n",
               row->bytes, goal->other);
    else
        printf("    unknown: %zu bytes: %s has no time\n", row->bytes, goal->other);
}

static void print_cell(const struct rows *rows, const struct goal *goal, const struct row *row)
{
    const double target = target_of(rows, goal, row);
    if (target <= 0)
        print_unknown(rows, goal, row);
    else if (row->ms <= 0)
        printf("    missed: %zu bytes: no time; target %.5f\n", row->bytes, target);
    else
        printf("    %s: %zu bytes: %.5f ms, target %.5f\n",
               reaches(row, target) ? "reached" : "missed", row->bytes, row->ms, target);
}

static void print_goal(const struct rows *rows, const struct goal *goal)
{
    size_t cells = 0, reached = 0;
    for (size_t i = 0; i < rows->count; i++)
        if (is_for(goal, &rows->row[i])) {
            cells++;
            reached += reaches(&rows->row[i], target_of(rows, goal, &rows->row[i]));
        }
    if (cells > 0)
        printf("%s: %zu of %zu sizes\n", goal->title, reached, cells);
    for (size_t i = 0; i < rows->count; i++)
        if (is_for(goal, &rows->row[i]))
            print_cell(rows, goal, &rows->row[i]);
}

/* Reading alone and CUB, here and where PEERS was measured. */
static void print_peers(const struct rows *rows, const char *file)
{
    struct csv csv;
    open_or_end(&csv, file);
    printf("\nBeside what was measured elsewhere (%s):\n", file);
    while (csv_next(&csv)) {
        struct row cell;
        copy(cell.operation, csv_text(&csv, "operation"));
        cell.bytes = (size_t)csv_number(&csv, "bytes");
        const double ms = ms_of(rows, &cell, csv_text(&csv, "implementation"));
        if (ms > 0)
            printf("    %s, %s, %zu bytes: %.5f ms, there %s\n", cell.operation,
                   csv_text(&csv, "implementation"), cell.bytes, ms, csv_text(&csv, "median_ms"));
    }
    csv_close(&csv);
}

/* Says which rows have no right result. */
static void print_wrong(const struct rows *rows)
{
    for (size_t i = 0; i < rows->count; i++) {
        const struct row *row = &rows->row[i];
        if (strcmp(row->correct, "yes") == 0 || strcmp(row->correct, "-") == 0)
            continue;
        printf("%s, %s, %zu bytes: %s\n", row->who, row->operation, row->bytes,
               is_wrong(row) ? "wrong results" : row->correct);
    }
}

int main(int count, char **arguments)
{
    static struct rows rows;
    if (count < 4) {
        fprintf(stderr, "usage: %s PEERS.csv OUT.csv IN.csv...\n", arguments[0]);
        return 2;
    }
    for (int i = 3; i < count; i++)
        read_rows(&rows, arguments[i]);
    FILE *out = fopen(arguments[2], "w");
    if (!out) {
        fprintf(stderr, "%s: cannot be written\n", arguments[2]);
        return 1;
    }
    write_rows(out, &rows);
    fclose(out);
    printf("\nThe targets of the course, on this GPU:\n");
    for (size_t i = 0; i < GOALS; i++)
        print_goal(&rows, &goals[i]);
    print_peers(&rows, arguments[1]);
    print_wrong(&rows);
    return 0;
}
