/* clocked.c - from the clock of the simulated GPU to a time on an H200. */
#include "clocked.h"

/* The card's time of a launch that does nothing: the median of docs/results/h200/launches.csv. */
static const double launch_ns = 1616;

double clocked_ms(uint64_t launches, uint64_t picoseconds)
{
    static const double ns_per_ms = 1e6, picoseconds_per_ns = 1e3;
    return ((double)launches * launch_ns + (double)picoseconds / picoseconds_per_ns) / ns_per_ms;
}
