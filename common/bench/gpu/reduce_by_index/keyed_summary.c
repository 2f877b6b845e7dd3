/* keyed_summary.c - puts the rows of keyed_times.c beside what others take, and beside the targets.
 *
 *     keyed_summary PEERS.csv OUT.csv IN.csv...
 *
 * A cell's rows, those of an operation, a number of bins and a kind
 * of keys, are those of the last IN that has any. OUT gets all of them, with what the
 * library of the paper about generalized histograms takes (PEERS), the target where the course has set
 * one, whether a chapter reaches it, and how its time compares with that of the fastest chapter. Prints
 * how many cells each chapter reaches, and how often it is within 10% of the fastest. Nothing here needs
 * a GPU. */
#define _GNU_SOURCE
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csv.h"

enum { MOST_ROWS = 8192, MOST_NAMES = 64, WORD = 48, PEER_KINDS = 3 };

struct row {
    char operation[WORD], who[WORD], keys[WORD], correct[WORD];
    char median[WORD], least[WORD], most[WORD], runs[WORD], queued[WORD], reading[WORD];
    size_t length, bins;
    double ms; /* 0: it has no time, or wrong bins */
};

struct rows {
    struct row row[MOST_ROWS];
    size_t count;
};

/* What the library takes: of PEERS, the rows of its operators. */
struct peer {
    char operator_name[96], keys[WORD];
    size_t bins;
    double ms;
};

struct peers {
    struct peer peer[MOST_ROWS];
    size_t count;
};

/* A row of the table of targets: which cells it speaks of. */
struct goal {
    const char *title, *operation;
    size_t least_bins, most_bins;
    const char *keys; /* with blanks around each; NULL: all */
};

static const char crowded[] = " zipf single stride63 ninety ";
static const struct goal goals[] = {
    {"count, 31 to 58,112 bins: at most 1.2 x reading alone, 0.0576 ms", "count", 31, 58112, NULL},
    {"count, 196,607 bins: at most 0.2 ms", "count", 196607, 196607, " uniform zipf "},
    {"count, 393,215 to 1,572,863 bins: at most 0.25 ms", "count", 393215, 1572863,
     " uniform zipf "},
    {"saturate: at most a half of the paper's library", "saturate", 31, 1572863, NULL},
    {"argmax: at most a third of the paper's library, and 0.12 ms up to 12,281 bins", "argmax", 31,
     1572863, NULL},
    {"float_sum where keys crowd: at most a half of the plain kernel", "float_sum", 1, 1572863,
     crowded},
    {"vector_sum where keys crowd: at most a half of the plain kernel", "vector_sum", 1, 1572863,
     crowded},
    {"minmax where keys crowd: at most a half of the plain kernel", "minmax", 1, 1572863, crowded},
};

enum { GOALS = sizeof goals / sizeof *goals };

static const struct goal *goal_of(const struct row *row)
{
    char keys[WORD + 2];
    snprintf(keys, sizeof keys, " %s ", row->keys);
    for (size_t i = 0; i < GOALS; i++)
        if (strcmp(goals[i].operation, row->operation) == 0 && row->bins >= goals[i].least_bins &&
            row->bins <= goals[i].most_bins && (!goals[i].keys || strstr(goals[i].keys, keys)))
            return &goals[i];
    return NULL;
}

/* A chapter's name begins with its number. */
static bool is_chapter(const char *who)
{
    return who[0] >= '0' && who[0] <= '9';
}

static bool same_cell(const struct row *a, const struct row *b)
{
    return a->bins == b->bins && strcmp(a->operation, b->operation) == 0 &&
           strcmp(a->keys, b->keys) == 0;
}

static double ms_of(const struct rows *rows, const struct row *cell, const char *who)
{
    for (size_t i = 0; i < rows->count; i++)
        if (same_cell(&rows->row[i], cell) && strcmp(rows->row[i].who, who) == 0)
            return rows->row[i].ms;
    return 0;
}

/* The fastest chapter of a cell; NULL when none has a time. */
static const struct row *fastest(const struct rows *rows, const struct row *cell)
{
    const struct row *best = NULL;
    for (size_t i = 0; i < rows->count; i++) {
        const struct row *row = &rows->row[i];
        if (is_chapter(row->who) && row->ms > 0 && same_cell(row, cell) &&
            (!best || row->ms < best->ms))
            best = row;
    }
    return best;
}

