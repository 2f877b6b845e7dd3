/* sim_math.h - the mathematical functions that CUDA adds to those of <math.h>.
 *
 * Results are those of the host's library: as exact as the GPU's or better. The
 * variants that round up, down or to zero exist for conversions, not for sums
 * and products. */
#ifndef SIM_MATH_H
#define SIM_MATH_H

#include <limits.h>
#include <stdlib.h>

#include "sim_bits.h"
#include "sim_math_header.h"

/* min and max for all pairs of types that CUDA allows, on the host, too. */
#define SIM_MIN_MAX(T, A, B)                                                                       \
    SIM_INLINE T min(A __a, B __b)                                                                 \
    {                                                                                              \
        return (T)__a < (T)__b ? (T)__a : (T)__b;                                                  \
    }                                                                                              \
    SIM_INLINE T max(A __a, B __b)                                                                 \
    {                                                                                              \
        return (T)__a > (T)__b ? (T)__a : (T)__b;                                                  \
    }
#define SIM_MIN_MAX_OF_INTEGER(SIGNED, UNSIGNED)                                                   \
    SIM_MIN_MAX(SIGNED, SIGNED, SIGNED)                                                            \
    SIM_MIN_MAX(UNSIGNED, UNSIGNED, UNSIGNED)                                                      \
    SIM_MIN_MAX(UNSIGNED, SIGNED, UNSIGNED)                                                        \
    SIM_MIN_MAX(UNSIGNED, UNSIGNED, SIGNED)

SIM_MIN_MAX_OF_INTEGER(int, unsigned int)
SIM_MIN_MAX_OF_INTEGER(long, unsigned long)
SIM_MIN_MAX_OF_INTEGER(long long, unsigned long long)
#undef SIM_MIN_MAX_OF_INTEGER
#undef SIM_MIN_MAX

/* The same by the names that C has for them. */
#define SIM_MIN_MAX_NAMED(T, LETTERS)                                                              \
    SIM_INLINE T LETTERS##min(T __a, T __b)                                                        \
    {                                                                                              \
        return __a < __b ? __a : __b;                                                              \
    }                                                                                              \
    SIM_INLINE T LETTERS##max(T __a, T __b)                                                        \
    {                                                                                              \
        return __a > __b ? __a : __b;                                                              \
    }
SIM_MIN_MAX_NAMED(unsigned int, u)
SIM_MIN_MAX_NAMED(long long, ll)
SIM_MIN_MAX_NAMED(unsigned long long, ull)
#undef SIM_MIN_MAX_NAMED

/* A number wins against NaN, as with fmin and fmax. */
SIM_INLINE float min(float __a, float __b)
{
    return fminf(__a, __b);
}
SIM_INLINE float max(float __a, float __b)
{
    return fmaxf(__a, __b);
}
#define SIM_MIN_MAX_AS_DOUBLE(A, B)                                                                \
    SIM_INLINE double min(A __a, B __b)                                                            \
    {                                                                                              \
        return fmin((double)__a, (double)__b);                                                     \
    }                                                                                              \
    SIM_INLINE double max(A __a, B __b)                                                            \
    {                                                                                              \
        return fmax((double)__a, (double)__b);                                                     \
    }
SIM_MIN_MAX_AS_DOUBLE(double, double)
SIM_MIN_MAX_AS_DOUBLE(float, double)
SIM_MIN_MAX_AS_DOUBLE(double, float)
#undef SIM_MIN_MAX_AS_DOUBLE

/* The C library declares some of these names for itself, with and without the
 * leading underscores; here they are macros. */
#define __sinf sinf
#define __cosf cosf
#define __tanf tanf
#define __tanhf tanhf
#define __sincosf sincosf
#define __expf expf
#define __exp10f exp10f
#define __logf logf
#define __log2f log2f
#define __log10f log10f
#define __powf powf

#ifdef __GLIBC_PREREQ
#if __GLIBC_PREREQ(2, 41)
#define SIM_LIBRARY_HAS_SINPI
#endif
#if __GLIBC_PREREQ(2, 42)
#define SIM_LIBRARY_HAS_RSQRT
#endif
#endif

#ifndef SIM_LIBRARY_HAS_RSQRT
SIM_INLINE float rsqrtf(float __x)
{
    return 1.0f / sqrtf(__x);
}
SIM_INLINE double rsqrt(double __x)
{
    return 1.0 / sqrt(__x);
}
#endif
SIM_INLINE float rsqrt(float __x)
{
    return rsqrtf(__x);
}
SIM_INLINE float rcbrtf(float __x)
{
    return 1.0f / cbrtf(__x);
}
SIM_INLINE double rcbrt(double __x)
{
    return 1.0 / cbrt(__x);
}

