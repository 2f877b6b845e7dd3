/* peers.c - which device may touch whose memory. */
#include "memory/memory.h"

/* Of device i the memory of device j, besides its own: what comes from its pool, and what does not. */
static bool opened[SIM_MOST_DEVICES][SIM_MOST_DEVICES][2];

void sim_set_peer_access(unsigned int device, unsigned int peer, bool pooled, bool open)
{
    opened[device][peer][pooled] = open;
}

bool sim_has_peer_access(unsigned int device, unsigned int peer, bool pooled)
{
    return opened[device][peer][pooled];
}

void sim_memory_is_pooled(const void *base)
{
    const struct sim_allocation *a = sim_memory_find((uintptr_t)base);
    if (a)
        ((struct sim_allocation *)(uintptr_t)a)->pooled = true;
}

bool sim_is_of_device(const struct sim_allocation *allocation)
{
    return allocation->kind == SIM_DEVICE_MEMORY || allocation->kind == SIM_DEVICE_VARIABLE;
}

bool sim_may_touch(unsigned int device, const struct sim_allocation *allocation)
{
    return allocation->device == device || !sim_is_of_device(allocation) ||
           opened[device][allocation->device][allocation->pooled];
}
