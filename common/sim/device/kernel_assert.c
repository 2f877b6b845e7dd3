/* kernel_assert.c - assert in a kernel: CUDA's message, and cudaErrorAssert.
 *
 * <assert.h> calls __assert_fail when a condition is false; this one takes the
 * place of the C library's, for host code, too. */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "machine/machine.h"

static void fail_in_kernel(const char *place, const char *function, const char *condition)
{
    const struct lane *lane = sim_lane;
    struct sim_index block = lane->warp->block->index, thread = lane->thread;
    fflush(stdout);
    fprintf(stderr, "%s: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` failed.\n", place,
            function, block.x, block.y, block.z, thread.x, thread.y, thread.z, condition);
    sim_stop_launch(sim_running, cudaErrorAssert);
}

void __assert_fail(const char *condition, const char *file, unsigned int line, const char *function)
{
    char place[512];
    snprintf(place, sizeof place, "%s:%u", file, line);
    if (sim_lane)
        fail_in_kernel(place, function, condition);
    fprintf(stderr, "%s: %s: %s: Assertion `%s' failed.\n", program_invocation_short_name, place,
            function, condition);
    abort();
}
