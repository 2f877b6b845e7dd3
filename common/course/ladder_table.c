/* ladder_table.c - prints the ladder from the rows of the chapters, and writes it as CSV. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "base/cards.h"
#include "commands.h"
#include "csv.h"
#include "grouped.h"
#include "util.h"

/* A column, after the chapter's name and whether it is right. */
struct column {
    const char *above, *below; /* its two words; NULL, NULL ends a table */
    const char *column;        /* of the row */
    const char *per;           /* what that is divided by; NULL: nothing, and "-" where it is 0 */
    const char *change;        /* what it is called in a sentence; NULL: its changes are not told */
    int digits;                /* digits behind the point of what is no whole number */
};

/* As digits: a time, or "-" where there is none, with three digits behind the point; or with four, for what
 * takes some microseconds. */
enum { MILLISECONDS = -1, FEW_MICROSECONDS = -2 };
enum { MOST_COLUMNS = 11, SHOWN = 3 };

#define REQUESTS "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"
#define SECTORS "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"
#define WAVEFRONTS "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum"

/* What the ladder shows of the rows of a contract. */
struct table {
    struct column columns[MOST_COLUMNS + 1];
    const char *notes;   /* what its columns mean */
    const char *several; /* the same, where there is more than one row */
    /* Who predicts its times, and says nothing where there is a dash. */
    const char *predicted_by, *silent;
};

static const struct table text_table = {
    {{"load", "requests", REQUESTS, NULL, "load requests", 0},
     {"sect.", "each", SECTORS, REQUESTS, "sectors a request", 2},
     {"global", "atomics", "global_atomics", NULL, "global atomics", 0},
     {"on the", "bins", "atomics_on_bins", NULL, "atomics on the bins", 0},
     {"shared", "atomics", "shared_atomics", NULL, "shared atomics", 0},
     {"wave-", "fronts", WAVEFRONTS, NULL, "wavefronts", 0},
     {"H200", "ms", "predicted_ms", NULL, NULL, MILLISECONDS}},
    "",
    "\nLoad requests are made by warps, each for so many sectors of 32 bytes, and\n"
    "atomics by threads; wavefronts are those of shared atomics.\n",
    "these counters",
    "the counters do"};

static const struct table of_keys = {
    {{"", "passes", "passes", NULL, "passes", 2},
     {"load", "requests", REQUESTS, NULL, "load requests", 0},
     {"global", "atomics", "global_atomics", NULL, "global atomics", 0},
     {"on the", "bins", "atomics_on_bins", NULL, "atomics on the bins", 0},
     {"shared", "atomics", "shared_atomics", NULL, "shared atomics", 0},
     {"wave-", "fronts", WAVEFRONTS, NULL, "wavefronts", 0},
     {"", "attempts", "attempts", NULL, "attempts", 0},
     {"", "locks", "locks", NULL, "locks", 0},
     {"", "copies", "copies", NULL, "copies", 2},
     {"H200", "ms", "predicted_ms", NULL, NULL, FEW_MICROSECONDS}},
    "\nPasses: how many times each element is read. Attempts: compare-and-swaps that\n"
    "are to update a bin. Locks: how many times one is taken. Copies: words that\n"
    "atomics touch beside the bins, in shared or global memory, divided by the\n"
    "number of bins.\n",
    "Requests are made by warps, the others by threads.\n",
    "the clock of the simulated GPU",
    "the clock does"};

static const struct table of_values = {
    {{"laun-", "ches", "launches", NULL, "launches", 0},
     {"reading", "threads", "reading_threads", NULL, "threads that read", 0},
     {"load", "requests", REQUESTS, NULL, "load requests", 0},
     {"sect.", "each", SECTORS, REQUESTS, "sectors a request", 2},
     {"barr.", "a block", "barriers_a_block", NULL, "barriers a block", 0},
     {"shared", "words", "shared_words", NULL, "shared words a block", 0},
     {"bank", "confl.", "bank_conflicts", NULL, "bank conflicts", 0},
     {"shuf-", "fles", "shuffles", NULL, "shuffles", 0},
     {"global", "atomics", "global_atomics", NULL, "global atomics", 0},
     {"grid", "waits", "grid_barriers", NULL, "wait of the grid", 0},
     {"H200", "ms", "predicted_ms", NULL, NULL, FEW_MICROSECONDS}},
    "\nBarriers: those that a block passes at most. Shared words: of 4 bytes, that a\n"
    "block touches at most. Shuffles: all by which lanes of a warp exchange values,\n"
    "or vote. Grid waits: how often all blocks of a cooperative launch wait for each\n"
    "other.\n",
    "Requests and shuffles are made by warps, atomics by threads.\n",
    "the clock of the simulated GPU",
    "the clock does"};

