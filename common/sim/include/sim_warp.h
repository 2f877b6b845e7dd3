/* sim_warp.h - votes, matches, shuffles and reductions of a warp. */
#ifndef SIM_WARP_H
#define SIM_WARP_H

#include "../device_abi.h"
#include "sim_bits.h"

static const int warpSize __attribute__((__unused__)) = 32;

SIM_INLINE void __syncwarp(unsigned int __mask = 0xffffffffu)
{
    sim_warp_intrinsic(SIM_SYNCWARP, __mask, 0, 0);
}

SIM_INLINE unsigned int __activemask(void)
{
    return sim_activemask();
}

SIM_INLINE unsigned int __ballot_sync(unsigned int __mask, int __predicate)
{
    return (unsigned int)sim_warp_intrinsic(SIM_BALLOT, __mask, __predicate != 0, 0);
}

SIM_INLINE int __any_sync(unsigned int __mask, int __predicate)
{
    return (int)sim_warp_intrinsic(SIM_ANY, __mask, __predicate != 0, 0);
}

SIM_INLINE int __all_sync(unsigned int __mask, int __predicate)
{
    return (int)sim_warp_intrinsic(SIM_ALL, __mask, __predicate != 0, 0);
}

/* The argument of a shuffle: a lane or a distance, and the width of a section. */
SIM_INLINE unsigned int sim_shuffle_argument(unsigned int __lane, int __width)
{
    return (__lane & 31u) | (unsigned int)__width << 8;
}

#define SIM_SHUFFLES(T)                                                                            \
    SIM_INLINE T __shfl_sync(unsigned int __mask, T __value, int __lane, int __width = 32)         \
    {                                                                                              \
        unsigned int __argument = sim_shuffle_argument((unsigned int)__lane, __width);             \
        return sim_value_of<T>(                                                                    \
            sim_warp_intrinsic(SIM_SHUFFLE, __mask, sim_bits_of(__value), __argument));           \
    }                                                                                              \
    SIM_INLINE T __shfl_up_sync(unsigned int __mask, T __value, unsigned int __delta,              \
                                int __width = 32)                                                  \
    {                                                                                              \
        unsigned int __argument = sim_shuffle_argument(__delta, __width);                          \
        return sim_value_of<T>(                                                                    \
            sim_warp_intrinsic(SIM_SHUFFLE_UP, __mask, sim_bits_of(__value), __argument));        \
    }                                                                                              \
    SIM_INLINE T __shfl_down_sync(unsigned int __mask, T __value, unsigned int __delta,            \
                                  int __width = 32)                                                \
    {                                                                                              \
        unsigned int __argument = sim_shuffle_argument(__delta, __width);                          \
        return sim_value_of<T>(                                                                    \
            sim_warp_intrinsic(SIM_SHUFFLE_DOWN, __mask, sim_bits_of(__value), __argument));      \
    }                                                                                              \
    SIM_INLINE T __shfl_xor_sync(unsigned int __mask, T __value, int __lanes, int __width = 32)    \
    {                                                                                              \
        unsigned int __argument = sim_shuffle_argument((unsigned int)__lanes, __width);            \
        return sim_value_of<T>(                                                                    \
            sim_warp_intrinsic(SIM_SHUFFLE_XOR, __mask, sim_bits_of(__value), __argument));       \
    }

#define SIM_MATCHES(T)                                                                             \
    SIM_INLINE unsigned int __match_any_sync(unsigned int __mask, T __value)                       \
    {                                                                                              \
        return (unsigned int)sim_warp_intrinsic(SIM_MATCH_ANY, __mask, sim_bits_of(__value), 0);  \
    }                                                                                              \
    SIM_INLINE unsigned int __match_all_sync(unsigned int __mask, T __value, int *__all_equal)     \
    {                                                                                              \
        unsigned int __equal =                                                                     \
            (unsigned int)sim_warp_intrinsic(SIM_MATCH_ALL, __mask, sim_bits_of(__value), 0);     \
        *__all_equal = __equal != 0;                                                               \
        return __equal;                                                                            \
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

#define SIM_REDUCTION(NAME, T, ACTION)                                                             \
    SIM_INLINE T NAME(unsigned int __mask, T __value)                                              \
    {                                                                                              \
        return (T)sim_warp_intrinsic(ACTION, __mask, sim_bits_of(__value), 0);                    \
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

/* What the registers %laneid and %lanemask_lt hold, and their kind. */
static inline __attribute__((__always_inline__, __unused__)) unsigned int sim_laneid()
{
    return (sim_thread_index_x() +
            sim_block_dim_x() * (sim_thread_index_y() + sim_block_dim_y() * sim_thread_index_z())) %
           32;
}
static inline __attribute__((__always_inline__, __unused__)) unsigned int sim_lanemask_eq()
{
    return 1u << sim_laneid();
}
static inline __attribute__((__always_inline__, __unused__)) unsigned int sim_lanemask_lt()
{
    return sim_lanemask_eq() - 1;
}
static inline __attribute__((__always_inline__, __unused__)) unsigned int sim_lanemask_le()
{
    return sim_lanemask_lt() | sim_lanemask_eq();
}
static inline __attribute__((__always_inline__, __unused__)) unsigned int sim_lanemask_gt()
{
    return ~sim_lanemask_le();
}
static inline __attribute__((__always_inline__, __unused__)) unsigned int sim_lanemask_ge()
{
    return ~sim_lanemask_lt();
}

#endif
