/* origins.h - which bytes of the text lie where: in its own memory, and in memory that it was copied to. */
#ifndef ORIGINS_H
#define ORIGINS_H

#include <stddef.h>
#include <stdint.h>

/* Bytes at `begin` to `end`, which are those of the text from `offset` on. */
struct origin {
    uintptr_t begin, end;
    uint64_t offset;
};

/* They are sorted by address, and do not overlap. All zero: nothing holds bytes of the text. */
struct origins {
    struct origin *origin;
    size_t count, room;
    size_t last; /* the last one that was found */
};

/* From here on the range holds these bytes of the text, or none. */
void origins_set(struct origins *origins, uintptr_t begin, size_t bytes, uint64_t offset);
void origins_forget(struct origins *origins, uintptr_t begin, size_t bytes);
/* The first part of [begin, end) that holds some; false: none does. */
int origins_next(struct origins *origins, uintptr_t begin, uintptr_t end, struct origin *part);
/* From here on nothing holds bytes of the text. */
void origins_clear(struct origins *origins);

#endif
