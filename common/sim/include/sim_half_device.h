/* sim_half_device.h - what only kernels do with __half and __half2: atomics and shuffles. */
#ifndef SIM_HALF_DEVICE_H
#define SIM_HALF_DEVICE_H

#include "../device_abi.h"
#include "sim_half_math.h"
#include "sim_warp.h"

SIM_INLINE __half2 sim_half2_of(unsigned int bits)
{
    return __half2(__ushort_as_half((unsigned short)bits),
                   __ushort_as_half((unsigned short)(bits >> 16)));
}
SIM_INLINE unsigned int sim_half2_bits(const __half2 h)
{
    return __half_as_ushort(h.x) | (unsigned int)__half_as_ushort(h.y) << 16;
}

/* Of a pair both halves are added at once. */
SIM_INLINE __half atomicAdd(__half *const address, const __half value)
{
    sim_atomic(SIM_ATOMIC_ADD, SIM_F16, address, __half_as_ushort(value), 0, SIM_SCOPE_DEVICE);
    return __ushort_as_half((unsigned short)sim_atomic_result());
}
SIM_INLINE __half2 atomicAdd(__half2 *const address, const __half2 value)
{
    sim_atomic(SIM_ATOMIC_ADD, SIM_F16X2, address, sim_half2_bits(value), 0, SIM_SCOPE_DEVICE);
    return sim_half2_of((unsigned int)sim_atomic_result());
}

#define SIM_HALF_SHUFFLE(NAME, T)                                                                  \
    SIM_INLINE __half NAME(const unsigned int mask, const __half value, const T lane,              \
                           const int width = 32)                                                   \
    {                                                                                              \
        unsigned int bits = __half_as_ushort(value);                                               \
        return __ushort_as_half((unsigned short)NAME(mask, bits, lane, width));                    \
    }                                                                                              \
    SIM_INLINE __half2 NAME(const unsigned int mask, const __half2 value, const T lane,            \
                            const int width = 32)                                                  \
    {                                                                                              \
        return sim_half2_of(NAME(mask, sim_half2_bits(value), lane, width));                       \
    }
SIM_HALF_SHUFFLE(__shfl_sync, int)
SIM_HALF_SHUFFLE(__shfl_up_sync, unsigned int)
SIM_HALF_SHUFFLE(__shfl_down_sync, unsigned int)
SIM_HALF_SHUFFLE(__shfl_xor_sync, int)
#undef SIM_HALF_SHUFFLE

#endif
