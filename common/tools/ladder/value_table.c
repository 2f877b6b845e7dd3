/* value_table.c - the ladder of Part III: what reducing an array to one value costs. */
#include <stdio.h>

#include "rungs.h"

#define REQUESTS "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"

static const struct column columns[] = {
    {"", "launches", "launches", NULL, "launches", 8, 0},
    {"reading", "threads", "reading_threads", NULL, "threads that read", 9, 0},
    {"load", "requests", REQUESTS, NULL, "load requests", 8, 0},
    {"sectors", "a request", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", REQUESTS,
     "sectors a request", 9, 2},
    {"barriers", "a block", "barriers_a_block", NULL, "barriers a block", 8, 0},
    {"shared", "words", "shared_words", NULL, "shared words a block", 6, 0},
    {"bank", "conflicts", "bank_conflicts", NULL, "bank conflicts", 9, 0},
    {"", "shuffles", "shuffles", NULL, "shuffles", 8, 0},
    {"global", "atomics", "global_atomics", NULL, "global atomics", 8, 0},
    {"waits of", "the grid", "grid_barriers", NULL, "wait of the grid", 8, 0},
};
_Static_assert(sizeof columns / sizeof *columns <= (size_t)MOST_CHANGES, "a change for each");

static void print_heading(const struct csv *row)
{
    printf("%s %s, operation %s, on the simulated GPU\n\n", whole(csv_number(row, "length")),
           csv_text(row, "input"), csv_text(row, "operation"));
}

static bool print_notes(bool several)
{
    printf(
        "\nBarriers: those that a block passes at most. Shared words: of 4 bytes, that a block\n"
        "touches at most. Shuffles: all by which lanes of a warp exchange values, or vote.\n"
        "Waits of the grid: how often all blocks of a cooperative launch wait for each other.\n");
    if (several)
        printf("Requests and shuffles are made by warps, atomics by threads. Under each row: what "
               "changed\nfrom the row above.\n");
    return true;
}

const struct table table_of_values = {print_heading, columns, sizeof columns / sizeof *columns,
                                      print_notes};