/* 0 where PEERS has no such cell. */
static double peer_ms(const struct peers *peers, const struct row *cell)
{
    static const struct {
        const char *operation, *operator_name;
    } kinds[PEER_KINDS] = {
        {"count", "i32 add"}, {"saturate", "24-bit saturated add"}, {"argmax", "argmax of"}};
    const char *keys = strcmp(cell->keys, "uniform") == 0    ? "RF=1"
                       : strcmp(cell->keys, "stride63") == 0 ? "RF=63"
                                                             : "";
    for (int kind = 0; kind < PEER_KINDS; kind++)
        for (size_t i = 0; i < peers->count; i++)
            if (strcmp(kinds[kind].operation, cell->operation) == 0 &&
                strstr(peers->peer[i].operator_name, kinds[kind].operator_name) &&
                strcmp(peers->peer[i].keys, keys) == 0 && peers->peer[i].bins == cell->bins)
                return peers->peer[i].ms;
    return 0;
}

/* In milliseconds; 0 where there is none. */
static double target_ms(const struct rows *rows, const struct peers *peers, const struct row *cell)
{
    const struct goal *goal = goal_of(cell);
    const double left_out = 3000; /* the plain kernel takes more than that */
    if (!goal)
        return 0;
    if (strcmp(cell->operation, "count") == 0)
        return cell->bins <= 58112 ? 1.2 * 0.048 : cell->bins <= 196607 ? 0.2 : 0.25;
    if (strcmp(cell->operation, "saturate") == 0)
        return peer_ms(peers, cell) / 2;
    if (strcmp(cell->operation, "argmax") == 0) {
        const double third = peer_ms(peers, cell) / 3;
        return cell->bins <= 12281 && (third > 0.12 || third == 0) ? 0.12 : third;
    }
    const double plain = ms_of(rows, cell, "plain kernel");
    return (plain > 0 ? plain : left_out) / 2;
}

static void copy(char *to, const char *from)
{
    snprintf(to, WORD, "%s", from);
}

static void read_rows(struct rows *rows, const char *file)
{
    struct csv csv;
    if (!csv_open(&csv, file)) {
        fprintf(stderr, "%s: cannot be read\n", file);
        exit(1);
    }
    const size_t before = rows->count;
    while (csv_next(&csv)) {
        if (rows->count == MOST_ROWS) {
            fprintf(stderr, "%s: more than %d rows\n", file, (int)MOST_ROWS);
            exit(1);
        }
        struct row *row = &rows->row[rows->count++];
        copy(row->operation, csv_text(&csv, "operation"));
        copy(row->who, csv_text(&csv, "implementation"));
        copy(row->keys, csv_text(&csv, "keys"));
        copy(row->correct, csv_text(&csv, "correct"));
        copy(row->median, csv_text(&csv, "median_ms"));
        copy(row->least, csv_text(&csv, "min_ms"));
        copy(row->most, csv_text(&csv, "max_ms"));
        copy(row->runs, csv_text(&csv, "runs"));
        copy(row->queued, csv_text(&csv, "queued"));
        copy(row->reading, csv_text(&csv, "reading_ms"));
        row->length = (size_t)csv_number(&csv, "length");
        row->bins = (size_t)csv_number(&csv, "bins");
        row->ms = strcmp(row->correct, "NO") == 0 ? 0 : strtod(row->median, NULL);
        for (size_t i = 0; i < before; i++)
            if (same_cell(&rows->row[i], row))
                rows->row[i].operation[0] = '\0'; // an older one
    }
    csv_close(&csv);
}

static void drop_older(struct rows *rows)
{
    size_t kept = 0;
    for (size_t i = 0; i < rows->count; i++)
        if (rows->row[i].operation[0] != '\0')
            rows->row[kept++] = rows->row[i];
    rows->count = kept;
}

static void read_peers(struct peers *peers, const char *file)
{
    struct csv csv;
    if (!csv_open(&csv, file)) {
        fprintf(stderr, "%s: cannot be read\n", file);
        exit(1);
    }
    while (csv_next(&csv) && peers->count < MOST_ROWS) {
        struct peer *peer = &peers->peer[peers->count++];
        snprintf(peer->operator_name, sizeof peer->operator_name, "%s",
                 csv_text(&csv, "implementation"));
        copy(peer->keys, csv_text(&csv, "keys"));
        peer->bins = (size_t)csv_number(&csv, "bins");
        peer->ms = csv_number(&csv, "ms");
    }
    csv_close(&csv);
}

/* A number, or a dash for 0. */
static void put(FILE *out, double number, const char *format)
{
    if (number > 0)
        fprintf(out, format, number);
    else
        fputs(",-", out);
}

