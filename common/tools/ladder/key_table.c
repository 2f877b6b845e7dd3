/* key_table.c - the ladder of Part II: what reducing elements by their keys costs. */
#include <stdio.h>
#include <string.h>

#include "rungs.h"

enum { COLUMNS = 9 };

/* The columns, after the chapter's name and whether it is right. */
static const struct {
    const char *above, *below, *column;
    const char *change; /* what it is called in a sentence */
    int width, digits;  /* digits behind the point */
} columns[COLUMNS] = {
    {"", "passes", "passes", "passes", 7, 2},
    {"load", "requests", "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", "load requests", 9, 0},
    {"global", "atomics", "global_atomics", "global atomics", 10, 0},
    {"of these", "on bins", "atomics_on_bins", "atomics on the bins", 10, 0},
    {"shared", "atomics", "shared_atomics", "shared atomics", 10, 0},
    {"their", "wavefronts", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum", "wavefronts",
     10, 0},
    {"", "attempts", "attempts", "attempts", 10, 0},
    {"", "locks", "locks", "locks", 8, 0},
    {"", "copies", "copies", "copies", 8, 2},
};

/* One of the two lines above the columns, without blanks at its end. */
static void print_words(bool timed, bool above)
{
    char line[256];
    int used = snprintf(line, sizeof line, "%2s  %-18s %7s", "", above ? "" : "chapter",
                        above ? "" : "correct");
    for (size_t i = 0; i < COLUMNS; i++)
        used += snprintf(line + used, sizeof line - (size_t)used, " %*s", columns[i].width,
                         above ? columns[i].above : columns[i].below);
    if (timed)
        snprintf(line + used, sizeof line - (size_t)used, " %10s", above ? "measured" : "ms");
    for (size_t end = strlen(line); end > 0 && line[end - 1] == ' ';)
        line[--end] = '\0';
    printf("%s\n", line);
}

static void print_heading(const struct csv *row, bool timed)
{
    printf("%s %s in %s bins, operation %s, on the simulated GPU\n\n",
           whole(csv_number(row, "length")), csv_text(row, "input"), whole(csv_number(row, "bins")),
           csv_text(row, "operation"));
    print_words(timed, true);
    print_words(timed, false);
}

/* A number with thousands separators, or with digits behind the point where it is no whole one. */
static void print_number(double number, int width, int digits)
{
    if (digits > 0 && number != (double)(unsigned long long)number)
        printf(" %*.*f", width, digits, number);
    else
        printf(" %*s", width, whole(number));
}

static void print_row(const struct csv *row, bool timed, double measured_ms)
{
    printf("%2s  %-18s %7s", csv_text(row, "chapter"), csv_text(row, "name"),
           strcmp(csv_text(row, "correct"), "yes") == 0 ? "yes" : "NO");
    for (size_t i = 0; i < COLUMNS; i++)
        print_number(csv_number(row, columns[i].column), columns[i].width, columns[i].digits);
    if (timed)
        printf(" %10s", time_of(measured_ms));
    printf("\n");
}

static size_t compare(const struct csv *before, const struct csv *after, struct change changes[])
{
    for (size_t i = 0; i < COLUMNS; i++)
        changes[i] = change_of(columns[i].change, csv_number(before, columns[i].column),
                               csv_number(after, columns[i].column));
    return COLUMNS;
}

static bool print_notes(bool several)
{
    printf(
        "\nPasses: how many times each element is read. Attempts: compare-and-swaps that are to\n"
        "update a bin. Locks: how many times one is taken. Copies: words that atomics touch\n"
        "beside the bins, in shared or global memory, divided by the number of bins.\n");
    if (several)
        printf("Requests are made by warps, the others by threads. Under each row: what changed "
               "from the row above.\n");
    return true;
}

const struct table table_of_keys = {print_heading, print_row, compare, print_notes};
