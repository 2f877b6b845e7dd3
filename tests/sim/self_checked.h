/* self_checked.h - whether make selfcheck runs these tests, on a simulator that checks itself. */
#ifndef SELF_CHECKED_H
#define SELF_CHECKED_H

#include <stdbool.h>
#include <stdlib.h>

/* Its library is compiled with more options then: AddressSanitizer takes time, and nearly all addresses. */
static inline bool is_self_checked(void)
{
    const char *options = getenv("SIM_CFLAGS");
    return options && *options;
}

#endif
