/* card.c - whether the simulated GPU counts a chapter's kernel as the card did.
 *
 *     card docs/results/h200/counters.csv ROW.csv...
 *
 * A ROW.csv is what row.c writes, of the text that the first file is about. Every counter that
 * both have must be equal, with two exceptions, which docs/simulator.md explains: sectors of
 * atomics on scattered addresses may be 2% apart; and where a warp's sum goes to one counter
 * (one lane of a request adds, or all want one address), the card takes some wavefronts more,
 * up to a third. Prints a line for each counter that is not, and at last "12 passed, 0 failed",
 * by rows; status 1 when one failed, or none was compared. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csv.h"

static const char requests[] = "smsp__inst_executed_op_shared_atom.sum";

static double here(const struct csv *row, const char *column)
{
    return csv_number(row, column);
}

/* Each thread has added up its own share before: atomics far fewer than characters, and every
 * request asks for one word. */
static bool is_sum_of_a_warp(const struct csv *row)
{
    double made = here(row, requests), lanes = here(row, "shared_atomics");
    return here(row, "votes") == 0 && lanes < 0.9 * here(row, "length") && lanes > 8 * made &&
           here(row, "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum") == made &&
           made != here(row, "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum");
}

/* Of the requests, those of one lane, if the others are of 32. */
static double by_single_lanes(const struct csv *row)
{
    return (32 * here(row, requests) - here(row, "shared_atomics")) / 31;
}

/* Whether a counter may be `measured` on the card where the row says `simulated`. */
static bool is_true(const struct csv *row, const char *counter, double simulated, double measured)
{
    bool atomics = strstr(counter, "op_red") || strstr(counter, "op_atom");
    bool loads = strstr(counter, "shared_op_ld") &&
                 (strstr(counter, "conflicts") || strstr(counter, "wavefronts"));
    if (simulated == measured)
        return true;
    if (strstr(counter, "sectors") && atomics)
        return fabs(simulated - measured) <= 0.02 * measured;
    if (strstr(counter, "shared_op_atom") && is_sum_of_a_warp(row))
        return measured > simulated && measured - simulated <= 0.25 * here(row, requests);
    if (strstr(counter, "shared_op_atom") && here(row, "votes") > 0)
        return measured > simulated && measured - simulated <= 0.35 * by_single_lanes(row);
    return loads && is_sum_of_a_warp(row) && measured - simulated <= 8;
}

/* Finds the card's counters for a row. */
static bool find_on_card(struct csv *card, const char *file, const struct csv *row)
{
    if (!csv_open(card, file)) {
        perror(file);
        exit(2);
    }
    bool found = false;
    while (!found && csv_next(card))
        found = here(card, "chapter") == here(row, "chapter") &&
                here(card, "bins") == here(row, "bins");
    csv_close(card);
    return found;
}

/* Returns how many counters differ; prints them. */
static unsigned int compare(const struct csv *card, const struct csv *row)
{
    unsigned int wrong = 0;
    for (size_t i = 0; i < row->columns; i++) {
        const char *counter = row->column[i];
        const char *measured = strstr(counter, ".sum") ? csv_find(card, counter) : NULL;
        if (!measured || is_true(row, counter, strtod(row->value[i], NULL), strtod(measured, NULL)))
            continue;
        printf("chapter %s, %s bins: %s: %s on the H200, %s simulated\n", csv_text(row, "chapter"),
               csv_text(row, "bins"), counter, measured, row->value[i]);
        wrong++;
    }
    return wrong;
}

int main(int count, char **arguments)
{
    static struct csv card, row;
    unsigned int passed = 0, failed = 0;
    for (int i = 2; i < count; i++) {
        if (!csv_open(&row, arguments[i]) || !csv_next(&row)) {
            printf("%s: there is no row in it\n", arguments[i]);
            failed++;
            continue;
        }
        csv_close(&row);
        if (!find_on_card(&card, arguments[1], &row))
            continue;
        if (compare(&card, &row) > 0)
            failed++;
        else
            passed++;
    }
    printf("%u passed, %u failed\n", passed, failed);
    return failed > 0 || passed == 0;
}
