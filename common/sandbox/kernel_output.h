/* kernel_output.h - what the kernel's process prints, passed on in measure. */
#ifndef KERNEL_OUTPUT_H
#define KERNEL_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

struct kernel_output {
    int descriptor;       /* of a pipe that does not block; -1 when it is closed */
    bool drops;           /* nothing is passed on */
    char line[512];       /* the line at hand, cut */
    size_t length;        /* of it so far, which may be more than is kept */
    size_t shown, hidden; /* lines */
    size_t bytes;         /* all that came */
};

/* Passes on what has come, to standard error: reports of the simulator all, of other lines the
 * first few. Returns false once the pipe is closed. */
bool kernel_output_drain(struct kernel_output *output);
/* Says how many lines were left out, if any were. */
void kernel_output_end(struct kernel_output *output);

#endif
