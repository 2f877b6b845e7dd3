/* csv.c - cuts a line at its commas. */
#include "csv.h"

#include <string.h>

size_t csv_cut(char *line, char **fields)
{
    size_t count = 0;
    line[strcspn(line, "\r\n")] = '\0';
    for (char *field = line; field && count < CSV_COLUMNS; count++) {
        char *comma = strchr(field, ',');
        if (comma)
            *comma = '\0';
        fields[count] = field;
        field = comma ? comma + 1 : NULL;
    }
    return count;
}
