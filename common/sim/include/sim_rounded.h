/* sim_rounded.h - arithmetic and conversions that are rounded down (_rd), up (_ru) or toward 0 (_rz); and DPX, which adds
 * and takes the larger or the smaller of integers. */
#ifndef SIM_ROUNDED_H
#define SIM_ROUNDED_H

#include "sim_inline.h"

#define SIM_ROUNDED_OF(TYPE, ADD, SUB, MUL, DIV, FUSED, RCP, ROOT, FUNCTION, MODE)                 \
    SIM_INLINE TYPE ADD(TYPE __a, TYPE __b)                                                        \
    {                                                                                              \
        return FUNCTION(SIM_SUM, MODE, __a, __b, 0);                                               \
    }                                                                                              \
    SIM_INLINE TYPE SUB(TYPE __a, TYPE __b)                                                        \
    {                                                                                              \
        return FUNCTION(SIM_DIFFERENCE, MODE, __a, __b, 0);                                        \
    }                                                                                              \
    SIM_INLINE TYPE MUL(TYPE __a, TYPE __b)                                                        \
    {                                                                                              \
        return FUNCTION(SIM_PRODUCT, MODE, __a, __b, 0);                                           \
    }                                                                                              \
    SIM_INLINE TYPE DIV(TYPE __a, TYPE __b)                                                        \
    {                                                                                              \
        return FUNCTION(SIM_QUOTIENT, MODE, __a, __b, 0);                                          \
    }                                                                                              \
    SIM_INLINE TYPE FUSED(TYPE __a, TYPE __b, TYPE __c)                                            \
    {                                                                                              \
        return FUNCTION(SIM_FUSED, MODE, __a, __b, __c);                                           \
    }                                                                                              \
    SIM_INLINE TYPE RCP(TYPE __a)                                                                  \
    {                                                                                              \
        return FUNCTION(SIM_QUOTIENT, MODE, 1, __a, 0);                                            \
    }                                                                                              \
    SIM_INLINE TYPE ROOT(TYPE __a)                                                                 \
    {                                                                                              \
        return FUNCTION(SIM_ROOT, MODE, __a, 0, 0);                                                \
    }
#define SIM_CONVERTED(NAME, TO, FROM, FUNCTION, MODE)                                              \
    SIM_INLINE TO NAME(FROM __a)                                                                   \
    {                                                                                              \
        return FUNCTION(MODE, __a);                                                                \
    }
