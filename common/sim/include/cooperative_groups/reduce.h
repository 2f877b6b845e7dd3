/* cooperative_groups/reduce.h - one value from the values of a group's members. */
#ifndef COOPERATIVE_GROUPS_REDUCE_H
#define COOPERATIVE_GROUPS_REDUCE_H

#include "../cooperative_groups.h"

namespace cooperative_groups
{

#define SIM_OPERATION(NAME, RESULT)                                                                \
    template <class T = void> struct NAME {                                                        \
        T operator()(T a, T b) const                                                               \
        {                                                                                          \
            return (T)(RESULT);                                                                    \
        }                                                                                          \
    };

SIM_OPERATION(plus, a + b)
SIM_OPERATION(less, b < a ? b : a)    /* the minimum */
SIM_OPERATION(greater, a < b ? b : a) /* the maximum */
SIM_OPERATION(bit_and, a &b)
SIM_OPERATION(bit_or, a | b)
SIM_OPERATION(bit_xor, a ^ b)

#undef SIM_OPERATION

namespace details
{

/* Every member reads all values, in the order of their ranks. */
template <class T, class Operation>
SIM_INLINE T reduce(unsigned int mask, T value, Operation operation)
{
    T result = shuffle(mask, value, (unsigned int)__builtin_ctz(mask), 0);
    for (unsigned int rest = mask & (mask - 1); rest; rest &= rest - 1)
        result = operation(result, shuffle(mask, value, (unsigned int)__builtin_ctz(rest), 0));
    return result;
}

#define SIM_REDUCTION(OPERATION, T, INTRINSIC)                                                     \
    SIM_INLINE T reduce(unsigned int mask, T value, OPERATION<T>)                                  \
    {                                                                                              \
        return INTRINSIC(mask, value);                                                             \
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
template <class Group, class T, class Operation>
SIM_INLINE T reduce(const Group &group, T value, Operation operation)
{
    return details::reduce(group.members(), value, operation);
}

} // namespace cooperative_groups

#endif
