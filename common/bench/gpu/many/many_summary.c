/* many_summary.c - puts the times of many GPUs beside one GPU, beside reading and copying alone, and beside the
 * targets of the course.
 *
 *     many_summary OUT.csv IN.csv
 *
 * Rows of one cell, those of a place of the text, a number of bins and one of devices, and of one
 * implementation, are one in OUT: the median of their medians, the least and the most of all runs. A row gets
 * how fast it is; how much that is of as many times what one device reaches; how much of what reading or
 * copying alone reaches; and what limits it. Prints each target with what came of it. Nothing here needs a
 * GPU. */
#define _GNU_SOURCE
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csv.h"

enum { MOST_ROWS = 2048, WORD = 48, MOST_ROUNDS = 64 };

static const char nothing[] = "no text";

struct row {
    char where[WORD], who[WORD], correct[WORD];
    int bins, devices, runs, rounds;
    size_t bytes;
    double medians[MOST_ROUNDS], median, least, most; /* in milliseconds */
};

struct rows {
    struct row row[MOST_ROWS];
    size_t count;
};

/* What a place of text is measured against, what that is called, and the target in percent: of it, or of as many
 * times one device. 0 where the course has set none. */
static const struct place {
    const char *where, *alone, *limit;
    double of_devices, of_alone;
} places[] = {
    {"each", "reading alone", "the memory of the cards", 99, 0},
    {"all", "reading alone", "the memory of the cards", 0, 0},
    {"pinned", "copies alone", "the links to the cards", 0, 90},
    {"pageable", "copies alone", "copies from pageable memory", 0, 90},
    {"file", "reading alone", "reading the file", 0, 0},
};

enum { PLACES = sizeof places / sizeof *places };

static void copy(char *to, const char *from)
{
    snprintf(to, WORD, "%s", from);
}

static const struct place *place_of(const struct row *row)
{
    for (size_t i = 0; i < PLACES; i++)
        if (strcmp(places[i].where, row->where) == 0)
            return &places[i];
    fprintf(stderr, "%s is no place of a text: each, all, pinned, pageable or file\n", row->where);
    exit(1);
}

/* Whether it is a chapter: what is none is in `places`, or has no text. */
static bool is_chapter(const struct row *row)
{
    return strcmp(row->who, place_of(row)->alone) != 0 && strcmp(row->who, nothing) != 0;
}

static bool has_time(const struct row *row)
{
    return row && row->median > 0 && strcmp(row->correct, "NO") != 0;
}

/* The row of the same place and bins, with so many devices; NULL where it has no time. */
static const struct row *beside(const struct rows *rows, const struct row *row, int devices,
                                const char *who)
{
    for (size_t i = 0; i < rows->count; i++) {
        const struct row *other = &rows->row[i];
        if (strcmp(other->where, row->where) == 0 && other->bins == row->bins &&
            other->devices == devices && strcmp(other->who, who) == 0)
            return has_time(other) ? other : NULL;
    }
    return NULL;
}

static double speed_of(const struct row *row)
{
    return (double)row->bytes / row->median * 1e-6; /* GB/s */
}

/* In percent; 0 where it is not known. */
static double percent_of_devices(const struct rows *rows, const struct row *row)
{
    const struct row *one = beside(rows, row, 1, row->who);
    return one && has_time(row) && row->bytes > 0
               ? 100 * speed_of(row) / (row->devices * speed_of(one))
               : 0;
}

static double percent_of_alone(const struct rows *rows, const struct row *row)
{
    const struct row *alone = beside(rows, row, row->devices, place_of(row)->alone);
    return alone && has_time(row) && row->bytes > 0 ? 100 * speed_of(row) / speed_of(alone) : 0;
}

/* Of the three that make up a chapter's time, the longest: what reading or copying alone takes, what a call
 * without text takes, and the rest, which is counting, or what does not overlap. */
static const char *limit_of(const struct rows *rows, const struct row *row)
{
    const struct place *place = place_of(row);
    const struct row *alone = beside(rows, row, row->devices, place->alone);
    const struct row *empty = beside(rows, row, row->devices, nothing);
    const bool on_cards = strcmp(place->alone, "reading alone") == 0 && empty;
    if (!is_chapter(row))
        return strcmp(row->who, nothing) == 0 ? "launches and collective" : place->limit;
    if (!has_time(row) || !alone)
        return "-";
    const double fixed = empty ? empty->median : 0;
    const double rest = row->median - alone->median - fixed;
    // Who is much faster than copies alone does not copy as they do, and nothing is known of his copies.
    const bool another_way = row->median < 0.9 * alone->median;
    if (!another_way && alone->median >= fixed && alone->median >= rest)
        return place->limit;
    if (!another_way && fixed >= rest)
        return "launches and collective";
    return on_cards ? "counting" : "what the host does";
}