#define SIM_ROUNDED(SUFFIX, MODE)                                                                  \
    SIM_ROUNDED_OF(float, __fadd_##SUFFIX, __fsub_##SUFFIX, __fmul_##SUFFIX, __fdiv_##SUFFIX,      \
                   __fmaf_##SUFFIX, __frcp_##SUFFIX, __fsqrt_##SUFFIX, sim_rounded_float, MODE)    \
    SIM_ROUNDED_OF(double, __dadd_##SUFFIX, __dsub_##SUFFIX, __dmul_##SUFFIX, __ddiv_##SUFFIX,     \
                   __fma_##SUFFIX, __drcp_##SUFFIX, __dsqrt_##SUFFIX, sim_rounded_double, MODE)    \
    SIM_CONVERTED(__double2float_##SUFFIX, float, double, sim_float_of_double, MODE)               \
    SIM_CONVERTED(__int2float_##SUFFIX, float, int, sim_float_of_signed, MODE)                     \
    SIM_CONVERTED(__uint2float_##SUFFIX, float, unsigned int, sim_float_of_unsigned, MODE)         \
    SIM_CONVERTED(__ll2float_##SUFFIX, float, long long, sim_float_of_signed, MODE)                \
    SIM_CONVERTED(__ull2float_##SUFFIX, float, unsigned long long, sim_float_of_unsigned, MODE)    \
    SIM_CONVERTED(__ll2double_##SUFFIX, double, long long, sim_double_of_signed, MODE)             \
    SIM_CONVERTED(__ull2double_##SUFFIX, double, unsigned long long, sim_double_of_unsigned, MODE)
SIM_ROUNDED(rd, SIM_ROUND_DOWN)
SIM_ROUNDED(ru, SIM_ROUND_UP)
SIM_ROUNDED(rz, SIM_ROUND_TO_ZERO)
#undef SIM_ROUNDED
#undef SIM_CONVERTED
#undef SIM_ROUNDED_OF

/* Of whole words; signed sums wrap around. */
SIM_INLINE int sim_wrapped(int __a, int __b)
{
    return (int)((unsigned int)__a + (unsigned int)__b);
}
#define SIM_DPX(KIND, ORDER)                                                                       \
    SIM_INLINE int __vi##KIND##3_s32(int __a, int __b, int __c)                                    \
    {                                                                                              \
        const int __d = __a ORDER __b ? __a : __b;                                                 \
        return __d ORDER __c ? __d : __c;                                                          \
    }                                                                                              \
    SIM_INLINE unsigned int __vi##KIND##3_u32(unsigned int __a, unsigned int __b,                  \
                                              unsigned int __c)                                    \
    {                                                                                              \
        const unsigned int __d = __a ORDER __b ? __a : __b;                                        \
        return __d ORDER __c ? __d : __c;                                                          \
    }                                                                                              \
    SIM_INLINE int __vi##KIND##_s32_relu(int __a, int __b)                                         \
    {                                                                                              \
        const int __d = __a ORDER __b ? __a : __b;                                                 \
        return __d > 0 ? __d : 0;                                                                  \
    }                                                                                              \
    SIM_INLINE int __vi##KIND##3_s32_relu(int __a, int __b, int __c)                               \
    {                                                                                              \
        const int __d = __vi##KIND##3_s32(__a, __b, __c);                                          \
        return __d > 0 ? __d : 0;                                                                  \
    }                                                                                              \
    SIM_INLINE int __viadd##KIND##_s32(int __a, int __b, int __c)                                  \
    {                                                                                              \
        const int __d = sim_wrapped(__a, __b);                                                     \
        return __d ORDER __c ? __d : __c;                                                          \
    }                                                                                              \
    SIM_INLINE unsigned int __viadd##KIND##_u32(unsigned int __a, unsigned int __b,                \
                                                unsigned int __c)                                  \
    {                                                                                              \
        const unsigned int __d = __a + __b;                                                        \
        return __d ORDER __c ? __d : __c;                                                          \
    }                                                                                              \
    SIM_INLINE int __viadd##KIND##_s32_relu(int __a, int __b, int __c)                             \
    {                                                                                              \
        const int __d = __viadd##KIND##_s32(__a, __b, __c);                                        \
        return __d > 0 ? __d : 0;                                                                  \
    }                                                                                              \
    SIM_INLINE int __vib##KIND##_s32(int __a, int __b, bool *__first)                              \
    {                                                                                              \
        *__first = __a ORDER## = __b;                                                              \
        return *__first ? __a : __b;                                                               \
    }                                                                                              \
    SIM_INLINE unsigned int __vib##KIND##_u32(unsigned int __a, unsigned int __b, bool *__first)   \
    {                                                                                              \
        *__first = __a ORDER## = __b;                                                              \
        return *__first ? __a : __b;                                                               \
    }
SIM_DPX(max, >)
SIM_DPX(min, <)
#undef SIM_DPX

/* Of two halfwords. */
#define SIM_DPX_OF_TWO(NAME, TYPE, FUNCTION)                                                       \
    SIM_INLINE unsigned int NAME(unsigned int __a, unsigned int __b, unsigned int __c)             \
    {                                                                                              \
        const unsigned int __low = (unsigned short)FUNCTION((TYPE)__a, (TYPE)__b, (TYPE)__c);      \
        const unsigned int __high =                                                                \
            (unsigned short)FUNCTION((TYPE)(__a >> 16), (TYPE)(__b >> 16), (TYPE)(__c >> 16));     \
        return __high << 16 | __low;                                                               \
    }
#define SIM_DPX_OF_HALFWORDS(KIND)                                                                 \
    SIM_INLINE int sim_add_##KIND##_s16(short __a, short __b, short __c)                           \
    {                                                                                              \
        return __vi##KIND##3_s32((short)(__a + __b), __c, __c);                                    \
    }                                                                                              \
    SIM_INLINE int sim_add_##KIND##_u16(unsigned short __a, unsigned short __b,                    \
                                        unsigned short __c)                                        \
    {                                                                                              \
        return __vi##KIND##3_s32((unsigned short)(__a + __b), __c, __c);                           \
    }                                                                                              \
    SIM_INLINE int sim_add_##KIND##_relu(short __a, short __b, short __c)                          \
    {                                                                                              \
        return __vi##KIND##3_s32_relu((short)(__a + __b), __c, __c);                               \
    }                                                                                              \
    SIM_DPX_OF_TWO(__vi##KIND##3_s16x2, short, __vi##KIND##3_s32)                                  \
    SIM_DPX_OF_TWO(__vi##KIND##3_u16x2, unsigned short, __vi##KIND##3_s32)                         \
    SIM_DPX_OF_TWO(__vi##KIND##3_s16x2_relu, short, __vi##KIND##3_s32_relu)                        \
    SIM_DPX_OF_TWO(__viadd##KIND##_s16x2, short, sim_add_##KIND##_s16)                             \
    SIM_DPX_OF_TWO(__viadd##KIND##_u16x2, unsigned short, sim_add_##KIND##_u16)                    \
    SIM_DPX_OF_TWO(__viadd##KIND##_s16x2_relu, short, sim_add_##KIND##_relu)                       \
    SIM_INLINE unsigned int __vi##KIND##_s16x2_relu(unsigned int __a, unsigned int __b)            \
    {                                                                                              \
        return __vi##KIND##3_s16x2_relu(__a, __b, __b);                                            \
    }
SIM_DPX_OF_HALFWORDS(max)
SIM_DPX_OF_HALFWORDS(min)
#undef SIM_DPX_OF_HALFWORDS
#undef SIM_DPX_OF_TWO

#endif
