/* many_wire.h - what histogram_many()'s judge asks the kernel's process: a struct wire_case and the text; the answer is
 * a struct many_seen, and its reads. */
#ifndef MANY_WIRE_H
#define MANY_WIRE_H

#include "many_run.h"

/* Of each device: so few that its grid does not make a short text take long. */
enum { MULTIPROCESSORS = 2 };

/* struct many_case, but for what it points to. */
struct wire_case {
    uint64_t length, held, seed;
    uint32_t units, misalignment, calls;
    uint32_t pinned, has_text;
};

#endif
