/* sim_half_convert.h - __half to and from other numbers, and the two parts of a __half2. */
#ifndef SIM_HALF_CONVERT_H
#define SIM_HALF_CONVERT_H

#include "sim_half_types.h"

/* To __half: rn to nearest, rz to zero, rd down, ru up. */
#define SIM_HALF_FROM_ROUNDED(NAME, T, ROUNDING)                                                   \
    SIM_INLINE __half NAME(const T __value)                                                        \
    {                                                                                              \
        return __ushort_as_half(sim_half_of((double)__value, ROUNDING));                           \
    }
#define SIM_HALF_FROM(NAME, T)                                                                     \
    SIM_HALF_FROM_ROUNDED(__##NAME##2half_rn, T, SIM_TO_NEAREST)                                   \
    SIM_HALF_FROM_ROUNDED(__##NAME##2half_rz, T, SIM_TO_ZERO)                                      \
    SIM_HALF_FROM_ROUNDED(__##NAME##2half_rd, T, SIM_DOWN)                                         \
    SIM_HALF_FROM_ROUNDED(__##NAME##2half_ru, T, SIM_UP)
SIM_HALF_FROM(float, float)
SIM_HALF_FROM(short, short)
SIM_HALF_FROM(ushort, unsigned short)
SIM_HALF_FROM(int, int)
SIM_HALF_FROM(uint, unsigned int)
SIM_HALF_FROM(ll, long long)
SIM_HALF_FROM(ull, unsigned long long)
SIM_HALF_FROM_ROUNDED(__float2half, float, SIM_TO_NEAREST)
SIM_HALF_FROM_ROUNDED(__double2half, double, SIM_TO_NEAREST)
#undef SIM_HALF_FROM
#undef SIM_HALF_FROM_ROUNDED

SIM_INLINE float __half2float(const __half __h)
{
    return sim_half_value(__half_as_ushort(__h));
}

/* From __half: out of range to the nearest that is in range; NaN gives 0, or of the 64-bit
 * integers 2^63. */
#define SIM_HALF_TO(NAME, T, ROUND, LOWEST, HIGHEST, NAN_VALUE)                                    \
    SIM_INLINE T NAME(const __half __h)                                                            \
    {                                                                                              \
        double __value = ROUND(sim_half_double(__h));                                              \
        return __value != __value ? NAN_VALUE : sim_saturate<T>(__value, LOWEST, HIGHEST);         \
    }
#define SIM_HALF_TO_ALL(SUFFIX, ROUND)                                                             \
    SIM_HALF_TO(__half2short_##SUFFIX, short, ROUND, SHRT_MIN, SHRT_MAX, 0)                        \
    SIM_HALF_TO(__half2ushort_##SUFFIX, unsigned short, ROUND, 0, USHRT_MAX, 0)                    \
    SIM_HALF_TO(__half2int_##SUFFIX, int, ROUND, INT_MIN, INT_MAX, 0)                              \
    SIM_HALF_TO(__half2uint_##SUFFIX, unsigned int, ROUND, 0u, UINT_MAX, 0u)                       \
    SIM_HALF_TO(__half2ll_##SUFFIX, long long, ROUND, LLONG_MIN, LLONG_MAX, LLONG_MIN)             \
    SIM_HALF_TO(__half2ull_##SUFFIX, unsigned long long, ROUND, 0ull, ULLONG_MAX, 1ull << 63)
SIM_HALF_TO_ALL(rn, rint)
SIM_HALF_TO_ALL(rz, trunc)
SIM_HALF_TO_ALL(rd, floor)
SIM_HALF_TO_ALL(ru, ceil)
SIM_HALF_TO(__half2char_rz, signed char, trunc, SCHAR_MIN, SCHAR_MAX, 0)
SIM_HALF_TO(__half2uchar_rz, unsigned char, trunc, 0, UCHAR_MAX, 0)
#undef SIM_HALF_TO_ALL
#undef SIM_HALF_TO

/* Two of them */

SIM_INLINE __half2 make_half2(const __half x, const __half y)
{
    return __half2(x, y);
}
SIM_INLINE __half2 __halves2half2(const __half __low, const __half __high)
{
    return __half2(__low, __high);
}
SIM_INLINE __half2 __half2half2(const __half __h)
{
    return __half2(__h, __h);
}
SIM_INLINE __half2 __float2half2_rn(const float __value)
{
    return __half2half2(__float2half_rn(__value));
}
SIM_INLINE __half2 __floats2half2_rn(const float __low, const float __high)
{
    return __half2(__float2half_rn(__low), __float2half_rn(__high));
}
SIM_INLINE __half2 __float22half2_rn(const float2 __pair)
{
    return __floats2half2_rn(__pair.x, __pair.y);
}
SIM_INLINE float __low2float(const __half2 __h)
{
    return __half2float(__h.x);
}
SIM_INLINE float __high2float(const __half2 __h)
{
    return __half2float(__h.y);
}
SIM_INLINE float2 __half22float2(const __half2 __h)
{
    float2 __pair;
    __pair.x = __half2float(__h.x);
    __pair.y = __half2float(__h.y);
    return __pair;
}
SIM_INLINE __half __low2half(const __half2 __h)
{
    return __h.x;
}
SIM_INLINE __half __high2half(const __half2 __h)
{
    return __h.y;
}
SIM_INLINE __half2 __low2half2(const __half2 __h)
{
    return __half2(__h.x, __h.x);
}
SIM_INLINE __half2 __high2half2(const __half2 __h)
{
    return __half2(__h.y, __h.y);
}
SIM_INLINE __half2 __lowhigh2highlow(const __half2 __h)
{
    return __half2(__h.y, __h.x);
}
SIM_INLINE __half2 __lows2half2(const __half2 __a, const __half2 __b)
{
    return __half2(__a.x, __b.x);
}
SIM_INLINE __half2 __highs2half2(const __half2 __a, const __half2 __b)
{
    return __half2(__a.y, __b.y);
}

#endif
