/* missing_return.c - a function that should return a value and ends without one: compiled kernels call this. */
#include <stdio.h>
#include <unistd.h>

#include "engine/engine.h"

struct missing;
void __ubsan_handle_missing_return(const struct missing *at);
void __ubsan_handle_missing_return(const struct missing *at)
{
    const uintptr_t pc = (uintptr_t)__builtin_return_address(0);
    const bool in_kernel = sim_lane && sim_running;
    (void)at;
    sim_report(CHECK_MEMORY, in_kernel ? sim_lane : NULL, pc, "No value returned",
               "a function that returns a value has come to its end without a return",
               "write the return that is missing, or make the function void");
    if (in_kernel)
        sim_stop_launch(sim_running, cudaErrorLaunchFailure);
    fflush(NULL);
    _exit(86);
}
