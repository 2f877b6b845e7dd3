/* keyed_cells.c - which numbers of bins and which keys an operation is timed on. */
#define _GNU_SOURCE
#include "keyed_cells.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Those of the paper about generalized histograms, and as many counters as shared memory holds. */
static const size_t sizes[] = {31,    127,   505,    2041,   6141,   12281,  24569,
                               49145, 58112, 196607, 393215, 786431, 1572863};
static const size_t shared_memory_full = 58112;
static const size_t few_sizes[] = {505, 12281, 196607};

enum { SIZES = sizeof sizes / sizeof *sizes, FEW_SIZES = sizeof few_sizes / sizeof *few_sizes };

static size_t cross(const size_t *bins, size_t count, unsigned int crowds, struct keyed_cell *cells)
{
    size_t found = 0;
    for (size_t i = 0; i < count; i++)
        for (int crowd = 0; crowd < CROWDS; crowd++)
            if (crowds >> crowd & 1)
                cells[found++] = (struct keyed_cell){bins[i], (enum crowd)crowd};
    return found;
}

static size_t cells_of_operation(struct keyed_cell *cells)
{
    if (OPERATION_IS(count))
        return cross(sizes, SIZES, (1u << CROWDS) - 1, cells);
    if (OPERATION_IS(saturate) || OPERATION_IS(argmax)) {
        size_t papers[SIZES], count = 0;
        for (size_t i = 0; i < SIZES; i++)
            if (sizes[i] != shared_memory_full)
                papers[count++] = sizes[i];
        return cross(papers, count, 1u << CROWD_UNIFORM | 1u << CROWD_STRIDE_63, cells);
    }
    return cross(few_sizes, FEW_SIZES, ((1u << CROWDS) - 1) & ~(1u << CROWD_STRIDE_63), cells);
}

/* "505:zipf" */
static bool cell_named(char *name, struct keyed_cell *cell)
{
    char *end;
    cell->num_bins = strtoul(name, &end, 10);
    if (end == name || *end != ':' || cell->num_bins == 0 || cell->num_bins > 1u << 22)
        return false;
    for (int crowd = 0; crowd < CROWDS; crowd++)
        if (strcmp(end + 1, crowd_names[crowd]) == 0) {
            cell->crowd = (enum crowd)crowd;
            return true;
        }
    return false;
}

size_t keyed_cells(const char *list, struct keyed_cell *cells)
{
    size_t count = 0;
    bool known = true;
    if (strcmp(list, "all") == 0)
        return cells_of_operation(cells);
    char *copy = strdup(list), *rest = copy;
    for (char *name; known && count < MOST_CELLS && (name = strsep(&rest, ","));)
        known = copy && cell_named(name, &cells[count++]);
    free(copy);
    return known ? count : 0;
}
