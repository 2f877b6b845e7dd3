/* sim_half_bits.h - the format of 16 bits: a sign, 5 bits of exponent, 10 of fraction (IEEE 754
 * binary16). For C, too: the simulator's own atomics compute with it. */
#ifndef SIM_HALF_BITS_H
#define SIM_HALF_BITS_H

#include <stdint.h>

#include "sim_inline.h"

enum sim_rounding { SIM_TO_NEAREST, SIM_TO_ZERO, SIM_DOWN, SIM_UP };

/* The value, which is exact. */
SIM_INLINE float sim_half_value(uint16_t __encoded)
{
    uint32_t __sign = (uint32_t)(__encoded & 0x8000u) << 16, __exponent = __encoded >> 10 & 31u;
    uint32_t __fraction = __encoded & 1023u, __bits;
    float __value;
    if (__exponent == 0) { /* multiples of 2^-24 */
        __value = (float)__fraction * 0x1p-24f;
        __builtin_memcpy(&__bits, &__value, sizeof __bits);
        __bits |= __sign;
    } else {
        __exponent = __exponent == 31u ? 255u : __exponent + 112u;
        __bits = __sign | __exponent << 23 | __fraction << 13;
    }
    __builtin_memcpy(&__value, &__bits, sizeof __value);
    return __value;
}

/* Whether what was cut off makes the last place one larger. */
SIM_INLINE unsigned int sim_half_rounds_up(uint64_t __cut, uint64_t __half_of_last,
                                           unsigned int __odd, unsigned int __negative,
                                           enum sim_rounding __rounding)
{
    if (__rounding == SIM_TO_NEAREST)
        return __cut > __half_of_last || (__cut == __half_of_last && __odd);
    return __cut &&
           ((__rounding == SIM_UP && !__negative) || (__rounding == SIM_DOWN && __negative));
}

/* A value rounded once. Sums and products of two halves are exact as a double, and a quotient
 * or a root is near enough that it rounds as the exact one. */
SIM_INLINE uint16_t sim_half_of(double __value, enum sim_rounding __rounding)
{
    uint64_t __bits;
    __builtin_memcpy(&__bits, &__value, sizeof __bits);
    unsigned int __sign = (unsigned int)(__bits >> 48) & 0x8000u;
    int __exponent = (int)(__bits >> 52 & 0x7ff) - 1023;
    uint64_t __fraction = (__bits & (((uint64_t)1 << 52) - 1)) | (uint64_t)1 << 52;
    if (__exponent == 1024) /* NaN loses its sign, as on the card */
        return (uint16_t)(__fraction << 12 ? 0x7fffu : __sign | 0x7c00u);
    if (__exponent > 15) /* to infinity, or to the largest number */
        return (uint16_t)(__sign |
                          (0x7bffu + sim_half_rounds_up(3, 2, 1, __sign != 0, __rounding)));
    int __shift = __exponent < -14 ? 28 - __exponent : 42; /* small ones are multiples of 2^-24 */
    if (__shift > 60) /* nothing is left but that it is not zero */
        return (uint16_t)(__sign |
                          sim_half_rounds_up(__bits << 1 != 0, 2, 0, __sign != 0, __rounding));
    uint64_t __cut = __fraction & (((uint64_t)1 << __shift) - 1);
    unsigned int __encoded = (unsigned int)(__fraction >> __shift);
    if (__exponent >= -14)
        __encoded += (unsigned int)(__exponent + 14) * 1024u;
    __encoded += sim_half_rounds_up(__cut, (uint64_t)1 << (__shift - 1), __encoded & 1u,
                                    __sign != 0, __rounding);
    return (uint16_t)(__sign | __encoded);
}

SIM_INLINE uint16_t sim_half_sum(uint16_t __a, uint16_t __b)
{
    return sim_half_of((double)sim_half_value(__a) + (double)sim_half_value(__b), SIM_TO_NEAREST);
}

#endif
