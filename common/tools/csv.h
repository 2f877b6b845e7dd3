/* csv.h - lines of the CSV files that this project writes: no quotes in them. */
#ifndef CSV_H
#define CSV_H

#include <stddef.h>

enum { CSV_COLUMNS = 64, CSV_LINE = 4096 };

/* Cuts a line at its commas, in place, and points `fields` (room for CSV_COLUMNS)
 * at the pieces. Returns how many there are. */
size_t csv_cut(char *line, char **fields);

#endif
