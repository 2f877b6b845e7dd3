/* key_table.c - the ladder of Part II: what reducing elements by their keys costs. */
#include <stdio.h>

#include "rungs.h"

static const struct column columns[] = {
    {"", "passes", "passes", NULL, "passes", 7, 2},
    {"load", "requests", "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", NULL, "load requests",
     9, 0},
    {"global", "atomics", "global_atomics", NULL, "global atomics", 10, 0},
    {"of these", "on bins", "atomics_on_bins", NULL, "atomics on the bins", 10, 0},
    {"shared", "atomics", "shared_atomics", NULL, "shared atomics", 10, 0},
    {"their", "wavefronts", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum", NULL,
     "wavefronts", 10, 0},
    {"", "attempts", "attempts", NULL, "attempts", 10, 0},
    {"", "locks", "locks", NULL, "locks", 8, 0},
    {"", "copies", "copies", NULL, "copies", 8, 2},
};
_Static_assert(sizeof columns / sizeof *columns <= (size_t)MOST_CHANGES, "a change for each");

static void print_heading(const struct csv *row)
{
    printf("%s %s in %s bins, operation %s, on the simulated GPU\n\n",
           whole(csv_number(row, "length")), csv_text(row, "input"), whole(csv_number(row, "bins")),
           csv_text(row, "operation"));
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

const struct table table_of_keys = {print_heading, columns, sizeof columns / sizeof *columns,
                                    print_notes};
