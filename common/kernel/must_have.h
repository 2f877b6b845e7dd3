/* must_have.h - memory, or the end of the program. */
#ifndef MUST_HAVE_H
#define MUST_HAVE_H

#include <stdio.h>
#include <stdlib.h>

/* Returns `memory`, which malloc and its kind gave; NULL ends the program with one line and status 1: "no
 * memory to watch the kernel", where that is what it is `for_what`. */
static inline void *must_have(void *memory, const char *for_what)
{
    if (memory)
        return memory;
    fprintf(stderr, "no memory %s\n", for_what);
    exit(1);
}

/* Room for so many things of so many bytes, all 0, and for one more: so there is some for none, too. */
static inline void *room_for(size_t count, size_t bytes, const char *for_what)
{
    return must_have(calloc(count + 1, bytes), for_what);
}

#endif
