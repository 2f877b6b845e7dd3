/* peers.c - which device may touch whose memory. */
#include "memory/memory.h"

/* Of device i the memory of device j, besides its own. */
static bool opened[SIM_MOST_DEVICES][SIM_MOST_DEVICES];

void sim_set_peer_access(unsigned int device, unsigned int peer, bool open)
{
    opened[device][peer] = open;
}

bool sim_has_peer_access(unsigned int device, unsigned int peer)
{
    return opened[device][peer];
}

bool sim_is_of_device(const struct sim_allocation *allocation)
{
    return allocation->kind == SIM_DEVICE_MEMORY || allocation->kind == SIM_DEVICE_VARIABLE;
}

bool sim_may_touch(unsigned int device, const struct sim_allocation *allocation)
{
    return allocation->device == device || !sim_is_of_device(allocation) ||
           opened[device][allocation->device];
}
