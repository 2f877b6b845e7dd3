/* sim_bits.h - a value as its bits, and back.
 *
 * The copies are between local variables of one size: the compiler turns them
 * into nothing, so they are not accesses to memory. */
#ifndef SIM_BITS_H
#define SIM_BITS_H

#include <stdint.h>

#include "sim_inline.h"

SIM_INLINE int __float_as_int(float value)
{
    int bits;
    __builtin_memcpy(&bits, &value, sizeof bits);
    return bits;
}

SIM_INLINE unsigned int __float_as_uint(float value)
{
    unsigned int bits;
    __builtin_memcpy(&bits, &value, sizeof bits);
    return bits;
}

SIM_INLINE float __int_as_float(int bits)
{
    float value;
    __builtin_memcpy(&value, &bits, sizeof value);
    return value;
}

SIM_INLINE float __uint_as_float(unsigned int bits)
{
    float value;
    __builtin_memcpy(&value, &bits, sizeof value);
    return value;
}

SIM_INLINE long long __double_as_longlong(double value)
{
    long long bits;
    __builtin_memcpy(&bits, &value, sizeof bits);
    return bits;
}

SIM_INLINE double __longlong_as_double(long long bits)
{
    double value;
    __builtin_memcpy(&value, &bits, sizeof value);
    return value;
}

SIM_INLINE int __double2hiint(double value)
{
    return (int)((unsigned long long)__double_as_longlong(value) >> 32);
}

SIM_INLINE int __double2loint(double value)
{
    return (int)(unsigned int)__double_as_longlong(value);
}

SIM_INLINE double __hiloint2double(int high, int low)
{
    unsigned long long bits = (unsigned long long)(unsigned int)high << 32 | (unsigned int)low;
    return __longlong_as_double((long long)bits);
}

/* For the simulator's own calls: zero-extended to 64 bits. */
SIM_INLINE uint64_t sim_bits_of(unsigned short value)
{
    return value;
}
SIM_INLINE uint64_t sim_bits_of(int value)
{
    return (unsigned int)value;
}
SIM_INLINE uint64_t sim_bits_of(unsigned int value)
{
    return value;
}
SIM_INLINE uint64_t sim_bits_of(long value)
{
    return (uint64_t)value;
}
SIM_INLINE uint64_t sim_bits_of(unsigned long value)
{
    return (uint64_t)value;
}
SIM_INLINE uint64_t sim_bits_of(long long value)
{
    return (uint64_t)value;
}
SIM_INLINE uint64_t sim_bits_of(unsigned long long value)
{
    return value;
}
SIM_INLINE uint64_t sim_bits_of(float value)
{
    return __float_as_uint(value);
}
SIM_INLINE uint64_t sim_bits_of(double value)
{
    return (uint64_t)__double_as_longlong(value);
}

template <class T> SIM_INLINE T sim_value_of(uint64_t bits)
{
    return (T)bits;
}
template <> inline __attribute__((always_inline)) float sim_value_of<float>(uint64_t bits)
{
    return __uint_as_float((unsigned int)bits);
}
template <> inline __attribute__((always_inline)) double sim_value_of<double>(uint64_t bits)
{
    return __longlong_as_double((long long)bits);
}

#endif
