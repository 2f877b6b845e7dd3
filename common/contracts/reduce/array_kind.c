/* array_kind.c - the values that all chapters reduce, and the file that says which: see array_kind.h. */
#include "array_kind.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "asked_input.h"
#include "run.h"
#include "values.h"

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

int input_write(const char *file, char *const *default_files, size_t count)
{
    enum { DEFAULT_LENGTH = 1 << 20 };
    (void)default_files, (void)count;
    refuse_texts("reduces an array", "its values are drawn, with TEXT_SEED=1, and SIZE=1M of them");
    const struct array_kind kind = {.seed = asked_seed(),
                                    .length = asked_length("values", DEFAULT_LENGTH)};
    return array_kind_write(&kind, file);
}

struct input input_read(const char *file, char *called, size_t size)
{
    const struct array_kind kind = array_kind_read(file);
    snprintf(called, size, "values of seed %" PRIu64, kind.seed);
    return input_of(VALUES_SMALL, kind.seed, kind.length);
}
