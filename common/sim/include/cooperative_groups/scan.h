/* cooperative_groups/scan.h - running totals over a group's members. */
#ifndef COOPERATIVE_GROUPS_SCAN_H
#define COOPERATIVE_GROUPS_SCAN_H

#include "reduce.h"

#ifdef __CUDACC__

namespace cooperative_groups
{

/* The values of all members up to this one, combined. */
template <class __Group, class __T, class __Operation>
SIM_INLINE __T inclusive_scan(const __Group &__group, __T __value, __Operation __operation)
{
    const unsigned int __rank = __group.thread_rank();
    for (unsigned int __distance = 1; __distance < __group.size(); __distance *= 2) {
        __T __before = __group.shfl_up(__value, __distance);
        if (__rank >= __distance)
            __value = __operation(__before, __value);
    }
    return __value;
}

/* The values of all members before this one; T() for the first. */
template <class __Group, class __T, class __Operation>
SIM_INLINE __T exclusive_scan(const __Group &__group, __T __value, __Operation __operation)
{
    __T __before = __group.shfl_up(inclusive_scan(__group, __value, __operation), 1);
    return __group.thread_rank() == 0 ? __T() : __before;
}

template <class __Group, class __T>
SIM_INLINE __T inclusive_scan(const __Group &__group, __T __value)
{
    return inclusive_scan(__group, __value, plus<__T>());
}

template <class __Group, class __T>
SIM_INLINE __T exclusive_scan(const __Group &__group, __T __value)
{
    return exclusive_scan(__group, __value, plus<__T>());
}

} // namespace cooperative_groups

#endif

#endif
