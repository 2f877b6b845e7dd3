/* array_kind.h - the array of values on which all chapters of a contract are run, as the program input
 * writes it down. */
#ifndef ARRAY_KIND_H
#define ARRAY_KIND_H

#include <stddef.h>
#include <stdint.h>

/* What to draw, for whatever operation. */
struct array_kind {
    uint64_t seed;
    size_t length;
};

/* Writes one to `file`. Returns 0, or -1, and errno says why. */
int array_kind_write(const struct array_kind *kind, const char *file);
/* Reads it. Ends the program with one line when it cannot be read. */
struct array_kind array_kind_read(const char *file);

#endif
