/* text_table.c - the ladder of Part I: what counting a text costs. */
#include <stdio.h>
#include <string.h>

#include "rungs.h"

static const char requests[] = "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum";
static const char wavefronts[] = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum";

/* Sectors of a load request; 0 when there is none. */
static double sectors(const struct csv *row)
{
    double asked = csv_number(row, requests);
    double moved = csv_number(row, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum");
    return asked > 0 ? moved / asked : 0;
}

static void print_heading(const struct csv *row, bool timed)
{
    printf("%s characters of %s in %s bins, on the simulated GPU\n\n",
           whole(csv_number(row, "length")), csv_text(row, "input"),
           whole(csv_number(row, "bins")));
    printf("%2s  %-18s %7s %9s %11s %10s %10s %10s %10s %10s%s\n", "", "", "", "load",
           "sectors per", "global", "of these", "shared", "their", "predicted",
           timed ? "   measured" : "");
    printf("%2s  %-18s %7s %9s %11s %10s %10s %10s %10s %10s%s\n", "", "chapter", "correct",
           "requests", "request", "atomics", "on bins", "atomics", "wavefronts", "H200 ms",
           timed ? "         ms" : "");
}

static void print_row(const struct csv *row, bool timed, double measured_ms)
{
    char each[32] = "-";
    if (csv_number(row, requests) > 0)
        snprintf(each, sizeof each, "%.2f", sectors(row));
    printf("%2s  %-18s %7s %9s %11s %10s %10s %10s %10s %10s", csv_text(row, "chapter"),
           csv_text(row, "name"), strcmp(csv_text(row, "correct"), "yes") == 0 ? "yes" : "NO",
           whole(csv_number(row, requests)), each, whole(csv_number(row, "global_atomics")),
           whole(csv_number(row, "atomics_on_bins")), whole(csv_number(row, "shared_atomics")),
           whole(csv_number(row, wavefronts)), time_of(csv_number(row, "predicted_ms")));
    if (timed)
        printf(" %10s", time_of(measured_ms));
    printf("\n");
}

static size_t compare(const struct csv *before, const struct csv *after, struct change changes[])
{
    static const struct {
        const char *what, *column;
    } columns[] = {{"load requests", requests},          {"sectors per request", NULL},
                   {"global atomics", "global_atomics"}, {"atomics on the bins", "atomics_on_bins"},
                   {"shared atomics", "shared_atomics"}, {"wavefronts", wavefronts}};
    const size_t count = sizeof columns / sizeof *columns;
    for (size_t i = 0; i < count; i++)
        changes[i] = columns[i].column
                         ? change_of(columns[i].what, csv_number(before, columns[i].column),
                                     csv_number(after, columns[i].column))
                         : change_of(columns[i].what, sectors(before), sectors(after));
    return count;
}

static bool print_notes(bool several)
{
    if (several)
        printf(
            "\nRequests are made by warps, atomics by threads. Under each row: what changed from "
            "the row above.\n");
    return several;
}

const struct table table_of_text = {print_heading, print_row, compare, print_notes};
