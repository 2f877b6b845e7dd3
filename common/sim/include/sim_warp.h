/* sim_warp.h - votes, matches, shuffles and reductions of a warp. */
#ifndef SIM_WARP_H
#define SIM_WARP_H

#include "../device_abi.h"
#include "sim_bits.h"

static const int warpSize __attribute__((unused)) = 32;

SIM_INLINE void __syncwarp(unsigned int mask = 0xffffffffu)
{
    sim_warp_collective(SIM_SYNCWARP, mask, 0, 0);
}

SIM_INLINE unsigned int __activemask(void)
{
    return sim_activemask();
}

SIM_INLINE unsigned int __ballot_sync(unsigned int mask, int predicate)
{
    return (unsigned int)sim_warp_collective(SIM_BALLOT, mask, predicate != 0, 0);
}

SIM_INLINE int __any_sync(unsigned int mask, int predicate)
{
    return (int)sim_warp_collective(SIM_ANY, mask, predicate != 0, 0);
}

SIM_INLINE int __all_sync(unsigned int mask, int predicate)
{
    return (int)sim_warp_collective(SIM_ALL, mask, predicate != 0, 0);
}

/* The argument of a shuffle: a lane or a distance, and the width of a section. */
SIM_INLINE unsigned int sim_shuffle_argument(unsigned int lane, int width)
{
    return (lane & 31u) | (unsigned int)width << 8;
}

#define SIM_SHUFFLES(T)                                                                            \
    SIM_INLINE T __shfl_sync(unsigned int mask, T value, int lane, int width = 32)                 \
    {                                                                                              \
        unsigned int argument = sim_shuffle_argument((unsigned int)lane, width);                   \
        return sim_value_of<T>(                                                                    \
            sim_warp_collective(SIM_SHUFFLE, mask, sim_bits_of(value), argument));                 \
    }                                                                                              \
    SIM_INLINE T __shfl_up_sync(unsigned int mask, T value, unsigned int delta, int width = 32)    \
    {                                                                                              \
        unsigned int argument = sim_shuffle_argument(delta, width);                                \
        return sim_value_of<T>(                                                                    \
            sim_warp_collective(SIM_SHUFFLE_UP, mask, sim_bits_of(value), argument));              \
    }                                                                                              \
    SIM_INLINE T __shfl_down_sync(unsigned int mask, T value, unsigned int delta, int width = 32)  \
    {                                                                                              \
        unsigned int argument = sim_shuffle_argument(delta, width);                                \
        return sim_value_of<T>(                                                                    \
            sim_warp_collective(SIM_SHUFFLE_DOWN, mask, sim_bits_of(value), argument));            \
    }                                                                                              \
    SIM_INLINE T __shfl_xor_sync(unsigned int mask, T value, int lanes, int width = 32)            \
    {                                                                                              \
        unsigned int argument = sim_shuffle_argument((unsigned int)lanes, width);                  \
        return sim_value_of<T>(                                                                    \
            sim_warp_collective(SIM_SHUFFLE_XOR, mask, sim_bits_of(value), argument));             \
    }

#define SIM_MATCHES(T)                                                                             \
    SIM_INLINE unsigned int __match_any_sync(unsigned int mask, T value)                           \
    {                                                                                              \
        return (unsigned int)sim_warp_collective(SIM_MATCH_ANY, mask, sim_bits_of(value), 0);      \
    }                                                                                              \
    SIM_INLINE unsigned int __match_all_sync(unsigned int mask, T value, int *all_equal)           \
    {                                                                                              \
        unsigned int equal =                                                                       \
            (unsigned int)sim_warp_collective(SIM_MATCH_ALL, mask, sim_bits_of(value), 0);         \
        *all_equal = equal != 0;                                                                   \
        return equal;                                                                              \
    }

#define SIM_EXCHANGES(T)                                                                           \
    SIM_SHUFFLES(T)                                                                                \
    SIM_MATCHES(T)

SIM_EXCHANGES(int)
SIM_EXCHANGES(unsigned int)
SIM_EXCHANGES(long)
SIM_EXCHANGES(unsigned long)
SIM_EXCHANGES(long long)
SIM_EXCHANGES(unsigned long long)
SIM_EXCHANGES(float)
SIM_EXCHANGES(double)

#undef SIM_EXCHANGES
#undef SIM_MATCHES
#undef SIM_SHUFFLES

#define SIM_REDUCTION(NAME, T, OPERATION)                                                          \
    SIM_INLINE T NAME(unsigned int mask, T value)                                                  \
    {                                                                                              \
        return (T)sim_warp_collective(OPERATION, mask, sim_bits_of(value), 0);                     \
    }

SIM_REDUCTION(__reduce_add_sync, unsigned int, SIM_REDUCE_ADD)
SIM_REDUCTION(__reduce_add_sync, int, SIM_REDUCE_ADD)
SIM_REDUCTION(__reduce_min_sync, unsigned int, SIM_REDUCE_MIN_U32)
SIM_REDUCTION(__reduce_min_sync, int, SIM_REDUCE_MIN_S32)
SIM_REDUCTION(__reduce_max_sync, unsigned int, SIM_REDUCE_MAX_U32)
SIM_REDUCTION(__reduce_max_sync, int, SIM_REDUCE_MAX_S32)
SIM_REDUCTION(__reduce_and_sync, unsigned int, SIM_REDUCE_AND)
SIM_REDUCTION(__reduce_or_sync, unsigned int, SIM_REDUCE_OR)
SIM_REDUCTION(__reduce_xor_sync, unsigned int, SIM_REDUCE_XOR)

#undef SIM_REDUCTION

#endif
