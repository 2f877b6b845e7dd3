/* sim_half_device.h - what only kernels do with __half and __half2: atomics and shuffles. */
#ifndef SIM_HALF_DEVICE_H
#define SIM_HALF_DEVICE_H

#include "../device_abi.h"
#include "sim_half_math.h"
#include "sim_warp.h"

SIM_INLINE __half2 sim_half2_of(unsigned int __bits)
{
    return __half2(__ushort_as_half((unsigned short)__bits),
                   __ushort_as_half((unsigned short)(__bits >> 16)));
}
SIM_INLINE unsigned int sim_half2_bits(const __half2 __h)
{
    return __half_as_ushort(__h.x) | (unsigned int)__half_as_ushort(__h.y) << 16;
}

/* Of a pair both halves are added at once. */
SIM_INLINE __half atomicAdd(__half *const __address, const __half __value)
{
    sim_atomic(SIM_ATOMIC_ADD, SIM_F16, __address, __half_as_ushort(__value), 0, SIM_SCOPE_DEVICE);
    return __ushort_as_half((unsigned short)sim_atomic_result());
}
SIM_INLINE __half2 atomicAdd(__half2 *const __address, const __half2 __value)
{
    sim_atomic(SIM_ATOMIC_ADD, SIM_F16X2, __address, sim_half2_bits(__value), 0, SIM_SCOPE_DEVICE);
    return sim_half2_of((unsigned int)sim_atomic_result());
}

#define SIM_HALF_SHUFFLE(NAME, T)                                                                  \
    SIM_INLINE __half NAME(const unsigned int __mask, const __half __value, const T __lane,        \
                           const int __width = 32)                                                 \
    {                                                                                              \
        unsigned int __bits = __half_as_ushort(__value);                                           \
        return __ushort_as_half((unsigned short)NAME(__mask, __bits, __lane, __width));            \
    }                                                                                              \
    SIM_INLINE __half2 NAME(const unsigned int __mask, const __half2 __value, const T __lane,      \
                            const int __width = 32)                                                \
    {                                                                                              \
        return sim_half2_of(NAME(__mask, sim_half2_bits(__value), __lane, __width));               \
    }
SIM_HALF_SHUFFLE(__shfl_sync, int)
SIM_HALF_SHUFFLE(__shfl_up_sync, unsigned int)
SIM_HALF_SHUFFLE(__shfl_down_sync, unsigned int)
SIM_HALF_SHUFFLE(__shfl_xor_sync, int)
#undef SIM_HALF_SHUFFLE

#endif
