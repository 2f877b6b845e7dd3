/* local_statics.c - static variables of functions of the device: kernels may use them as they use a __device__
 * variable, and all devices share one. */
#include "engine/engine.h"

void sim_share_static(const void *variable, size_t bytes)
{
    if (sim_lane && !sim_memory_find((uintptr_t)variable))
        sim_memory_register((void *)(uintptr_t)variable, bytes, sim_running->device,
                            (uintptr_t)__builtin_return_address(0));
}
