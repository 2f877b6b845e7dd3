/* copies_seen.c - tells an observer what host code copies. */
#include "runtime/runtime.h"

static sim_copy_observer *observer;
static void *observer_context;

void sim_observe_copies(sim_copy_observer *function, void *context)
{
    observer = function;
    observer_context = context;
}

void sim_tell_copy(const void *to, const void *from, size_t bytes)
{
    if (observer)
        observer(to, from, bytes, observer_context);
}

int sim_host_can_read(uintptr_t address)
{
    const struct sim_allocation *a = sim_memory_find(address);
    return !a || a->kind == SIM_PINNED_MEMORY || a->kind == SIM_MANAGED_MEMORY;
}
