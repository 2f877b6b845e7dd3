/* sim_half_math.h - arithmetic, comparisons and functions of __half and __half2. */
#ifndef SIM_HALF_MATH_H
#define SIM_HALF_MATH_H

#include "sim_half_convert.h"

SIM_INLINE bool __hisnan(const __half __h)
{
    return (__half_as_ushort(__h) & 0x7fffu) > 0x7c00u;
}
/* 1 and -1 for the infinities. */
SIM_INLINE int __hisinf(const __half __h)
{
    unsigned short __bits = __half_as_ushort(__h);
    return (__bits & 0x7fffu) != 0x7c00u ? 0 : __bits >> 15 ? -1 : 1;
}
SIM_INLINE __half __habs(const __half __h)
{
    if (__hisnan(__h))
        return CUDART_NAN_FP16;
    return __ushort_as_half((unsigned short)(__half_as_ushort(__h) & 0x7fffu));
}
SIM_INLINE __half __hneg(const __half __h)
{
    if (__hisnan(__h))
        return CUDART_NAN_FP16;
    return __ushort_as_half((unsigned short)(__half_as_ushort(__h) ^ 0x8000u));
}
/* To the range from 0 to 1; NaN becomes 0. */
SIM_INLINE double sim_half_clamped(double __value)
{
    return __value >= 1.0 ? 1.0 : __value > 0.0 ? __value : 0.0;
}

/* A function of one number or two, applied to both parts of a pair. */
#define SIM_HALF_PAIR1(NAME, ONE)                                                                  \
    SIM_INLINE __half2 NAME(const __half2 __a)                                                     \
    {                                                                                              \
        return __half2(ONE(__a.x), ONE(__a.y));                                                    \
    }
#define SIM_HALF_PAIR2(NAME, ONE)                                                                  \
    SIM_INLINE __half2 NAME(const __half2 __a, const __half2 __b)                                  \
    {                                                                                              \
        return __half2(ONE(__a.x, __b.x), ONE(__a.y, __b.y));                                      \
    }
#define SIM_HALF_PAIR3(NAME, ONE)                                                                  \
    SIM_INLINE __half2 NAME(const __half2 __a, const __half2 __b, const __half2 __c)               \
    {                                                                                              \
        return __half2(ONE(__a.x, __b.x, __c.x), ONE(__a.y, __b.y, __c.y));                        \
    }
SIM_HALF_PAIR1(__hneg2, __hneg)
SIM_HALF_PAIR1(__habs2, __habs)

