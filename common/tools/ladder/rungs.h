/* rungs.h - what the ladder of a part shows of its rows. */
#ifndef RUNGS_H
#define RUNGS_H

#include <stdbool.h>

#include "changes.h"
#include "csv.h"
#include "row_columns.h"

struct table {
    /* What is counted, and an empty line. */
    void (*print_heading)(const struct csv *row);
    const struct column *columns;
    size_t count; /* of columns, at most MOST_CHANGES */
    /* What its columns mean, after an empty line. Returns false when there is nothing to say. */
    bool (*print_notes)(bool several);
};

/* Of histogram(), of reduce_by_index(), of reduce(), and of several devices or ranks. */
extern const struct table table_of_text, table_of_keys, table_of_values, table_of_devices;

/* A number to be read as a whole one: "1,048,576". */
const char *whole(double number);
/* Milliseconds, or "-" when there are none. One of two buffers in turn. */
const char *time_of(double ms);

#endif
