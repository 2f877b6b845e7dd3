/* cooperative_groups/memcpy_async.h - a group copies together. Here the copy is
 * made at once, member by member, with plain loads and stores. */
#ifndef _CG_ASYNC_H
#define _CG_ASYNC_H

#include "../cooperative_groups.h"

#ifdef __CUDACC__

namespace cooperative_groups
{

/* Copies `bytes` bytes, a multiple of the size of T. */
template <class __Group, class __T>
SIM_INLINE void memcpy_async(const __Group &__group, __T *__to, const __T *__from, size_t __bytes)
{
    for (size_t __i = __group.thread_rank(); __i < __bytes / sizeof(__T); __i += __group.size())
        __to[__i] = __from[__i];
    for (size_t __i = __group.thread_rank(); __i < __bytes / sizeof(__T); __i += __group.size())
        ::sim_async_copy(&__to[__i], sizeof(__T));
    ::sim_async_commit();
}

template <class __Group> SIM_INLINE void wait(const __Group &__group)
{
    ::sim_async_wait(0);
    __group.sync();
}

/* Waits for all but the last `Stages` copies. */
template <unsigned int __Stages, class __Group> SIM_INLINE void wait_prior(const __Group &__group)
{
    ::sim_async_wait(__Stages);
    __group.sync();
}

} // namespace cooperative_groups

#endif

#endif
