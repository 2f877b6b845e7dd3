/* held.c - what a process holds: see held.h. */
#include "held.h"

#include <fcntl.h>

uint64_t held_files(void)
{
    enum { DESCRIPTORS = 1024 }; /* as many as a process may usually have */
    uint64_t open = 0;
    for (int descriptor = 0; descriptor < DESCRIPTORS; descriptor++)
        open += fcntl(descriptor, F_GETFD) >= 0;
    return open;
}
