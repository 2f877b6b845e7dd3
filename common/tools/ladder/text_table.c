/* text_table.c - the ladder of Part I: what counting a text costs. */
#include <stdio.h>

#include "rungs.h"

#define REQUESTS "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"

static const struct column columns[] = {
    {"load", "requests", REQUESTS, NULL, "load requests", 9, 0},
    {"sectors per", "request", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", REQUESTS,
     "sectors per request", 11, 2},
    {"global", "atomics", "global_atomics", NULL, "global atomics", 10, 0},
    {"of these", "on bins", "atomics_on_bins", NULL, "atomics on the bins", 10, 0},
    {"shared", "atomics", "shared_atomics", NULL, "shared atomics", 10, 0},
    {"their", "wavefronts", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum", NULL,
     "wavefronts", 10, 0},
    {"predicted", "H200 ms", "predicted_ms", NULL, NULL, 10, MILLISECONDS},
};
_Static_assert(sizeof columns / sizeof *columns <= (size_t)MOST_CHANGES, "a change for each");

static void print_heading(const struct csv *row)
{
    const char *length = whole(csv_number(row, "length"));
    if (csv_find(row, "bins"))
        printf("%s characters of %s in %s bins", length, csv_text(row, "input"),
               whole(csv_number(row, "bins")));
    else /* a contract that has no ladder */
        printf("%s %s", length, csv_text(row, "input"));
    printf(", on the simulated GPU\n\n");
}

static bool print_notes(bool several)
{
    if (several)
        printf(
            "\nRequests are made by warps, atomics by threads. Under each row: what changed from "
            "the row above.\n");
    return several;
}

const struct table table_of_text = {print_heading, columns, sizeof columns / sizeof *columns,
                                    print_notes};
