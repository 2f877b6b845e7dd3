/* csv.c - reads CSV files, row by row: see csv.h. */
#include "csv.h"

#include <stdlib.h>
#include <string.h>

/* Cuts a line at its commas, in place, and points `fields` at the pieces. */
static size_t cut(char *line, char **fields)
{
    size_t count = 0;
    line[strcspn(line, "\r")] = '\0';
    for (char *field = line; field && count < CSV_COLUMNS; count++) {
        char *comma = strchr(field, ',');
        if (comma)
            *comma = '\0';
        fields[count] = field;
        field = comma ? comma + 1 : NULL;
    }
    return count;
}

bool csv_open(struct csv *csv, const char *name)
{
    csv->name = name;
    csv->rows = lines_of(name);
    if (!next_line(&csv->rows))
        return false;
    csv->columns = cut(format("%s", csv->rows.line), csv->column);
    return true;
}

bool csv_next(struct csv *csv)
{
    while (next_line(&csv->rows))
        if (cut(csv->rows.line, csv->value) == csv->columns)
            return true;
    return false;
}

void csv_close(struct csv *csv)
{
    end_lines(&csv->rows);
}

bool csv_first(struct csv *csv, const char *name)
{
    const bool any = csv_open(csv, name) && csv_next(csv);
    csv_close(csv);
    return any;
}

bool csv_is_correct(const struct csv *row)
{
    const char *correct = csv_find(row, "correct");
    return correct && strcmp(correct, "yes") == 0;
}

const char *csv_find(const struct csv *csv, const char *column)
{
    for (size_t i = 0; i < csv->columns; i++)
        if (strcmp(csv->column[i], column) == 0)
            return csv->value[i];
    return NULL;
}

const char *csv_text(const struct csv *csv, const char *column)
{
    const char *value = csv_find(csv, column);
    if (!value)
        fail(1, "%s: there is no column %s", csv->name, column);
    return value;
}

bool csv_value(const void *csv, const char *column, double *value)
{
    const char *text = csv_find(csv, column);
    char *end = NULL;
    if (!text)
        return false;
    *value = strtod(text, &end);
    return end != text && !*end;
}

double csv_number(const struct csv *csv, const char *column)
{
    return strtod(csv_text(csv, column), NULL);
}
