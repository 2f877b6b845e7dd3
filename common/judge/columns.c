/* columns.c - columns that rows of several contracts have: see contract.h. */
#include "contract.h"

void print_operation(FILE *file, const struct input *input, const struct measurement *cost)
{
    (void)input, (void)cost;
    fprintf(file, "%s", operation_name(operation_now()));
}

void print_passes(FILE *file, const struct input *input, const struct measurement *cost)
{
    const double bytes = (double)(input->length * unit_bytes());
    fprintf(file, "%.10g", (double)cost->bytes_read / (bytes > 0 ? bytes : 1));
}
