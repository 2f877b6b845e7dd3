/* must_have.c - memory, or the end of the program: see must_have.h. */
#include "must_have.h"

#include <stdio.h>
#include <stdlib.h>

void *must_have(void *memory, const char *for_what)
{
    if (memory)
        return memory;
    fprintf(stderr, "no memory %s\n", for_what);
    exit(1);
}
