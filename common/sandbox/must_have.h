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

#endif
