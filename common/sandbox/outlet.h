/* outlet.h - what the kernel's process prints, passed on in measure. */
#ifndef OUTLET_H
#define OUTLET_H

#include <stdbool.h>
#include <stddef.h>

struct outlet {
    int descriptor;       /* of a pipe that does not block; -1 when it is closed */
    bool drops;           /* nothing is passed on */
    char line[512];       /* the line at hand, cut */
    size_t length;        /* of it so far, which may be more than is kept */
    size_t shown, hidden; /* lines */
    size_t bytes;         /* all that came */
};

/* Passes on what has come, to standard error: reports of the simulator all, of other lines the
 * first few. Returns false once the pipe is closed. */
bool outlet_drain(struct outlet *outlet);
/* Says how many lines were left out, if any were. */
void outlet_end(struct outlet *outlet);

#endif