static const struct table of_devices = {
    {{"de-", "vices", "devices", NULL, "devices", 0},
     {"laun-", "ches", "launches", NULL, "launches", 0},
     {"bytes", "copied", "copied_bytes", NULL, "bytes copied", 0},
     {"to one", "device", "most_copied_bytes", NULL, "bytes to one device", 0},
     {"load", "requests", REQUESTS, NULL, "load requests", 0},
     {"sect.", "each", SECTORS, REQUESTS, "sectors a request", 2},
     {"global", "atomics", "global_atomics", NULL, "global atomics", 0},
     {"shared", "atomics", "shared_atomics", NULL, "shared atomics", 0},
     {"collec-", "tives", "collectives", NULL, "collectives", 0},
     {"bytes", "of each", "collective_bytes", NULL, "bytes of a collective", 0}},
    "\nAll devices together, but for the column \"to one device\", which is of the one\n"
    "with the most. Bytes copied: from the host to a device. Collectives: reductions\n"
    "of bins, of NCCL and of MPI. Bytes of each: what each member brings to one.\n"
    "SIM_DEVICES=8 takes more.\n",
    "",
    NULL,
    NULL};

/* Rows of one contract, from the first on; what is known of all of them so far. */
struct ladder {
    FILE *csv;
    const struct table *table; /* of the row above; NULL before the first */
    size_t rows;               /* in this table */
    bool predicted, all_correct;
    /* Of all rows: how wide their names are, and the columns of a table; 0: it is not shown, for it has
     * nothing but zeros. */
    int name_width;
    struct widths {
        const struct table *table;
        int column[MOST_COLUMNS];
    } widths[4];
};

/* A number to be read as a whole one: "1,048,576". */
static const char *whole(double number)
{
    return grouped((unsigned long long)(number + 0.5));
}

/* 0 where there is nothing to divide by. */
static double value_of(const struct column *column, const struct csv *row)
{
    const double value = csv_number(row, column->column);
    const double by = column->per ? csv_number(row, column->per) : 1;
    return by > 0 ? value / by : 0;
}

/* A number with thousands separators, or with digits behind the point where it is no whole one, or
 * one of two that are divided; a time. "-" where there is none. */
static const char *cell_of(const struct column *column, const struct csv *row)
{
    if (!csv_find(row, column->column)) /* of a contract that has no ladder */
        return "-";
    const double number = value_of(column, row);
    if (column->digits < 0)
        return number > 0 ? format("%.*f", column->digits == FEW_MICROSECONDS ? 4 : 3, number)
                          : "-";
    if (column->per && csv_number(row, column->per) <= 0)
        return "-";
    if (column->per || (column->digits > 0 && number != (double)(unsigned long long)number))
        return format("%.*f", column->digits, number);
    return whole(number);
}

/* How one thing differs between two rows. Below the factor a change is not worth a word, and
 * `weight` is 0; a quantity that comes or goes is worth more than one that grows. */
struct change {
    const char *words;
    double weight;
};

static struct change change_of(const char *what, double before, double after)
{
    static const double least_factor = 1.25, comes_or_goes = 1e12;
    if (before <= 0 && after <= 0)
        return (struct change){.weight = 0};
    if (before <= 0 || after <= 0)
        return (struct change){before <= 0 ? format("%s %s", whole(after), what)
                                           : format("no %s", what),
                               comes_or_goes + before + after};
    double factor = before > after ? before / after : after / before;
    if (factor < least_factor)
        return (struct change){.weight = 0};
    return (struct change){format("%s times %s %s",
                                  factor < 10 ? format("%.1f", factor) : whole(factor),
                                  before > after ? "fewer" : "more", what),
                           factor};
}

