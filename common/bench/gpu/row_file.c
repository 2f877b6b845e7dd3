/* row_file.c - a CSV file that rows are appended to. */
#include "row_file.h"

#include <stdlib.h>

FILE *report_open(const char *file, const char *header)
{
    FILE *csv = fopen(file, "a");
    if (!csv) {
        fprintf(stderr, "gpu: cannot write %s\n", file);
        exit(1);
    }
    fseek(csv, 0, SEEK_END);
    if (ftell(csv) == 0)
        fprintf(csv, "%s\n", header);
    return csv;
}