/* _sat clamps; _rn is never fused with another operation, and nothing is here. */
#define SIM_HALF_ARITHMETIC(NAME, OPERATOR)                                                        \
    SIM_INLINE __half __h##NAME(const __half __a, const __half __b)                                \
    {                                                                                              \
        return sim_half_rounded(sim_half_double(__a) OPERATOR sim_half_double(__b));               \
    }                                                                                              \
    SIM_INLINE __half __h##NAME##_rn(const __half __a, const __half __b)                           \
    {                                                                                              \
        return __h##NAME(__a, __b);                                                                \
    }                                                                                              \
    SIM_INLINE __half __h##NAME##_sat(const __half __a, const __half __b)                          \
    {                                                                                              \
        return sim_half_rounded(                                                                   \
            sim_half_clamped(sim_half_double(__a) OPERATOR sim_half_double(__b)));                 \
    }                                                                                              \
    SIM_HALF_PAIR2(__h##NAME##2, __h##NAME)                                                        \
    SIM_HALF_PAIR2(__h##NAME##2_rn, __h##NAME)                                                     \
    SIM_HALF_PAIR2(__h##NAME##2_sat, __h##NAME##_sat)
SIM_HALF_ARITHMETIC(add, +)
SIM_HALF_ARITHMETIC(sub, -)
SIM_HALF_ARITHMETIC(mul, *)
#undef SIM_HALF_ARITHMETIC

SIM_INLINE __half __hdiv(const __half __a, const __half __b)
{
    return sim_half_rounded(sim_half_double(__a) / sim_half_double(__b));
}
SIM_HALF_PAIR2(__h2div, __hdiv)

/* a * b + c, rounded once. */
SIM_INLINE __half __hfma(const __half __a, const __half __b, const __half __c)
{
    return sim_half_rounded(sim_half_double(__a) * sim_half_double(__b) + sim_half_double(__c));
}
SIM_INLINE __half __hfma_sat(const __half __a, const __half __b, const __half __c)
{
    return sim_half_rounded(
        sim_half_clamped(sim_half_double(__a) * sim_half_double(__b) + sim_half_double(__c)));
}
SIM_INLINE __half __hfma_relu(const __half __a, const __half __b, const __half __c)
{
    __half __sum = __hfma(__a, __b, __c);
    return __half_as_ushort(__sum) >> 15 ? CUDART_ZERO_FP16 : __sum;
}
SIM_HALF_PAIR3(__hfma2, __hfma)
SIM_HALF_PAIR3(__hfma2_sat, __hfma_sat)
SIM_HALF_PAIR3(__hfma2_relu, __hfma_relu)
/* Of complex numbers. */
SIM_INLINE __half2 __hcmadd(const __half2 __a, const __half2 __b, const __half2 __c)
{
    __half2 __sum = __hfma2(__half2(__a.x, __a.x), __b, __c);
    return __half2(__hfma(__hneg(__a.y), __b.y, __sum.x), __hfma(__a.y, __b.x, __sum.y));
}

/* A number wins against NaN, +0 is larger than -0; _nan: NaN wins. */
SIM_INLINE bool sim_half_less(const __half __a, const __half __b)
{
    float x = __half2float(__a), y = __half2float(__b);
    return x < y || (x == y && __half_as_ushort(__a) >> 15 > __half_as_ushort(__b) >> 15);
}
#define SIM_HALF_CHOICE(NAME, FIRST, SECOND)                                                       \
    SIM_INLINE __half NAME(const __half __a, const __half __b)                                     \
    {                                                                                              \
        if (__hisnan(__a))                                                                         \
            return __hisnan(__b) ? CUDART_NAN_FP16 : __b;                                          \
        return __hisnan(__b) || sim_half_less(FIRST, SECOND) ? __a : __b;                          \
    }                                                                                              \
    SIM_INLINE __half NAME##_nan(const __half __a, const __half __b)                               \
    {                                                                                              \
        return __hisnan(__a) || __hisnan(__b) ? CUDART_NAN_FP16 : NAME(__a, __b);                  \
    }                                                                                              \
    SIM_HALF_PAIR2(NAME##2, NAME)                                                                  \
    SIM_HALF_PAIR2(NAME##2_nan, NAME##_nan)
SIM_HALF_CHOICE(__hmin, __a, __b)
SIM_HALF_CHOICE(__hmax, __b, __a)
#undef SIM_HALF_CHOICE

/* Comparisons: of one number; of two as 1 or 0 each, as masks, and of both at once. With NaN
 * the ones without u are false, those with u true. */
SIM_INLINE __half sim_half_truth(bool __truth)
{
    return __truth ? CUDART_ONE_FP16 : CUDART_ZERO_FP16;
}
#define SIM_HALF_COMPARED(NAME, RESULT)                                                            \
    SIM_INLINE bool __h##NAME(const __half __a, const __half __b)                                  \
    {                                                                                              \
        float x = __half2float(__a), y = __half2float(__b);                                        \
        return RESULT;                                                                             \
    }                                                                                              \
    SIM_INLINE __half2 __h##NAME##2(const __half2 __a, const __half2 __b)                          \
    {                                                                                              \
        return __half2(sim_half_truth(__h##NAME(__a.x, __b.x)),                                    \
                       sim_half_truth(__h##NAME(__a.y, __b.y)));                                   \
    }                                                                                              \
    SIM_INLINE unsigned int __h##NAME##2_mask(const __half2 __a, const __half2 __b)                \
    {                                                                                              \
        return (__h##NAME(__a.x, __b.x) ? 0xffffu : 0u) |                                          \
               (__h##NAME(__a.y, __b.y) ? 0xffff0000u : 0u);                                       \
    }                                                                                              \
    SIM_INLINE bool __hb##NAME##2(const __half2 __a, const __half2 __b)                            \
    {                                                                                              \
        return __h##NAME(__a.x, __b.x) && __h##NAME(__a.y, __b.y);                                 \
    }
SIM_HALF_COMPARED(eq, x == y)
SIM_HALF_COMPARED(equ, !(x < y || x > y))
SIM_HALF_COMPARED(ne, x<y || x> y)
SIM_HALF_COMPARED(neu, !(x == y))
SIM_HALF_COMPARED(lt, x < y)
SIM_HALF_COMPARED(ltu, !(x >= y))
SIM_HALF_COMPARED(le, x <= y)
SIM_HALF_COMPARED(leu, !(x > y))
SIM_HALF_COMPARED(gt, x > y)
SIM_HALF_COMPARED(gtu, !(x <= y))
SIM_HALF_COMPARED(ge, x >= y)
SIM_HALF_COMPARED(geu, !(x < y))
#undef SIM_HALF_COMPARED

SIM_INLINE __half2 __hisnan2(const __half2 __h)
{
    return __half2(sim_half_truth(__hisnan(__h.x)), sim_half_truth(__hisnan(__h.y)));
}

/* Functions of double, rounded. */
#define SIM_HALF_FUNCTION(NAME, VALUE)                                                             \
    SIM_INLINE __half h##NAME(const __half __h)                                                    \
    {                                                                                              \
        double x = sim_half_double(__h);                                                           \
        return sim_half_rounded(VALUE);                                                            \
    }                                                                                              \
    SIM_HALF_PAIR1(h2##NAME, h##NAME)
SIM_HALF_FUNCTION(sqrt, sqrt(x))
SIM_HALF_FUNCTION(rsqrt, 1.0 / sqrt(x))
SIM_HALF_FUNCTION(rcp, 1.0 / x)
SIM_HALF_FUNCTION(exp, exp(x))
SIM_HALF_FUNCTION(exp2, exp2(x))
SIM_HALF_FUNCTION(exp10, pow(10.0, x))
SIM_HALF_FUNCTION(log, log(x))
SIM_HALF_FUNCTION(log2, log2(x))
SIM_HALF_FUNCTION(log10, log10(x))
SIM_HALF_FUNCTION(sin, sin(x))
SIM_HALF_FUNCTION(cos, cos(x))
SIM_HALF_FUNCTION(tanh, tanh(x))
SIM_HALF_FUNCTION(tanh_approx, tanh(x))
SIM_HALF_FUNCTION(ceil, ceil(x))
SIM_HALF_FUNCTION(floor, floor(x))
SIM_HALF_FUNCTION(trunc, trunc(x))
SIM_HALF_FUNCTION(rint, rint(x))
#undef SIM_HALF_FUNCTION
#undef SIM_HALF_PAIR1
#undef SIM_HALF_PAIR2
#undef SIM_HALF_PAIR3

#ifndef __CUDA_NO_HALF_OPERATORS__
#define SIM_HALF_OPERATOR(OPERATOR, T, FUNCTION)                                                   \
    SIM_INLINE T operator OPERATOR(const T &__a, const T &__b)                                     \
    {                                                                                              \
        return FUNCTION(__a, __b);                                                                 \
    }                                                                                              \
    SIM_INLINE T &operator OPERATOR##=(T &__a, const T &__b)                                       \
    {                                                                                              \
        return __a = FUNCTION(__a, __b);                                                           \
    }
#define SIM_HALF_RELATION(OPERATOR, ONE, TWO)                                                      \
    SIM_INLINE bool operator OPERATOR(const __half &__a, const __half &__b)                        \
    {                                                                                              \
        return ONE(__a, __b);                                                                      \
    }                                                                                              \
    SIM_INLINE bool operator OPERATOR(const __half2 &__a, const __half2 &__b)                      \
    {                                                                                              \
        return TWO(__a, __b);                                                                      \
    }
#define SIM_HALF_STEP(OPERATOR, T, ONE)                                                            \
    SIM_INLINE T &operator OPERATOR##OPERATOR(T &__h)                                              \
    {                                                                                              \
        return __h = __h OPERATOR ONE;                                                             \
    }                                                                                              \
    SIM_INLINE T operator OPERATOR##OPERATOR(T &__h, int)                                          \
    {                                                                                              \
        T __before = __h;                                                                          \
        __h = __h OPERATOR ONE;                                                                    \
        return __before;                                                                           \
    }
#define SIM_HALF_SIGN(OPERATOR, T, VALUE)                                                          \
    SIM_INLINE T operator OPERATOR(const T &__h)                                                   \
    {                                                                                              \
        return VALUE;                                                                              \
    }
SIM_HALF_OPERATOR(+, __half, __hadd)
SIM_HALF_OPERATOR(-, __half, __hsub)
SIM_HALF_OPERATOR(*, __half, __hmul)
SIM_HALF_OPERATOR(/, __half, __hdiv)
SIM_HALF_OPERATOR(+, __half2, __hadd2)
SIM_HALF_OPERATOR(-, __half2, __hsub2)
SIM_HALF_OPERATOR(*, __half2, __hmul2)
SIM_HALF_OPERATOR(/, __half2, __h2div)
SIM_HALF_RELATION(==, __heq, __hbeq2)
SIM_HALF_RELATION(!=, __hneu, __hbneu2)
SIM_HALF_RELATION(<, __hlt, __hblt2)
SIM_HALF_RELATION(<=, __hle, __hble2)
SIM_HALF_RELATION(>, __hgt, __hbgt2)
SIM_HALF_RELATION(>=, __hge, __hbge2)
SIM_HALF_SIGN(+, __half, __h)
SIM_HALF_SIGN(+, __half2, __h)
SIM_HALF_SIGN(-, __half, __hneg(__h))
SIM_HALF_SIGN(-, __half2, __hneg2(__h))
SIM_HALF_STEP(+, __half, CUDART_ONE_FP16)
SIM_HALF_STEP(-, __half, CUDART_ONE_FP16)
SIM_HALF_STEP(+, __half2, __half2half2(CUDART_ONE_FP16))
SIM_HALF_STEP(-, __half2, __half2half2(CUDART_ONE_FP16))
#undef SIM_HALF_OPERATOR
#undef SIM_HALF_RELATION
#undef SIM_HALF_STEP
#undef SIM_HALF_SIGN
#endif

#endif
