/* sim_bits.h - a value as its bits, and back.
 *
 * The copies are between local variables of one size: the compiler turns them
 * into nothing, so they are not accesses to memory. */
#ifndef SIM_BITS_H
#define SIM_BITS_H

#include <stdint.h>

#include "sim_inline.h"

SIM_INLINE int __float_as_int(float __value)
{
    int __bits;
    __builtin_memcpy(&__bits, &__value, sizeof __bits);
    return __bits;
}

SIM_INLINE unsigned int __float_as_uint(float __value)
{
    unsigned int __bits;
    __builtin_memcpy(&__bits, &__value, sizeof __bits);
    return __bits;
}

SIM_INLINE float __int_as_float(int __bits)
{
    float __value;
    __builtin_memcpy(&__value, &__bits, sizeof __value);
    return __value;
}

SIM_INLINE float __uint_as_float(unsigned int __bits)
{
    float __value;
    __builtin_memcpy(&__value, &__bits, sizeof __value);
    return __value;
}

SIM_INLINE long long __double_as_longlong(double __value)
{
    long long __bits;
    __builtin_memcpy(&__bits, &__value, sizeof __bits);
    return __bits;
}

SIM_INLINE double __longlong_as_double(long long __bits)
{
    double __value;
    __builtin_memcpy(&__value, &__bits, sizeof __value);
    return __value;
}

SIM_INLINE int __double2hiint(double __value)
{
    return (int)((unsigned long long)__double_as_longlong(__value) >> 32);
}

SIM_INLINE int __double2loint(double __value)
{
    return (int)(unsigned int)__double_as_longlong(__value);
}

SIM_INLINE double __hiloint2double(int __high, int __low)
{
    unsigned long long __bits =
        (unsigned long long)(unsigned int)__high << 32 | (unsigned int)__low;
    return __longlong_as_double((long long)__bits);
}

/* For the simulator's own calls: zero-extended to 64 bits. */
SIM_INLINE uint64_t sim_bits_of(unsigned short __value)
{
    return __value;
}
SIM_INLINE uint64_t sim_bits_of(int __value)
{
    return (unsigned int)__value;
}
SIM_INLINE uint64_t sim_bits_of(unsigned int __value)
{
    return __value;
}
SIM_INLINE uint64_t sim_bits_of(long __value)
{
    return (uint64_t)__value;
}
SIM_INLINE uint64_t sim_bits_of(unsigned long __value)
{
    return (uint64_t)__value;
}
SIM_INLINE uint64_t sim_bits_of(long long __value)
{
    return (uint64_t)__value;
}
SIM_INLINE uint64_t sim_bits_of(unsigned long long __value)
{
    return __value;
}
SIM_INLINE uint64_t sim_bits_of(float __value)
{
    return __float_as_uint(__value);
}
SIM_INLINE uint64_t sim_bits_of(double __value)
{
    return (uint64_t)__double_as_longlong(__value);
}

template <class __T> SIM_INLINE __T sim_value_of(uint64_t __bits)
{
    return (__T)__bits;
}
template <> inline __attribute__((__always_inline__)) float sim_value_of<float>(uint64_t __bits)
{
    return __uint_as_float((unsigned int)__bits);
}
template <> inline __attribute__((__always_inline__)) double sim_value_of<double>(uint64_t __bits)
{
    return __longlong_as_double((long long)__bits);
}

#endif
