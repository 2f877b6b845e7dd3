/* cooperative_groups/reduce.h - one value from the values of a group's members. */
#ifndef COOPERATIVE_GROUPS_REDUCE_H
#define COOPERATIVE_GROUPS_REDUCE_H

#include "../cooperative_groups.h"
#include "../cuda/atomic"

#ifdef __CUDACC__

namespace cooperative_groups
{

#define SIM_OPERATION(NAME, RESULT)                                                                \
    template <class __T = void> struct NAME {                                                      \
        __T operator()(__T __a, __T __b) const                                                     \
        {                                                                                          \
            return (__T)(RESULT);                                                                  \
        }                                                                                          \
    };

SIM_OPERATION(plus, __a + __b)
SIM_OPERATION(less, __b < __a ? __b : __a)    /* the minimum */
SIM_OPERATION(greater, __a < __b ? __b : __a) /* the maximum */
SIM_OPERATION(bit_and, __a &__b)
SIM_OPERATION(bit_or, __a | __b)
SIM_OPERATION(bit_xor, __a ^ __b)

#undef SIM_OPERATION

namespace details
{

/* Every member reads all values, in the order of their ranks. */
template <class __T, class __Operation>
SIM_INLINE __T reduce(unsigned int __mask, __T __value, __Operation __operation)
{
    __T __result = __shuffle(__mask, __value, (unsigned int)__builtin_ctz(__mask), 0);
    for (unsigned int __rest = __mask & (__mask - 1); __rest; __rest &= __rest - 1)
        __result = __operation(__result,
                               __shuffle(__mask, __value, (unsigned int)__builtin_ctz(__rest), 0));
    return __result;
}

#define SIM_REDUCTION(ACTION, T, INTRINSIC)                                                        \
    SIM_INLINE T reduce(unsigned int __mask, T __value, ACTION<T>)                                 \
    {                                                                                              \
        return INTRINSIC(__mask, __value);                                                         \
    }

SIM_REDUCTION(plus, int, __reduce_add_sync)
SIM_REDUCTION(plus, unsigned int, __reduce_add_sync)
SIM_REDUCTION(less, int, __reduce_min_sync)
SIM_REDUCTION(less, unsigned int, __reduce_min_sync)
SIM_REDUCTION(greater, int, __reduce_max_sync)
SIM_REDUCTION(greater, unsigned int, __reduce_max_sync)
SIM_REDUCTION(bit_and, unsigned int, __reduce_and_sync)
SIM_REDUCTION(bit_or, unsigned int, __reduce_or_sync)
SIM_REDUCTION(bit_xor, unsigned int, __reduce_xor_sync)

#undef SIM_REDUCTION

} // namespace details

/* The same result in every member of a tile or a coalesced group. */
template <class __Group, class __T, class __Operation>
SIM_INLINE __T reduce(const __Group &__group, __T __value, __Operation __operation)
{
    return details::reduce(__group.__members(), __value, __operation);
}

namespace details
{

#define SIM_UPDATE(ACTION, MEMBER)                                                                 \
    template <class __Atomic, class __T>                                                           \
    SIM_INLINE void __update(__Atomic &__atomic, __T __value, ACTION<__T>)                         \
    {                                                                                              \
        __atomic.MEMBER(__value, cuda::memory_order_relaxed);                                      \
    }

SIM_UPDATE(plus, fetch_add)
SIM_UPDATE(less, fetch_min)
SIM_UPDATE(greater, fetch_max)
SIM_UPDATE(bit_and, fetch_and)
SIM_UPDATE(bit_or, fetch_or)
SIM_UPDATE(bit_xor, fetch_xor)

#undef SIM_UPDATE

} // namespace details

/* One member combines the result into a cuda::atomic or atomic_ref. */
template <class __Group, class __Atomic, class __T, class __Operation>
SIM_INLINE void reduce_update_async(const __Group &__group, __Atomic &__atomic, __T __value,
                                    __Operation __operation)
{
    const __T __result = reduce(__group, __value, __operation);
    if (__group.thread_rank() == 0)
        details::__update(__atomic, __result, __operation);
}

/* One member stores the result. */
template <class __Group, class __T, class __Operation>
SIM_INLINE void reduce_store_async(const __Group &__group, __T *__to, __T __value,
                                   __Operation __operation)
{
    const __T __result = reduce(__group, __value, __operation);
    if (__group.thread_rank() == 0)
        *__to = __result;
}

} // namespace cooperative_groups

#endif

#endif