static void write_rows(FILE *out, const struct rows *rows, const struct peers *peers)
{
    fputs("operation,implementation,keys,length,bins,median_ms,min_ms,max_ms,runs,queued,correct,"
          "reading_ms,papers_library_ms,target_ms,reached,x_fastest_chapter\n",
          out);
    for (size_t i = 0; i < rows->count; i++) {
        const struct row *row = &rows->row[i], *best = fastest(rows, row);
        const double target = is_chapter(row->who) ? target_ms(rows, peers, row) : 0;
        fprintf(out, "%s,%s,%s,%zu,%zu,%s,%s,%s,%s,%s,%s,%s", row->operation, row->who, row->keys,
                row->length, row->bins, row->median, row->least, row->most, row->runs, row->queued,
                row->correct, row->reading);
        put(out, peer_ms(peers, row), ",%.5f");
        put(out, target, ",%.4f");
        fputs(target <= 0 ? ",-" : row->ms > 0 && row->ms <= target ? ",yes" : ",no", out);
        put(out, best && row->ms > 0 ? row->ms / best->ms : 0, ",%.3f");
        fputc('\n', out);
    }
}

/* The chapters, in the order of their numbers. */
static size_t chapters(const struct rows *rows, const char **names)
{
    size_t count = 0;
    for (size_t i = 0; i < rows->count; i++) {
        const char *who = rows->row[i].who;
        size_t at = 0;
        while (at < count && strcmp(names[at], who) < 0)
            at++;
        if (!is_chapter(who) || count == MOST_NAMES || (at < count && strcmp(names[at], who) == 0))
            continue;
        memmove(&names[at + 1], &names[at], (count - at) * sizeof *names);
        names[at] = who;
        count++;
    }
    return count;
}

/* Whether the row is the first of its cell. */
static bool opens_cell(const struct rows *rows, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (same_cell(&rows->row[k], &rows->row[i]))
            return false;
    return true;
}

static void print_goal(const struct rows *rows, const struct peers *peers, const struct goal *goal,
                       const char **names, size_t count)
{
    size_t cells = 0, reached = 0, near_reading = 0, by[MOST_NAMES] = {0}, took[MOST_NAMES] = {0};
    for (size_t i = 0; i < rows->count; i++) {
        const struct row *cell = &rows->row[i];
        if (goal_of(cell) != goal || !opens_cell(rows, i))
            continue;
        const double target = target_ms(rows, peers, cell);
        const struct row *best = fastest(rows, cell);
        cells++;
        reached += best && best->ms <= target;
        near_reading += best && best->ms <= 1.2 * strtod(best->reading, NULL);
        for (size_t c = 0; c < count; c++) {
            const double ms = ms_of(rows, cell, names[c]);
            took[c] += ms > 0;
            by[c] += ms > 0 && ms <= target;
        }
        if (best && best->ms > target)
            printf("    missed: %s keys, %zu bins: %.4f ms (%s), target %.4f\n", cell->keys,
                   cell->bins, best->ms, best->who, target);
    }
    if (cells == 0)
        return;
    printf("%s: %zu of %zu cells\n", goal->title, reached, cells);
    if (goal == goals)
        printf("    within 1.2 x what reading took in the same run: %zu of %zu\n", near_reading,
               cells);
    for (size_t c = 0; c < count; c++)
        if (took[c] > 0)
            printf("    %-24s %3zu of %zu\n", names[c], by[c], cells);
}

static void print_within(const struct rows *rows, const char **names, size_t count)
{
    printf("\nWithin 10%% of the fastest chapter, of all cells that a chapter takes:\n");
    for (size_t c = 0; c < count; c++) {
        size_t cells = 0, within = 0;
        for (size_t i = 0; i < rows->count; i++) {
            const struct row *row = &rows->row[i];
            if (strcmp(row->who, names[c]) != 0)
                continue;
            const struct row *best = fastest(rows, row);
            cells++;
            within += best && row->ms > 0 && row->ms <= 1.1 * best->ms;
        }
        printf("    %-24s %3zu of %zu, %.1f%%\n", names[c], within, cells,
               100.0 * (double)within / (double)cells);
    }
}

int main(int count, char **arguments)
{
    static struct rows rows;
    static struct peers peers;
    const char *names[MOST_NAMES];
    if (count < 4) {
        fprintf(stderr, "usage: %s PEERS.csv OUT.csv IN.csv...\n", arguments[0]);
        return 2;
    }
    read_peers(&peers, arguments[1]);
    for (int i = 3; i < count; i++) {
        read_rows(&rows, arguments[i]);
        drop_older(&rows);
    }
    FILE *out = fopen(arguments[2], "w");
    if (!out) {
        fprintf(stderr, "%s: cannot be written\n", arguments[2]);
        return 1;
    }
    write_rows(out, &rows, &peers);
    fclose(out);
    const size_t found = chapters(&rows, names);
    printf("\nHow many cells reach the target: the fastest chapter, then each.\n");
    for (size_t i = 0; i < GOALS; i++)
        print_goal(&rows, &peers, &goals[i], names, found);
    print_within(&rows, names, found);
    return 0;
}
