/* keyed_cells.h - which numbers of bins and which keys an operation is timed on. */
#ifndef KEYED_CELLS_H
#define KEYED_CELLS_H

#include <stddef.h>

#include "keyed.h"

enum { MOST_CELLS = 128 };

struct keyed_cell {
    size_t num_bins;
    enum crowd crowd;
};

/* The cells of the operation that was compiled for, or those of a list like "505:zipf,31:single"; of
 * these "505:all" and "all:zipf" are cells of the operation again. Returns how many, at most MOST_CELLS;
 * 0 when the list names one that cannot be. */
size_t keyed_cells(const char *list, struct keyed_cell *cells);

#endif
