/* array_kind.c - the file that says which values: see array_kind.h. */
#include "array_kind.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

int array_kind_write(const struct array_kind *kind, const char *file)
{
    FILE *to = fopen(file, "w");
    if (!to)
        return -1;
    const int written = fprintf(to, "values %" PRIu64 " %zu\n", kind->seed, kind->length);
    return fclose(to) == 0 && written > 0 ? 0 : -1;
}

struct array_kind array_kind_read(const char *file)
{
    struct array_kind kind;
    FILE *from = fopen(file, "r");
    const int read = from ? fscanf(from, "values %" SCNu64 " %zu", &kind.seed, &kind.length) : 0;
    if (from)
        fclose(from);
    if (read != 2) {
        fprintf(stderr, "%s: does not say which values; it is written by the program input\n",
                file);
        exit(1);
    }
    return kind;
}
