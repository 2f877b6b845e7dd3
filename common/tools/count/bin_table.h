/* bin_table.h - what was counted, as a table for people and as comma-separated values. */
#ifndef BIN_TABLE_H
#define BIN_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "counted_file.h"

/* A table: a line for each bin that holds anything, with its share of the file and a bar. `heading`: with
 * the file's name and length above it. */
void print_bin_table(FILE *out, const struct counted_file *counted, bool heading);

/* A line for each bin: its number, its first and last byte, and a column for each file, with its name. */
void print_bin_csv(FILE *out, const struct counted_file *columns, size_t count);

#endif