/* A line that begins so, and goes on with the three changes that tell most, or those of them that have room. */
static const char *with_changes(const char *begin, const struct table *table,
                                const struct csv *before, const struct csv *after)
{
    struct change changes[MOST_COLUMNS];
    size_t count = 0;
    for (const struct column *column = table->columns; column->below; column++)
        if (column->change)
            changes[count++] =
                change_of(column->change, value_of(column, before), value_of(column, after));
    const char *line = begin;
    for (size_t told = 0; told < SHOWN; told++) {
        size_t most = 0;
        for (size_t i = 1; i < count; i++)
            if (changes[i].weight > changes[most].weight)
                most = i;
        const char *longer = format("%s%s%s", line, line == begin ? "" : ", ", changes[most].words);
        if (changes[most].weight > 0 && strlen(longer) <= WIDEST)
            line = longer;
        changes[most].weight = 0;
    }
    return line != begin ? line : format("%sthe same counters as the row above", begin);
}

static struct widths *widths_of(struct ladder *ladder, const struct table *table)
{
    struct widths *widths = ladder->widths;
    while (widths->table && widths->table != table)
        widths++;
    widths->table = table;
    return widths;
}

static const struct table *table_for(const struct csv *row)
{
    const bool has_operation = csv_find(row, "operation"), has_bins = csv_find(row, "bins");
    return csv_find(row, "devices") ? &of_devices
           : !has_operation         ? &text_table
           : has_bins               ? &of_keys
                                    : &of_values;
}

/* Makes the columns as wide as a row needs them; of a row by itself those, too, that are zero. */
static void make_room(struct ladder *ladder, const struct csv *row, bool alone)
{
    const struct table *table = table_for(row);
    struct widths *widths = widths_of(ladder, table);
    const int name = (int)strlen(csv_text(row, "name"));
    ladder->name_width = name > ladder->name_width ? name : ladder->name_width;
    for (size_t i = 0; table->columns[i].below; i++) {
        const struct column *column = &table->columns[i];
        const size_t needed[] = {strlen(cell_of(column, row)), strlen(column->above),
                                 strlen(column->below)};
        if (csv_find(row, column->column) && (alone || value_of(column, row) > 0))
            for (size_t j = 0; j < LENGTH(needed); j++)
                if (widths->column[i] < (int)needed[j])
                    widths->column[i] = (int)needed[j];
    }
}

/* Whether the numbers of a row stand below its name, since beside it they are wider than a terminal. */
static bool is_wide(struct ladder *ladder)
{
    const struct widths *widths = widths_of(ladder, ladder->table);
    int width = (int)strlen("60  yes") + ladder->name_width;
    for (size_t i = 0; ladder->table->columns[i].below; i++)
        width += widths->column[i] ? 1 + widths->column[i] : 0;
    return width > WIDEST;
}

/* One of the two lines above the columns, without blanks at its end. */
static void print_words(struct ladder *ladder, bool above)
{
    const struct table *table = ladder->table;
    const struct widths *widths = widths_of(ladder, table);
    char *line = is_wide(ladder) ? ""
                                 : format("   %-*s %3s", ladder->name_width, above ? "" : "chapter",
                                          above ? "" : "ok");
    for (size_t i = 0; table->columns[i].below; i++)
        if (widths->column[i])
            line = format("%s %*s", line, widths->column[i],
                          above ? table->columns[i].above : table->columns[i].below);
    for (size_t end = strlen(line); end > 0 && line[end - 1] == ' ';)
        line[--end] = '\0';
    printf("%s\n", line);
}

