/* device_table.c - the ladder of Part IV: what counting a text on several devices costs. */
#include <stdio.h>

#include "rungs.h"

#define REQUESTS "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"

static const struct column columns[] = {
    {"", "devices", "devices", NULL, "devices", 7, 0},
    {"", "launches", "launches", NULL, "launches", 8, 0},
    {"bytes", "copied", "copied_bytes", NULL, "bytes copied", 11, 0},
    {"to one", "device", "most_copied_bytes", NULL, "bytes to one device", 11, 0},
    {"load", "requests", REQUESTS, NULL, "load requests", 9, 0},
    {"sectors", "a request", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", REQUESTS,
     "sectors a request", 9, 2},
    {"global", "atomics", "global_atomics", NULL, "global atomics", 9, 0},
    {"shared", "atomics", "shared_atomics", NULL, "shared atomics", 11, 0},
    {"collec-", "tives", "collectives", NULL, "collectives", 7, 0},
    {"bytes", "of each", "collective_bytes", NULL, "bytes of a collective", 7, 0},
};
_Static_assert(sizeof columns / sizeof *columns <= (size_t)MOST_CHANGES, "a change for each");

static void print_heading(const struct csv *row)
{
    printf("%s characters of %s in %s bins, on %s simulated GPUs\n\n",
           whole(csv_number(row, "length")), csv_text(row, "input"), csv_text(row, "bins"),
           csv_text(row, "devices"));
}

static bool print_notes(bool several)
{
    printf(
        "\nAll devices together, but for the column \"to one device\", which is of the one with "
        "the\n"
        "most. Bytes copied: from the host to a device. Collectives: reductions of bins, of NCCL\n"
        "and of MPI. Bytes of each: what each member brings to one. SIM_DEVICES=8 takes more.\n");
    if (several)
        printf("Under each row: what changed from the row above.\n");
    return true;
}

const struct table table_of_devices = {print_heading, columns, sizeof columns / sizeof *columns,
                                       print_notes};
