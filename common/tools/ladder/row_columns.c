/* row_columns.c - prints rows by a list of columns: see row_columns.h. */
#include "row_columns.h"

#include <stdio.h>
#include <string.h>

#include "rungs.h"

/* One of the two lines above the columns, without blanks at its end. */
static void print_line(const struct column columns[], size_t count, bool timed, bool above)
{
    char line[256];
    int used = snprintf(line, sizeof line, "%2s  %-18s %7s", "", above ? "" : "chapter",
                        above ? "" : "correct");
    for (size_t i = 0; i < count; i++)
        used += snprintf(line + used, sizeof line - (size_t)used, " %*s", columns[i].width,
                         above ? columns[i].above : columns[i].below);
    if (timed)
        snprintf(line + used, sizeof line - (size_t)used, " %10s", above ? "measured" : "ms");
    for (size_t end = strlen(line); end > 0 && line[end - 1] == ' ';)
        line[--end] = '\0';
    printf("%s\n", line);
}

void columns_print_words(const struct column columns[], size_t count, bool timed)
{
    print_line(columns, count, timed, true);
    print_line(columns, count, timed, false);
}

/* 0 where there is nothing to divide by. */
static double value_of(const struct column *column, const struct csv *row)
{
    const double value = csv_number(row, column->column);
    const double by = column->per ? csv_number(row, column->per) : 1;
    return by > 0 ? value / by : 0;
}

/* A number with thousands separators, or with digits behind the point where it is no whole one, or one
 * of two that are divided. */
static void print_number(const struct column *column, const struct csv *row)
{
    if (!csv_find(row, column->column)) { /* of a contract that has no ladder */
        printf(" %*s", column->width, "-");
        return;
    }
    const double number = value_of(column, row);
    if (column->digits == MILLISECONDS)
        printf(" %*s", column->width, time_of(number));
    else if (column->per && csv_number(row, column->per) <= 0)
        printf(" %*s", column->width, "-");
    else if (column->per || (column->digits > 0 && number != (double)(unsigned long long)number))
        printf(" %*.*f", column->width, column->digits, number);
    else
        printf(" %*s", column->width, whole(number));
}

void columns_print_row(const struct column columns[], size_t count, const struct csv *row,
                       bool timed, double measured_ms)
{
    printf("%2s  %-18s %7s", csv_text(row, "chapter"), csv_text(row, "name"),
           strcmp(csv_text(row, "correct"), "yes") == 0 ? "yes" : "NO");
    for (size_t i = 0; i < count; i++)
        print_number(&columns[i], row);
    if (timed)
        printf(" %10s", time_of(measured_ms));
    printf("\n");
}

size_t columns_compare(const struct column columns[], size_t count, const struct csv *before,
                       const struct csv *after, struct change changes[])
{
    size_t told = 0;
    for (size_t i = 0; i < count; i++)
        if (columns[i].change)
            changes[told++] = change_of(columns[i].change, value_of(&columns[i], before),
                                        value_of(&columns[i], after));
    return told;
}
