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
    SIM_INLINE T min(A a, B b)                                                                     \
    {                                                                                              \
        return (T)a < (T)b ? (T)a : (T)b;                                                          \
    }                                                                                              \
    SIM_INLINE T max(A a, B b)                                                                     \
    {                                                                                              \
        return (T)a > (T)b ? (T)a : (T)b;                                                          \
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
    SIM_INLINE T LETTERS##min(T a, T b)                                                            \
    {                                                                                              \
        return a < b ? a : b;                                                                      \
    }                                                                                              \
    SIM_INLINE T LETTERS##max(T a, T b)                                                            \
    {                                                                                              \
        return a > b ? a : b;                                                                      \
    }
SIM_MIN_MAX_NAMED(unsigned int, u)
SIM_MIN_MAX_NAMED(long long, ll)
SIM_MIN_MAX_NAMED(unsigned long long, ull)
#undef SIM_MIN_MAX_NAMED

/* A number wins against NaN, as with fmin and fmax. */
SIM_INLINE float min(float a, float b)
{
    return fminf(a, b);
}
SIM_INLINE float max(float a, float b)
{
    return fmaxf(a, b);
}
#define SIM_MIN_MAX_AS_DOUBLE(A, B)                                                                \
    SIM_INLINE double min(A a, B b)                                                                \
    {                                                                                              \
        return fmin((double)a, (double)b);                                                         \
    }                                                                                              \
    SIM_INLINE double max(A a, B b)                                                                \
    {                                                                                              \
        return fmax((double)a, (double)b);                                                         \
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
SIM_INLINE float rsqrtf(float x)
{
    return 1.0f / sqrtf(x);
}
SIM_INLINE double rsqrt(double x)
{
    return 1.0 / sqrt(x);
}
#endif
SIM_INLINE float rsqrt(float x)
{
    return rsqrtf(x);
}
SIM_INLINE float rcbrtf(float x)
{
    return 1.0f / cbrtf(x);
}
SIM_INLINE double rcbrt(double x)
{
    return 1.0 / cbrt(x);
}

#ifndef SIM_LIBRARY_HAS_SINPI
/* The remainder is exact, so large arguments keep their precision. */
SIM_INLINE double sinpi(double x)
{
    return sin(fmod(x, 2.0) * 3.14159265358979323846);
}
SIM_INLINE double cospi(double x)
{
    return cos(fmod(x, 2.0) * 3.14159265358979323846);
}
SIM_INLINE float sinpif(float x)
{
    return (float)sinpi((double)x);
}
SIM_INLINE float cospif(float x)
{
    return (float)cospi((double)x);
}
#endif
SIM_INLINE void sincospi(double x, double *sine, double *cosine)
{
    *sine = sinpi(x);
    *cosine = cospi(x);
}
SIM_INLINE void sincospif(float x, float *sine, float *cosine)
{
    *sine = sinpif(x);
    *cosine = cospif(x);
}

SIM_INLINE float norm3df(float x, float y, float z)
{
    return (float)sqrt((double)x * x + (double)y * y + (double)z * z);
}
SIM_INLINE double norm3d(double x, double y, double z)
{
    return hypot(hypot(x, y), z);
}
SIM_INLINE float norm4df(float x, float y, float z, float w)
{
    return (float)sqrt((double)x * x + (double)y * y + (double)z * z + (double)w * w);
}
SIM_INLINE double norm4d(double x, double y, double z, double w)
{
    return hypot(hypot(x, y), hypot(z, w));
}
SIM_INLINE float rnorm3df(float x, float y, float z)
{
    return 1.0f / norm3df(x, y, z);
}
SIM_INLINE double rnorm3d(double x, double y, double z)
{
    return 1.0 / norm3d(x, y, z);
}
SIM_INLINE float rhypotf(float x, float y)
{
    return 1.0f / hypotf(x, y);
}
SIM_INLINE double rhypot(double x, double y)
{
    return 1.0 / hypot(x, y);
}
SIM_INLINE float normcdff(float x)
{
    return 0.5f * erfcf(-x * 0.70710678f);
}
SIM_INLINE double normcdf(double x)
{
    return 0.5 * erfc(-x * 0.70710678118654752440);
}

/* To the range from 0 to 1; NaN becomes 0. */
SIM_INLINE float __saturatef(float x)
{
    return x >= 1.0f ? 1.0f : x > 0.0f ? x : 0.0f;
}
SIM_INLINE float fdividef(float x, float y)
{
    return x / y;
}
SIM_INLINE float __fdividef(float x, float y)
{
    return x / y;
}

#define SIM_ROUNDED(T, LETTER)                                                                     \
    SIM_INLINE T __##LETTER##add_rn(T x, T y)                                                      \
    {                                                                                              \
        return x + y;                                                                              \
    }                                                                                              \
    SIM_INLINE T __##LETTER##sub_rn(T x, T y)                                                      \
    {                                                                                              \
        return x - y;                                                                              \
    }                                                                                              \
    SIM_INLINE T __##LETTER##mul_rn(T x, T y)                                                      \
    {                                                                                              \
        return x * y;                                                                              \
    }                                                                                              \
    SIM_INLINE T __##LETTER##div_rn(T x, T y)                                                      \
    {                                                                                              \
        return x / y;                                                                              \
    }                                                                                              \
    SIM_INLINE T __##LETTER##rcp_rn(T x)                                                           \
    {                                                                                              \
        return 1 / x;                                                                              \
    }                                                                                              \
    SIM_INLINE T __##LETTER##sqrt_rn(T x)                                                          \
    {                                                                                              \
        return sqrt(x);                                                                            \
    }
SIM_ROUNDED(float, f)
SIM_ROUNDED(double, d)
#undef SIM_ROUNDED

SIM_INLINE float __frsqrt_rn(float x)
{
    return (float)(1.0 / sqrt((double)x));
}
SIM_INLINE float __fmaf_rn(float x, float y, float z)
{
    return __builtin_fmaf(x, y, z);
}
SIM_INLINE double __fma_rn(double x, double y, double z)
{
    return __builtin_fma(x, y, z);
}

/* A rounded value as an integer: out of range it becomes the nearest one that is
 * in range, and NaN becomes 0. */
template <class Integer> SIM_INLINE Integer sim_saturate(double x, Integer lowest, Integer highest)
{
    if (x != x)
        return 0;
    if (x <= (double)lowest)
        return lowest;
    return x >= (double)highest ? highest : (Integer)x;
}

/* rn: nearest, ties to even; rz: to zero; ru: up; rd: down. */
#define SIM_TO_INTEGER(NAME, FROM, TO, LOWEST, HIGHEST)                                            \
    SIM_INLINE TO NAME##_rn(FROM x)                                                                \
    {                                                                                              \
        return sim_saturate<TO>(rint((double)x), LOWEST, HIGHEST);                                 \
    }                                                                                              \
    SIM_INLINE TO NAME##_rz(FROM x)                                                                \
    {                                                                                              \
        return sim_saturate<TO>(trunc((double)x), LOWEST, HIGHEST);                                \
    }                                                                                              \
    SIM_INLINE TO NAME##_ru(FROM x)                                                                \
    {                                                                                              \
        return sim_saturate<TO>(ceil((double)x), LOWEST, HIGHEST);                                 \
    }                                                                                              \
    SIM_INLINE TO NAME##_rd(FROM x)                                                                \
    {                                                                                              \
        return sim_saturate<TO>(floor((double)x), LOWEST, HIGHEST);                                \
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
    SIM_INLINE TO NAME(FROM x)                                                                     \
    {                                                                                              \
        return (TO)x;                                                                              \
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
