/* cooperative_groups/memcpy_async.h - a group copies together. Here the copy is
 * made at once, member by member, with plain loads and stores. */
#ifndef COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
#define COOPERATIVE_GROUPS_MEMCPY_ASYNC_H

#include "../cooperative_groups.h"

namespace cooperative_groups
{

/* Copies `bytes` bytes, a multiple of the size of T. */
template <class Group, class T>
SIM_INLINE void memcpy_async(const Group &group, T *to, const T *from, size_t bytes)
{
    for (size_t i = group.thread_rank(); i < bytes / sizeof(T); i += group.size())
        to[i] = from[i];
}

template <class Group> SIM_INLINE void wait(const Group &group)
{
    group.sync();
}

/* Waits for all but the last `Stages` copies: for all of them. */
template <unsigned int Stages, class Group> SIM_INLINE void wait_prior(const Group &group)
{
    group.sync();
}

} // namespace cooperative_groups

#endif
