/* many_wire.h - what histogram_many()'s judge and the kernel's process say beyond wire.h. */
#ifndef MANY_WIRE_H
#define MANY_WIRE_H

#include "many_run.h"
#include "wire.h"

/* Of each device: so few that its grid does not make a short text take long. */
enum { MULTIPROCESSORS = 2 };

enum {
    WIRE_DEVICES = WIRE_CONTRACT, /* how many, before anything else */
    WIRE_MANY,                    /* struct wire_case follows, and the text: struct many_seen */
    WIRE_READS                    /* of that call: its reads */
};

/* struct many_case, but for what it points to. */
struct wire_case {
    uint64_t length, held, seed;
    uint32_t units, misalignment, calls;
    uint32_t pinned, has_text;
};

#endif
