/* row_columns.h - a table of the ladder whose columns are each a column of the rows, or two divided. */
#ifndef ROW_COLUMNS_H
#define ROW_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>

#include "changes.h"
#include "csv.h"

/* A column, after the chapter's name and whether it is right. */
struct column {
    const char *above, *below; /* its two words */
    const char *column;        /* of the row */
    const char *per;           /* what that is divided by; NULL: nothing, and "-" where it is 0 */
    const char *change;        /* what it is called in a sentence; NULL: its changes are not told */
    int width, digits;         /* digits behind the point of what is no whole number */
};

enum { MILLISECONDS = -1 }; /* as digits: a time, or "-" where there is none */

/* The two lines above the columns; `timed` says that times were measured here, and there is a column more, of
 * which a row has its time, or 0. */
void columns_print_words(const struct column columns[], size_t count, bool timed);
void columns_print_row(const struct column columns[], size_t count, const struct csv *row,
                       bool timed, double measured_ms);
/* What may differ between two rows. Returns how many changes that is, at most `count`. */
size_t columns_compare(const struct column columns[], size_t count, const struct csv *before,
                       const struct csv *after, struct change changes[]);

#endif
