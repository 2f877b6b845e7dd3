/* key_kinds.h - the elements that all chapters reduce, as the program input writes them down. A batch of
 * them has rows of 256. */
#ifndef KEY_KINDS_H
#define KEY_KINDS_H

#include <stddef.h>
#include <stdint.h>

#include "elements.h"

/* What to generate: elements of a kind, for whatever operation and number of bins. */
struct key_kind {
    enum keys keys;
    uint64_t seed;
    size_t length;
};

/* "uniform" and so on; KEYS_KINDS when no kind has that name. */
enum keys keys_named(const char *name);
const char *keys_name(enum keys keys);

/* Writes one to `file`. Returns 0, or -1, and errno says why. */
int key_kind_write(const struct key_kind *kind, const char *file);
/* Reads it. Ends the program with one line when it cannot be read. */
struct key_kind key_kind_read(const char *file);

#endif
