/* narrow_sums.c - counters of less than 64 bits that launches add to, one after the other. */
#include "narrow_sums.h"

#include <string.h>

enum { PLACES = 1 << 14, WARP = 32, WIDE = 8 };

/* By its address; those that have no place are not followed. */
static struct counter {
    uintptr_t address; /* 0: nobody's place */
    uint64_t launch;   /* that was the first to add to it; 0: none since it was set */
} counters[PLACES];
static unsigned int used;

void narrow_sums_begin(void)
{
    memset(counters, 0, sizeof counters);
    used = 0;
}

static struct counter *find(uintptr_t address)
{
    size_t at = (address >> 1) * 0x9e3779b97f4a7c15u >> 40 & (PLACES - 1);
    while (counters[at].address && counters[at].address != address)
        at = (at + 1) & (PLACES - 1);
    return &counters[at];
}

/* Whether it had been added to before this launch. */
static int add(uintptr_t address, uint64_t launch)
{
    struct counter *counter = find(address);
    if (!counter->address && used == PLACES / 2)
        return 0;
    used += !counter->address;
    counter->address = address;
    if (counter->launch == 0)
        counter->launch = launch;
    return counter->launch < launch;
}

uint64_t narrow_sums_note(const struct sim_event *event, uint64_t launch)
{
    const int adds = event->atomic == SIM_ADD && event->bytes < WIDE;
    const int sets = event->access == SIM_STORE || event->atomic == SIM_EXCHANGE;
    uint64_t narrow = 0;
    if (event->space != SIM_GLOBAL || !(adds || (sets && used > 0)))
        return 0;
    for (unsigned int lane = 0; lane < WARP; lane++) {
        if (!(event->active >> lane & 1))
            continue;
        if (adds)
            narrow += (uint64_t)add(event->address[lane], launch);
        else
            narrow_sums_set(event->address[lane], event->bytes);
    }
    return narrow;
}

void narrow_sums_set(uintptr_t begin, uint64_t bytes)
{
    for (size_t at = 0; at < PLACES && used > 0 && bytes > 64; at++)
        if (counters[at].address - begin < bytes)
            counters[at].launch = 0;
    for (uintptr_t address = begin; bytes <= 64 && address < begin + bytes; address++)
        find(address)->launch = 0;
}
