/* held.c - what a process holds: see held.h. */
#include "held.h"

#include <fcntl.h>
#include <stdio.h>

#include "grouped.h"

static const struct {
    const char *one, *many, *advice;
} held_words[HELD_KINDS] = {
    [HELD_FILES] = {"open file", "open files",
                    "close what was opened, on each way out of the function"},
    [HELD_MAPPINGS] = {"mapping of the file", "mappings of the file",
                       "munmap what mmap has mapped, on each way out of the function"},
    [HELD_COMMUNICATORS] = {"communicator", "communicators",
                            "make communicators once, or free those of the call"},
    [HELD_TYPES] = {"type, group or operation of MPI", "types, groups or operations of MPI",
                    "make them once, or free those of the call"},
    [HELD_HANDLES] = {"stream or event", "streams and events",
                      "make them once, or destroy those of the call"},
    [HELD_HOST_MEMORY] = {"piece of the host's memory", "pieces of the host's memory",
                          "free what malloc gave, on each way out of the function"},
};

uint64_t held_files(void)
{
    enum { DESCRIPTORS = 1024 }; /* as many as a process may usually have */
    uint64_t open = 0;
    for (int descriptor = 0; descriptor < DESCRIPTORS; descriptor++)
        open += fcntl(descriptor, F_GETFD) >= 0;
    return open;
}

bool held_grew(const struct held *before, const struct held *after, char *words, size_t size,
               const char **advice)
{
    for (enum held_kind kind = 0; kind < HELD_KINDS; kind++) {
        if (after->count[kind] <= before->count[kind])
            continue;
        const uint64_t more = after->count[kind] - before->count[kind];
        snprintf(words, size, "%s %s more", grouped(more),
                 more == 1 ? held_words[kind].one : held_words[kind].many);
        *advice = held_words[kind].advice;
        return true;
    }
    return false;
}