#ifndef SIM_LIBRARY_HAS_SINPI
/* The remainder is exact, so large arguments keep their precision. */
SIM_INLINE double sinpi(double __x)
{
    return sin(fmod(__x, 2.0) * 3.14159265358979323846);
}
SIM_INLINE double cospi(double __x)
{
    return cos(fmod(__x, 2.0) * 3.14159265358979323846);
}
SIM_INLINE float sinpif(float __x)
{
    return (float)sinpi((double)__x);
}
SIM_INLINE float cospif(float __x)
{
    return (float)cospi((double)__x);
}
#endif
SIM_INLINE void sincospi(double __x, double *__sine, double *__cosine)
{
    *__sine = sinpi(__x);
    *__cosine = cospi(__x);
}
SIM_INLINE void sincospif(float __x, float *__sine, float *__cosine)
{
    *__sine = sinpif(__x);
    *__cosine = cospif(__x);
}

SIM_INLINE float norm3df(float __x, float __y, float __z)
{
    return (float)sqrt((double)__x * __x + (double)__y * __y + (double)__z * __z);
}
SIM_INLINE double norm3d(double __x, double __y, double __z)
{
    return hypot(hypot(__x, __y), __z);
}
SIM_INLINE float norm4df(float __x, float __y, float __z, float __w)
{
    return (float)sqrt((double)__x * __x + (double)__y * __y + (double)__z * __z +
                       (double)__w * __w);
}
SIM_INLINE double norm4d(double __x, double __y, double __z, double __w)
{
    return hypot(hypot(__x, __y), hypot(__z, __w));
}
SIM_INLINE float rnorm3df(float __x, float __y, float __z)
{
    return 1.0f / norm3df(__x, __y, __z);
}
SIM_INLINE double rnorm3d(double __x, double __y, double __z)
{
    return 1.0 / norm3d(__x, __y, __z);
}
SIM_INLINE float rnorm4df(float __x, float __y, float __z, float __w)
{
    return 1.0f / norm4df(__x, __y, __z, __w);
}
SIM_INLINE double rnorm4d(double __x, double __y, double __z, double __w)
{
    return 1.0 / norm4d(__x, __y, __z, __w);
}
SIM_INLINE double norm(int __count, const double *__values)
{
    double __sum = 0.0;
    for (int __i = 0; __i < __count; __i++)
        __sum += __values[__i] * __values[__i];
    return sqrt(__sum);
}
SIM_INLINE float normf(int __count, const float *__values)
{
    double __sum = 0.0;
    for (int __i = 0; __i < __count; __i++)
        __sum += (double)__values[__i] * (double)__values[__i];
    return (float)sqrt(__sum);
}
SIM_INLINE double rnorm(int __count, const double *__values)
{
    return 1.0 / norm(__count, __values);
}
SIM_INLINE float rnormf(int __count, const float *__values)
{
    return 1.0f / normf(__count, __values);
}
/* The modified Bessel functions of order 0 and 1: a series whose terms are all positive. */
SIM_INLINE double sim_bessel(double __x, int __order)
{
    const double __square = 0.25 * __x * __x;
    double __term = __order == 0 ? 1.0 : 0.5 * __x, __sum = 0.0;
    for (int __k = 1; __sum + __term != __sum; __k++) {
        __sum += __term;
        __term *= __square / ((double)__k * (__k + __order));
    }
    return __sum;
}
SIM_INLINE double cyl_bessel_i0(double __x)
{
    return sim_bessel(__x, 0);
}
SIM_INLINE double cyl_bessel_i1(double __x)
{
    return sim_bessel(__x, 1);
}
SIM_INLINE float cyl_bessel_i0f(float __x)
{
    return (float)sim_bessel((double)__x, 0);
}
SIM_INLINE float cyl_bessel_i1f(float __x)
{
    return (float)sim_bessel((double)__x, 1);
}
SIM_INLINE float rhypotf(float __x, float __y)
{
    return 1.0f / hypotf(__x, __y);
}
SIM_INLINE double rhypot(double __x, double __y)
{
    return 1.0 / hypot(__x, __y);
}
SIM_INLINE float normcdff(float __x)
{
    return 0.5f * erfcf(-__x * 0.70710678f);
}
SIM_INLINE double normcdf(double __x)
{
    return 0.5 * erfc(-__x * 0.70710678118654752440);
}

/* To the range from 0 to 1; NaN becomes 0. */
SIM_INLINE float __saturatef(float __x)
{
    return __x >= 1.0f ? 1.0f : __x > 0.0f ? __x : 0.0f;
}
SIM_INLINE float fdividef(float __x, float __y)
{
    return __x / __y;
}
SIM_INLINE float __fdividef(float __x, float __y)
{
    return __x / __y;
}

