/* vector_functions.h - make_char1 to make_double4. */
#ifndef __VECTOR_FUNCTIONS_H__
#define __VECTOR_FUNCTIONS_H__

#include "vector_types.h"

#ifdef __cplusplus
#include "sim_inline.h"

#define SIM_MAKE_VECTORS(NAME, TYPE)                                                               \
    SIM_INLINE NAME##1 make_##NAME##1(TYPE __x)                                                    \
    {                                                                                              \
        return NAME##1 {__x};                                                                      \
    }                                                                                              \
    SIM_INLINE NAME##2 make_##NAME##2(TYPE __x, TYPE __y)                                          \
    {                                                                                              \
        return NAME##2 {__x, __y};                                                                 \
    }                                                                                              \
    SIM_INLINE NAME##3 make_##NAME##3(TYPE __x, TYPE __y, TYPE __z)                                \
    {                                                                                              \
        return NAME##3 {__x, __y, __z};                                                            \
    }                                                                                              \
    SIM_INLINE NAME##4 make_##NAME##4(TYPE __x, TYPE __y, TYPE __z, TYPE __w)                      \
    {                                                                                              \
        return NAME##4 {__x, __y, __z, __w};                                                       \
    }

SIM_MAKE_VECTORS(char, signed char)
SIM_MAKE_VECTORS(uchar, unsigned char)
SIM_MAKE_VECTORS(short, short)
SIM_MAKE_VECTORS(ushort, unsigned short)
SIM_MAKE_VECTORS(int, int)
SIM_MAKE_VECTORS(uint, unsigned int)
SIM_MAKE_VECTORS(long, long)
SIM_MAKE_VECTORS(ulong, unsigned long)
SIM_MAKE_VECTORS(longlong, long long)
SIM_MAKE_VECTORS(ulonglong, unsigned long long)
SIM_MAKE_VECTORS(float, float)
SIM_MAKE_VECTORS(double, double)
#endif

#endif
