/* cooperative_groups/scan.h - running totals over a group's members. */
#ifndef COOPERATIVE_GROUPS_SCAN_H
#define COOPERATIVE_GROUPS_SCAN_H

#include "reduce.h"

namespace cooperative_groups
{

/* The values of all members up to this one, combined. */
template <class Group, class T, class Operation>
SIM_INLINE T inclusive_scan(const Group &group, T value, Operation operation)
{
    const unsigned int rank = group.thread_rank();
    for (unsigned int distance = 1; distance < group.size(); distance *= 2) {
        T before = group.shfl_up(value, distance);
        if (rank >= distance)
            value = operation(before, value);
    }
    return value;
}

/* The values of all members before this one; T() for the first. */
template <class Group, class T, class Operation>
SIM_INLINE T exclusive_scan(const Group &group, T value, Operation operation)
{
    T before = group.shfl_up(inclusive_scan(group, value, operation), 1);
    return group.thread_rank() == 0 ? T() : before;
}

template <class Group, class T> SIM_INLINE T inclusive_scan(const Group &group, T value)
{
    return inclusive_scan(group, value, plus<T>());
}

template <class Group, class T> SIM_INLINE T exclusive_scan(const Group &group, T value)
{
    return exclusive_scan(group, value, plus<T>());
}

} // namespace cooperative_groups

#endif