#define SIM_ROUNDED(T, LETTER)                                                                     \
    SIM_INLINE T __##LETTER##add_rn(T __x, T __y)                                                  \
    {                                                                                              \
        return __x + __y;                                                                          \
    }                                                                                              \
    SIM_INLINE T __##LETTER##sub_rn(T __x, T __y)                                                  \
    {                                                                                              \
        return __x - __y;                                                                          \
    }                                                                                              \
    SIM_INLINE T __##LETTER##mul_rn(T __x, T __y)                                                  \
    {                                                                                              \
        return __x * __y;                                                                          \
    }                                                                                              \
    SIM_INLINE T __##LETTER##div_rn(T __x, T __y)                                                  \
    {                                                                                              \
        return __x / __y;                                                                          \
    }                                                                                              \
    SIM_INLINE T __##LETTER##rcp_rn(T __x)                                                         \
    {                                                                                              \
        return 1 / __x;                                                                            \
    }                                                                                              \
    SIM_INLINE T __##LETTER##sqrt_rn(T __x)                                                        \
    {                                                                                              \
        return sqrt(__x);                                                                          \
    }
SIM_ROUNDED(float, f)
SIM_ROUNDED(double, d)
#undef SIM_ROUNDED

SIM_INLINE float __frsqrt_rn(float __x)
{
    return (float)(1.0 / sqrt((double)__x));
}
SIM_INLINE float __fmaf_rn(float __x, float __y, float __z)
{
    return __builtin_fmaf(__x, __y, __z);
}
SIM_INLINE double __fma_rn(double __x, double __y, double __z)
{
    return __builtin_fma(__x, __y, __z);
}

/* A rounded value as an integer: out of range it becomes the nearest one that is
 * in range, and NaN becomes 0. */
template <class __Integer>
SIM_INLINE __Integer sim_saturate(double __x, __Integer __lowest, __Integer __highest)
{
    if (__x != __x)
        return 0;
    if (__x <= (double)__lowest)
        return __lowest;
    return __x >= (double)__highest ? __highest : (__Integer)__x;
}

/* rn: nearest, ties to even; rz: to zero; ru: up; rd: down. */
#define SIM_TO_INTEGER(NAME, FROM, TO, LOWEST, HIGHEST)                                            \
    SIM_INLINE TO NAME##_rn(FROM __x)                                                              \
    {                                                                                              \
        return sim_saturate<TO>(rint((double)__x), LOWEST, HIGHEST);                               \
    }                                                                                              \
    SIM_INLINE TO NAME##_rz(FROM __x)                                                              \
    {                                                                                              \
        return sim_saturate<TO>(trunc((double)__x), LOWEST, HIGHEST);                              \
    }                                                                                              \
    SIM_INLINE TO NAME##_ru(FROM __x)                                                              \
    {                                                                                              \
        return sim_saturate<TO>(ceil((double)__x), LOWEST, HIGHEST);                               \
    }                                                                                              \
    SIM_INLINE TO NAME##_rd(FROM __x)                                                              \
    {                                                                                              \
        return sim_saturate<TO>(floor((double)__x), LOWEST, HIGHEST);                              \
    }
#define SIM_TO_INTEGERS(LETTERS, FROM)                                                             \
    SIM_TO_INTEGER(__##LETTERS##2int, FROM, int, INT_MIN, INT_MAX)                                 \
    SIM_TO_INTEGER(__##LETTERS##2uint, FROM, unsigned int, 0u, UINT_MAX)                           \
    SIM_TO_INTEGER(__##LETTERS##2ll, FROM, long long, LLONG_MIN, LLONG_MAX)                        \
    SIM_TO_INTEGER(__##LETTERS##2ull, FROM, unsigned long long, 0ull, ULLONG_MAX)
SIM_TO_INTEGERS(float, float)
SIM_TO_INTEGERS(double, double)
#undef SIM_TO_INTEGERS
#undef SIM_TO_INTEGER

#define SIM_CONVERSION(NAME, FROM, TO)                                                             \
    SIM_INLINE TO NAME(FROM __x)                                                                   \
    {                                                                                              \
        return (TO)__x;                                                                            \
    }
SIM_CONVERSION(__int2float_rn, int, float)
SIM_CONVERSION(__uint2float_rn, unsigned int, float)
SIM_CONVERSION(__ll2float_rn, long long, float)
SIM_CONVERSION(__ull2float_rn, unsigned long long, float)
SIM_CONVERSION(__int2double_rn, int, double)
SIM_CONVERSION(__uint2double_rn, unsigned int, double)
SIM_CONVERSION(__ll2double_rn, long long, double)
SIM_CONVERSION(__ull2double_rn, unsigned long long, double)
SIM_CONVERSION(__double2float_rn, double, float)
#undef SIM_CONVERSION

#endif
