/* async_copy.c - the copies that a thread begins, and waits for later: __pipeline_memcpy_async() and the like. They are
 * made at once; here the checks hear of them. */
#include "engine/engine.h"

void sim_async_copy(const void *to, size_t bytes)
{
    if (sim_lane && sim_checks(CHECK_INIT))
        sim_copy_begun(sim_lane, (uintptr_t)to, bytes);
}

void sim_async_commit(void)
{
    if (sim_lane && sim_checks(CHECK_INIT))
        sim_copies_committed(sim_lane);
}

void sim_async_wait(size_t prior)
{
    if (sim_lane && sim_checks(CHECK_INIT))
        sim_copies_waited(sim_lane, prior);
}