/* A row, and what changed from the one above; of the first, NULL, nothing. */
static void print_row(struct ladder *ladder, const struct csv *above, const struct csv *row)
{
    const struct table *table = ladder->table;
    const struct widths *widths = widths_of(ladder, table);
    const char *chapter = csv_text(row, "chapter"), *name = csv_text(row, "name"), *numbers = "";
    const bool right = csv_is_correct(row);
    for (size_t i = 0; table->columns[i].below; i++)
        if (widths->column[i])
            numbers =
                format("%s %*s", numbers, widths->column[i], cell_of(&table->columns[i], row));
    if (is_wide(ladder)) {
        const char *line = format("%2s %s: %s", chapter, name, right ? "right" : "WRONG");
        printf("%s\n%s\n", above ? with_changes(format("%s, ", line), table, above, row) : line,
               numbers);
        return;
    }
    printf("%2s %-*s %3s%s\n", chapter, ladder->name_width, name, right ? "yes" : "NO", numbers);
    if (above)
        printf("%s\n", with_changes("      ", table, above, row));
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

/* What is counted, and the words above the columns. */
static void begin_table(struct ladder *ladder, const struct csv *row)
{
    const char *operation = csv_find(row, "operation"), *bins = csv_find(row, "bins"),
               *devices = csv_find(row, "devices");
    const struct sim_card *card = sim_card_chosen();
    const bool measured = sim_card_is_measured(card);
    print_wrapped(format("%s %s%s%s%s, on %s simulated GPU%s%s%s", whole(csv_number(row, "length")),
                         operation || !bins ? "" : "characters of ", csv_text(row, "input"),
                         bins ? format(" in %s bins", whole(csv_number(row, "bins"))) : "",
                         operation ? format(", operation %s", operation) : "",
                         devices ? devices : "the", devices ? "s" : "",
                         measured ? "" : " with the limits of an ", measured ? "" : card->name),
                  0, WIDEST);
    printf("\n");
    print_words(ladder, true);
    print_words(ladder, false);
}

/* Below a table: what its columns mean, and its times. */
static void end_table(struct ladder *ladder)
{
    const struct table *table = ladder->table;
    const bool several = ladder->rows > 1;
    printf("%s%s", table->notes, several ? table->several : "");
    if (several)
        printf("%s: what changed from the row above.\n",
               is_wide(ladder) ? "Beside each name" : "Under each row");
    if (!*table->notes && !several && ladder->predicted)
        printf("\n");
    if (ladder->predicted)
        print_wrapped(format("The last column is a prediction for an NVIDIA H200, no measurement, "
                             "from %s. A dash: %s not tell the time (docs/prediction.md).",
                             table->predicted_by, table->silent),
                      0, WIDEST);
}

static void add_row(struct ladder *ladder, const struct csv *above, const struct csv *row)
{
    const struct table *table = table_for(row);
    const char *predicted = csv_find(row, "predicted_ms");
    const bool other = table != ladder->table;
    const bool first = other || strcmp(csv_text(above, "input"), csv_text(row, "input")) != 0;
    if (other && ladder->table)
        end_table(ladder);
    if (other)
        write_fields(ladder->csv, row, row->column);
    if (first && ladder->table)
        printf("\n");
    ladder->table = table;
    if (first) {
        ladder->rows = 0;
        ladder->predicted &= !other;
        begin_table(ladder, row);
    }
    write_fields(ladder->csv, row, row->value);
    print_row(ladder, first ? NULL : above, row);
    ladder->rows++;
    ladder->predicted |= predicted && strtod(predicted, NULL) > 0;
    ladder->all_correct &= csv_is_correct(row);
}

static int draw(const char *csv, const char *svg)
{
    if (system("command -v gnuplot >/dev/null") != 0) {
        printf("no %s: gnuplot is not installed (sudo apt-get install gnuplot-nox)\n", svg);
        return 0;
    }
    fflush(stdout);
    if (system(format("gnuplot -e \"csv='%s'; svg='%s'\" common/course/ladder_table.gp", csv,
                      svg)) != 0)
        return 1;
    printf("The rows are in %s, drawn in %s.\n", csv, svg);
    return 0;
}

/* OUT.csv ROW.csv...: the rows are those that row.c writes, in the order of the chapters. OUT.csv gets
 * their columns up to threads_per_block. Rows of two contracts, or inputs, get a table each. Status 1 when a result was wrong.
 * --draw LADDER.csv OUT.svg draws it, where gnuplot is installed. */
int table_command(int count, char **arguments)
{
    static struct csv rows[2]; /* this one and the one above it, in turn */
    if (count == 4 && strcmp(arguments[1], "--draw") == 0)
        return draw(arguments[2], arguments[3]);
    struct ladder ladder = {.all_correct = true, .name_width = (int)strlen("chapter")};
    ladder.csv = fopen(arguments[1], "w");
    if (!ladder.csv)
        fail(1, "cannot write %s", arguments[1]);
    for (int i = 2; i < count; i++)
        if (csv_first(rows, arguments[i]))
            make_room(&ladder, rows, count == 3);
    for (int i = 2; i < count; i++) {
        struct csv *row = &rows[i % 2];
        if (!csv_first(row, arguments[i]))
            fail(1, "%s: there is no row in it", arguments[i]);
        add_row(&ladder, &rows[(i + 1) % 2], row);
    }
    fclose(ladder.csv);
    end_table(&ladder);
    return ladder.all_correct ? 0 : 1;
}
