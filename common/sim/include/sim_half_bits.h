/* sim_half_bits.h - the format of 16 bits: a sign, 5 bits of exponent, 10 of fraction (IEEE 754
 * binary16). For C, too: the simulator's own atomics compute with it. */
#ifndef SIM_HALF_BITS_H
#define SIM_HALF_BITS_H

#include <stdint.h>

#include "sim_inline.h"

enum sim_rounding { SIM_TO_NEAREST, SIM_TO_ZERO, SIM_DOWN, SIM_UP };

/* The value, which is exact. */
SIM_INLINE float sim_half_value(uint16_t half)
{
    uint32_t sign = (uint32_t)(half & 0x8000u) << 16, exponent = half >> 10 & 31u;
    uint32_t fraction = half & 1023u, bits;
    float value;
    if (exponent == 0) { /* multiples of 2^-24 */
        value = (float)fraction * 0x1p-24f;
        __builtin_memcpy(&bits, &value, sizeof bits);
        bits |= sign;
    } else {
        exponent = exponent == 31u ? 255u : exponent + 112u;
        bits = sign | exponent << 23 | fraction << 13;
    }
    __builtin_memcpy(&value, &bits, sizeof value);
    return value;
}

/* Whether what was cut off makes the last place one larger. */
SIM_INLINE unsigned int sim_half_rounds_up(uint64_t cut, uint64_t half_of_last, unsigned int odd,
                                           unsigned int negative, enum sim_rounding rounding)
{
    if (rounding == SIM_TO_NEAREST)
        return cut > half_of_last || (cut == half_of_last && odd);
    return cut && ((rounding == SIM_UP && !negative) || (rounding == SIM_DOWN && negative));
}

/* A value rounded once. Sums and products of two halves are exact as a double, and a quotient
 * or a root is near enough that it rounds as the exact one. */
SIM_INLINE uint16_t sim_half_of(double value, enum sim_rounding rounding)
{
    uint64_t bits;
    __builtin_memcpy(&bits, &value, sizeof bits);
    unsigned int sign = (unsigned int)(bits >> 48) & 0x8000u;
    int exponent = (int)(bits >> 52 & 0x7ff) - 1023;
    uint64_t fraction = (bits & (((uint64_t)1 << 52) - 1)) | (uint64_t)1 << 52;
    if (exponent == 1024) /* NaN loses its sign, as on the card */
        return (uint16_t)(fraction << 12 ? 0x7fffu : sign | 0x7c00u);
    if (exponent > 15) /* to infinity, or to the largest number */
        return (uint16_t)(sign | (0x7bffu + sim_half_rounds_up(3, 2, 1, sign != 0, rounding)));
    int shift = exponent < -14 ? 28 - exponent : 42; /* small ones are multiples of 2^-24 */
    if (shift > 60)                                  /* nothing is left but that it is not zero */
        return (uint16_t)(sign | sim_half_rounds_up(bits << 1 != 0, 2, 0, sign != 0, rounding));
    uint64_t cut = fraction & (((uint64_t)1 << shift) - 1);
    unsigned int half = (unsigned int)(fraction >> shift);
    if (exponent >= -14)
        half += (unsigned int)(exponent + 14) * 1024u;
    half += sim_half_rounds_up(cut, (uint64_t)1 << (shift - 1), half & 1u, sign != 0, rounding);
    return (uint16_t)(sign | half);
}

SIM_INLINE uint16_t sim_half_sum(uint16_t a, uint16_t b)
{
    return sim_half_of((double)sim_half_value(a) + (double)sim_half_value(b), SIM_TO_NEAREST);
}

#endif
