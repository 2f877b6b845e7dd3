/* host_seen.c - tells observers what host code copies, and what it launches. */
#include "runtime/runtime.h"
#include "sim.h"

static sim_copy_observer *observer;
static void *observer_context;
static sim_launch_observer *launch_observer;
static void *launch_context;

void sim_observe_copies(sim_copy_observer *function, void *context)
{
    observer = function;
    observer_context = context;
}

void sim_observe_launches(sim_launch_observer *function, void *context)
{
    launch_observer = function;
    launch_context = context;
}

bool sim_is_pageable(const void *address)
{
    return address && !sim_memory_find((uintptr_t)address);
}

void sim_tell_copy(const void *to, const void *from, size_t bytes)
{
    const struct sim_copy_order order = sim_last_copy();
    const struct sim_copy_seen seen = {
        to, from, bytes, sim_is_pageable(to) || sim_is_pageable(from), order.stream, order.beside};
    if (observer)
        observer(&seen, observer_context);
}

void sim_tell_start(const struct sim_launch_seen *launch)
{
    if (launch_observer)
        launch_observer(launch, launch_context);
}

int sim_device_of(uintptr_t address)
{
    const struct sim_allocation *a = sim_memory_find(address);
    return a && sim_is_of_device(a) ? (int)a->device : -1;
}

int sim_host_can_read(uintptr_t address)
{
    const struct sim_allocation *a = sim_memory_find(address);
    return !a || a->kind == SIM_PINNED_MEMORY || a->kind == SIM_MANAGED_MEMORY;
}
