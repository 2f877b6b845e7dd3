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

enum {
    TWO_KINDS = 1u << CROWD_UNIFORM | 1u << CROWD_STRIDE_63,
    FOUR_KINDS = 1u << CROWD_UNIFORM | 1u << CROWD_ZIPF | 1u << CROWD_SINGLE | 1u << CROWD_NINETY
};
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
        return cross(sizes, SIZES, TWO_KINDS | FOUR_KINDS, cells);
    if (OPERATION_IS(saturate) || OPERATION_IS(argmax)) {
        size_t papers[SIZES], count = 0;
        for (size_t i = 0; i < SIZES; i++)
            if (sizes[i] != shared_memory_full)
                papers[count++] = sizes[i];
        return cross(papers, count, TWO_KINDS, cells);
    }
    return cross(few_sizes, FEW_SIZES, FOUR_KINDS, cells);
}

static enum crowd crowd_named(const char *name)
{
    int crowd = 0;
    while (crowd < CROWDS && strcmp(crowd_names[crowd], name) != 0)
        crowd++;
    return (enum crowd)crowd;
}

/* "505:zipf", "505:all", "all:zipf" or "all". Returns how many cells there are now, from `count` on;
 * 0 when there are none of that name. */
static size_t add_named(char *name, struct keyed_cell *cells, size_t count)
{
    struct keyed_cell all[MOST_CELLS];
    const size_t before = count, of_operation = cells_of_operation(all);
    const char *bins = strsep(&name, ":"), *keys = name ? name : "all";
    const bool any_bins = strcmp(bins, "all") == 0, any_keys = strcmp(keys, "all") == 0;
    char *end;
    const struct keyed_cell one = {strtoul(bins, &end, 10), crowd_named(keys)};
    if ((!any_bins &&
         (end == bins || *end != '\0' || one.num_bins == 0 || one.num_bins > 1u << 22)) ||
        (!any_keys && one.crowd == CROWDS))
        return 0;
    if (!any_bins && !any_keys && count < MOST_CELLS) {
        cells[count++] = one;
        return count;
    }
    for (size_t i = 0; i < of_operation && count < MOST_CELLS; i++)
        if ((any_bins || all[i].num_bins == one.num_bins) &&
            (any_keys || all[i].crowd == one.crowd))
            cells[count++] = all[i];
    return count > before ? count : 0;
}

size_t keyed_cells(const char *list, struct keyed_cell *cells)
{
    size_t count = 0;
    char *copy = strdup(list), *rest = copy;
    for (char *name; (name = strsep(&rest, ","));)
        if ((count = add_named(name, cells, count)) == 0)
            break;
    free(copy);
    return count;
}