/* The target in percent, 0 for none, and what is to be compared with it. */
static double target_of(const struct rows *rows, const struct row *row, double *reached)
{
    const struct place *place = place_of(row);
    *reached = 0;
    if (!is_chapter(row))
        return 0;
    if (place->of_devices > 0 && row->devices > 1) {
        *reached = percent_of_devices(rows, row);
        return place->of_devices;
    }
    *reached = percent_of_alone(rows, row);
    return place->of_alone;
}

/* The row that a line of the file belongs to, a new one where it is the first of its cell. */
static struct row *row_of(struct rows *rows, const struct csv *csv)
{
    struct row row = {.bins = (int)csv_number(csv, "bins"),
                      .devices = (int)csv_number(csv, "devices"),
                      .bytes = (size_t)csv_number(csv, "bytes")};
    copy(row.where, csv_text(csv, "where"));
    copy(row.who, csv_text(csv, "implementation"));
    copy(row.correct, csv_text(csv, "correct"));
    for (size_t i = 0; i < rows->count; i++) {
        struct row *there = &rows->row[i];
        if (strcmp(there->where, row.where) == 0 && strcmp(there->who, row.who) == 0 &&
            there->bins == row.bins && there->devices == row.devices && there->bytes == row.bytes) {
            if (strcmp(row.correct, "NO") == 0)
                copy(there->correct, row.correct);
            return there;
        }
    }
    if (rows->count == MOST_ROWS) {
        fprintf(stderr, "more than %d rows\n", (int)MOST_ROWS);
        exit(1);
    }
    rows->row[rows->count] = row;
    return &rows->row[rows->count++];
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void read_rows(struct rows *rows, const char *file)
{
    struct csv csv;
    if (!csv_open(&csv, file)) {
        fprintf(stderr, "%s: cannot be read\n", file);
        exit(1);
    }
    while (csv_next(&csv)) {
        struct row *row = row_of(rows, &csv);
        const double least = csv_number(&csv, "min_ms"), most = csv_number(&csv, "max_ms");
        row->least = row->rounds == 0 || least < row->least ? least : row->least;
        row->most = row->rounds == 0 || most > row->most ? most : row->most;
        row->runs += (int)csv_number(&csv, "runs");
        if (row->rounds < MOST_ROUNDS)
            row->medians[row->rounds++] = csv_number(&csv, "median_ms");
    }
    csv_close(&csv);
    for (size_t i = 0; i < rows->count; i++) {
        struct row *row = &rows->row[i];
        qsort(row->medians, (size_t)row->rounds, sizeof *row->medians, by_size);
        row->median = (row->medians[(row->rounds - 1) / 2] + row->medians[row->rounds / 2]) / 2;
    }
}

/* A number, or a dash for 0. */
static void put(FILE *out, double number)
{
    if (number > 0)
        fprintf(out, ",%.1f", number);
    else
        fputs(",-", out);
}

static void write_rows(FILE *out, const struct rows *rows)
{
    fputs("where,implementation,bins,devices,bytes,median_ms,min_ms,max_ms,rounds,runs,correct,"
          "GB_per_s,percent_of_devices,percent_of_alone,limited_by,target_percent,reached\n",
          out);
    for (size_t i = 0; i < rows->count; i++) {
        const struct row *row = &rows->row[i];
        double reached;
        const double target = target_of(rows, row, &reached);
        fprintf(out, "%s,%s,%d,%d,%zu,%.5f,%.5f,%.5f,%d,%d,%s", row->where, row->who, row->bins,
                row->devices, row->bytes, row->median, row->least, row->most, row->rounds,
                row->runs, row->correct);
        put(out, has_time(row) && row->bytes > 0 ? speed_of(row) : 0);
        put(out, percent_of_devices(rows, row));
        put(out, percent_of_alone(rows, row));
        fprintf(out, ",%s", limit_of(rows, row));
        put(out, target);
        fprintf(out, ",%s\n", target <= 0 || reached <= 0 ? "-" : reached >= target ? "yes" : "no");
    }
}

static void print_targets(const struct rows *rows)
{
    printf("\nThe targets of the course, on these GPUs:\n");
    for (size_t i = 0; i < rows->count; i++) {
        const struct row *row = &rows->row[i];
        double reached;
        const double target = target_of(rows, row, &reached);
        if (target <= 0)
            continue;
        printf("    %s: %s, %s, %d bins, %d device%s: %.2f%% of %s, target %.0f%%\n",
               reached <= 0        ? "unknown"
               : reached >= target ? "reached"
                                   : "missed",
               row->who, row->where, row->bins, row->devices, row->devices == 1 ? "" : "s", reached,
               place_of(row)->of_devices > 0 ? "as many times one device" : "copying alone",
               target);
    }
}

int main(int count, char **arguments)
{
    static struct rows rows;
    if (count != 3) {
        fprintf(stderr, "usage: %s OUT.csv IN.csv\n", arguments[0]);
        return 2;
    }
    read_rows(&rows, arguments[2]);
    FILE *out = fopen(arguments[1], "w");
    if (!out) {
        fprintf(stderr, "%s: cannot be written\n", arguments[1]);
        return 1;
    }
    write_rows(out, &rows);
    fclose(out);
    print_targets(&rows);
    return 0;
}
