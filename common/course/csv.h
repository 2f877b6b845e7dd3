/* csv.h - the CSV files that this project writes: a header, rows, no quotes in them. */
#ifndef CSV_H
#define CSV_H

#include <stdbool.h>
#include <stddef.h>

#include "util.h"

enum { CSV_COLUMNS = 64 };

/* A file that is open, and its row at hand. */
struct csv {
    const char *name;
    struct lines rows;
    char *column[CSV_COLUMNS], *value[CSV_COLUMNS];
    size_t columns;
};

/* Opens the file and reads its header. Returns false when it cannot be read, or is empty. */
bool csv_open(struct csv *csv, const char *name);
/* Reads the next row. Returns false at the end; rows with other columns than the header
 * are passed over. */
bool csv_next(struct csv *csv);
void csv_close(struct csv *csv);
/* Opens a file, takes its first row and closes it. Returns false when there is none. */
bool csv_first(struct csv *csv, const char *name);
/* Whether the row at hand says that a result is correct: of a row of the ladder. */
bool csv_is_correct(const struct csv *row);

/* The value in the row at hand; NULL when there is no such column. */
const char *csv_find(const struct csv *csv, const char *column);
/* The same; without such a column the program ends with one line. */
const char *csv_text(const struct csv *csv, const char *column);
/* The value as a number. Returns false when there is no such column, or it is no number: for
 * expression_value(), with the file as its context. */
bool csv_value(const void *csv, const char *column, double *value);
double csv_number(const struct csv *csv, const char *column);

#endif
