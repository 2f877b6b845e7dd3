/* ladder_row.c - writes a row of the ladder: see ladder_row.h. */
#include "ladder_row.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void print_header(FILE *file, const struct ladder_row *row)
{
    fprintf(file, "chapter,name,%sinput,length,correct", row->bins ? "bins," : "");
    for (size_t i = 0; i < sim_metric_count(); i++)
        fprintf(file, ",%s", sim_metric(i).name);
    fprintf(file, "%s\n", row->more);
}

/* A name as a field of a CSV file: without what would end the field. */
static void print_name(FILE *file, const char *name)
{
    for (; *name; name++)
        fputc(*name == ',' || *name == '"' || *name == '\n' ? '_' : *name, file);
}

void row_write(const struct ladder_row *row, const struct sim_counters *counters,
               void (*print_more)(FILE *file, const void *context), const void *context)
{
    FILE *file = fopen(row->file, "w");
    if (!file) {
        fprintf(stderr, "cannot write %s: %s\n", row->file, strerror(errno));
        exit(1);
    }
    print_header(file, row);
    fprintf(file, "%s,%s,%s%s", row->chapter, row->name, row->bins ? row->bins : "",
            row->bins ? "," : "");
    print_name(file, row->input);
    fprintf(file, ",%zu,%s", row->length, row->correct ? "yes" : "no");
    for (size_t i = 0; i < sim_metric_count(); i++)
        fprintf(file, ",%" PRIu64, sim_metric_value(counters, i));
    print_more(file, context);
    fprintf(file, "\n");
    if (fclose(file) != 0) {
        fprintf(stderr, "cannot write %s: %s\n", row->file, strerror(errno));
        exit(1);
    }
}

void row_judge(struct ladder_row *row, bool finished, const char *error, bool right,
               const char *explanation)
{
    const bool reported = sim_error_count() > 0;
    row->correct = finished && right && !reported;
    if (!finished)
        fprintf(stderr, "chapter %s stopped: %s\n", row->chapter, error);
    else if (!right)
        fprintf(stderr, "chapter %s: %s\n", row->chapter, explanation);
    else if (reported)
        fprintf(stderr, "chapter %s: right this time, but see the report above\n", row->chapter);
}
