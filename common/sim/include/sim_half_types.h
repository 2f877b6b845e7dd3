/* sim_half_types.h - the classes __half and __half2. */
#ifndef SIM_HALF_TYPES_H
#define SIM_HALF_TYPES_H

#include "sim_half_bits.h"
#include "sim_math.h"

#define CUDART_INF_FP16 __ushort_as_half((unsigned short)0x7c00u)
#define CUDART_NAN_FP16 __ushort_as_half((unsigned short)0x7fffu)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half((unsigned short)0x0001u)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half((unsigned short)0x7bffu)
#define CUDART_NEG_ZERO_FP16 __ushort_as_half((unsigned short)0x8000u)
#define CUDART_ZERO_FP16 __ushort_as_half((unsigned short)0x0000u)
#define CUDART_ONE_FP16 __ushort_as_half((unsigned short)0x3c00u)

struct __half_raw {
    unsigned short x;
};
struct __attribute__((aligned(4))) __half2_raw {
    unsigned short x, y;
};

#define SIM_HALF_FROM(T)                                                                           \
    SIM_INLINE_MEMBER __half(const T __value) : __x(sim_half_of((double)__value, SIM_TO_NEAREST))  \
    {                                                                                              \
    }                                                                                              \
    SIM_INLINE_MEMBER __half &operator=(const T __value)                                           \
    {                                                                                              \
        __x = sim_half_of((double)__value, SIM_TO_NEAREST);                                        \
        return *this;                                                                              \
    }
/* To zero; out of range to the nearest that is in range; NaN gives 0, or 2^63 of 64 bits. */
#define SIM_HALF_TO(T, LOWEST, HIGHEST)                                                            \
    SIM_INLINE_MEMBER operator T() const                                                           \
    {                                                                                              \
        if (sizeof(T) == 8 && (__x & 0x7fffu) > 0x7c00u)                                           \
            return (T)(1ull << 63);                                                                \
        return sim_saturate<T>((double)__builtin_truncf(sim_half_value(__x)), LOWEST, HIGHEST);    \
    }

struct __half {
  protected:
    unsigned short __x;

  public:
    __half() = default;
    SIM_INLINE_MEMBER __half(const __half_raw &__raw) : __x(__raw.x)
    {
    }
    SIM_INLINE_MEMBER __half &operator=(const __half_raw &__raw)
    {
        __x = __raw.x;
        return *this;
    }
    SIM_INLINE_MEMBER operator __half_raw() const
    {
        __half_raw __raw = {__x};
        return __raw;
    }
    SIM_HALF_FROM(float)
    SIM_HALF_FROM(double)
    SIM_HALF_FROM(short)
    SIM_HALF_FROM(unsigned short)
    SIM_HALF_FROM(int)
    SIM_HALF_FROM(unsigned int)
    SIM_HALF_FROM(long)
    SIM_HALF_FROM(unsigned long)
    SIM_HALF_FROM(long long)
    SIM_HALF_FROM(unsigned long long)
    SIM_INLINE_MEMBER operator float() const
    {
        return sim_half_value(__x);
    }
    SIM_INLINE_MEMBER operator bool() const
    {
        return (__x & 0x7fffu) != 0;
    }
    SIM_HALF_TO(char, CHAR_MIN, CHAR_MAX)
    SIM_HALF_TO(signed char, SCHAR_MIN, SCHAR_MAX)
    SIM_HALF_TO(unsigned char, 0, UCHAR_MAX)
    SIM_HALF_TO(short, SHRT_MIN, SHRT_MAX)
    SIM_HALF_TO(unsigned short, 0, USHRT_MAX)
    SIM_HALF_TO(int, INT_MIN, INT_MAX)
    SIM_HALF_TO(unsigned int, 0u, UINT_MAX)
    SIM_HALF_TO(long, LONG_MIN, LONG_MAX)
    SIM_HALF_TO(unsigned long, 0ul, ULONG_MAX)
    SIM_HALF_TO(long long, LLONG_MIN, LLONG_MAX)
    SIM_HALF_TO(unsigned long long, 0ull, ULLONG_MAX)
};
#undef SIM_HALF_FROM
#undef SIM_HALF_TO

/* Loaded and stored as one access of 4 bytes: the copies are those of an integer. */
typedef unsigned int __attribute__((may_alias)) sim_half_pair;
struct __attribute__((aligned(4))) __half2 {
    __half x, y;
    __half2() = default;
    SIM_INLINE_MEMBER __half2(const __half2 &__other)
    {
        *(sim_half_pair *)this = *(const sim_half_pair *)&__other;
    }
    SIM_INLINE_MEMBER __half2 &operator=(const __half2 &__other)
    {
        *(sim_half_pair *)this = *(const sim_half_pair *)&__other;
        return *this;
    }
    SIM_INLINE_MEMBER __half2(const __half &__low, const __half &__high) : x(__low), y(__high)
    {
    }
    SIM_INLINE_MEMBER __half2(const __half2_raw &__raw)
    {
        __half_raw __low = {__raw.x}, __high = {__raw.y};
        x = __low;
        y = __high;
    }
    SIM_INLINE_MEMBER operator __half2_raw() const
    {
        __half2_raw __raw = {((__half_raw)x).x, ((__half_raw)y).x};
        return __raw;
    }
};

typedef __half half;
typedef __half2 half2;
typedef __half __nv_half;
typedef __half2 __nv_half2;
typedef __half nv_half;
typedef __half2 nv_half2;
typedef __half_raw __nv_half_raw;
typedef __half2_raw __nv_half2_raw;

SIM_INLINE unsigned short __half_as_ushort(const __half __h)
{
    return ((__half_raw)__h).x;
}
SIM_INLINE short __half_as_short(const __half __h)
{
    return (short)((__half_raw)__h).x;
}
SIM_INLINE __half __ushort_as_half(const unsigned short __bits)
{
    __half_raw __raw = {__bits};
    return __raw;
}
SIM_INLINE __half __short_as_half(const short __bits)
{
    return __ushort_as_half((unsigned short)__bits);
}

/* The result of an exact computation, rounded to nearest. */
SIM_INLINE __half sim_half_rounded(double __value)
{
    return __ushort_as_half(sim_half_of(__value, SIM_TO_NEAREST));
}
SIM_INLINE double sim_half_double(__half __h)
{
    return (double)sim_half_value(__half_as_ushort(__h));
}

#endif
