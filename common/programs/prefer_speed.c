/* prefer_speed.c - settings of the simulated GPU for programs to keep: see prefer_speed.h. */
#define _POSIX_C_SOURCE 200809L
#include "prefer_speed.h"

#include <stdlib.h>

void prefer_speed(void)
{
#ifdef SIMULATED_GPU
    setenv("SIM_CHECKS", "none", 0);
    setenv("SIM_MULTIPROCESSORS", "8", 0);
    setenv("SIM_BUDGET", "100000000000", 0);
    setenv("SIM_PROGRESS", "0", 0);
#endif
}
