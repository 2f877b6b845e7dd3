/* thrust.c - host code of Thrust, which may touch memory of the device.
 *
 * On a card its algorithms are kernels. Here its back end for plain C++ runs them on the host
 * (include/thrust), and the memory is the device's all the same. So what its functions, or
 * what they call, touch there is no mistake: the host waits for the device first, as Thrust does. */
#define _GNU_SOURCE
#include <execinfo.h>

#include "engine/engine.h"

void (*sim_host_waits)(void);

static bool is_in_thrust(uintptr_t pc, bool is_return)
{
    enum { FRAMES = 64 };
    static _Thread_local uintptr_t remembered;
    void *frame[FRAMES];
    if (pc == remembered)
        return true;
    bool found = sim_is_part_of(pc, is_return, "/thrust/");
    const int frames = found ? 0 : backtrace(frame, FRAMES);
    for (int i = 0; i < frames && !found; i++)
        found = sim_is_part_of((uintptr_t)frame[i], true, "/thrust/");
    if (found)
        remembered = pc;
    return found;
}

bool sim_thrust_touches(const struct sim_allocation *at, uintptr_t pc, bool is_return)
{
    if (!at || at->freed_at || at->kind != SIM_DEVICE_MEMORY || !is_in_thrust(pc, is_return))
        return false;
    if (sim_host_waits)
        sim_host_waits();
    sim_memory_open_one(at);
    return true;
}
