/* cuComplex.h - complex numbers for C and C++, on the host and in kernels. */
#if !defined(CU_COMPLEX_H_)
#define CU_COMPLEX_H_

#ifdef __cplusplus
#include "sim_math_header.h"
#else
#include <math.h>
#endif

#include "sim_inline.h"
#include "vector_types.h"

typedef float2 cuFloatComplex;
typedef cuFloatComplex cuComplex;
typedef double2 cuDoubleComplex;

SIM_INLINE float cuCrealf(cuFloatComplex __x)
{
    return __x.x;
}
SIM_INLINE float cuCimagf(cuFloatComplex __x)
{
    return __x.y;
}
SIM_INLINE cuFloatComplex make_cuFloatComplex(float __re, float __im)
{
    cuFloatComplex __z;
    __z.x = __re;
    __z.y = __im;
    return __z;
}
SIM_INLINE cuFloatComplex cuConjf(cuFloatComplex __x)
{
    return make_cuFloatComplex(__x.x, -__x.y);
}
SIM_INLINE cuFloatComplex cuCaddf(cuFloatComplex __x, cuFloatComplex __y)
{
    return make_cuFloatComplex(__x.x + __y.x, __x.y + __y.y);
}
SIM_INLINE cuFloatComplex cuCsubf(cuFloatComplex __x, cuFloatComplex __y)
{
    return make_cuFloatComplex(__x.x - __y.x, __x.y - __y.y);
}
SIM_INLINE cuFloatComplex cuCmulf(cuFloatComplex __x, cuFloatComplex __y)
{
    return make_cuFloatComplex(__x.x * __y.x - __x.y * __y.y, __x.x * __y.y + __x.y * __y.x);
}
/* x * y + z, each product fused with the sum that it goes into. */
SIM_INLINE cuFloatComplex cuCfmaf(cuFloatComplex __x, cuFloatComplex __y, cuFloatComplex __z)
{
    return make_cuFloatComplex(__builtin_fmaf(-__x.y, __y.y, __builtin_fmaf(__x.x, __y.x, __z.x)),
                               __builtin_fmaf(__x.x, __y.y, __builtin_fmaf(__x.y, __y.x, __z.y)));
}
/* The divisor is scaled first, so that its square does not overflow. */
SIM_INLINE cuFloatComplex cuCdivf(cuFloatComplex __x, cuFloatComplex __y)
{
    float __scale = 1 / (fabsf(__y.x) + fabsf(__y.y));
    cuFloatComplex __a = make_cuFloatComplex(__x.x * __scale, __x.y * __scale),
                   __b = make_cuFloatComplex(__y.x * __scale, __y.y * __scale);
    float __square = 1 / (__b.x * __b.x + __b.y * __b.y);
    return make_cuFloatComplex((__a.x * __b.x + __a.y * __b.y) * __square,
                               (__a.y * __b.x - __a.x * __b.y) * __square);
}
SIM_INLINE float cuCabsf(cuFloatComplex __x)
{
    return hypotf(__x.x, __x.y);
}

SIM_INLINE double cuCreal(cuDoubleComplex __x)
{
    return __x.x;
}
SIM_INLINE double cuCimag(cuDoubleComplex __x)
{
    return __x.y;
}
SIM_INLINE cuDoubleComplex make_cuDoubleComplex(double __re, double __im)
{
    cuDoubleComplex __z;
    __z.x = __re;
    __z.y = __im;
    return __z;
}
SIM_INLINE cuDoubleComplex cuConj(cuDoubleComplex __x)
{
    return make_cuDoubleComplex(__x.x, -__x.y);
}
SIM_INLINE cuDoubleComplex cuCadd(cuDoubleComplex __x, cuDoubleComplex __y)
{
    return make_cuDoubleComplex(__x.x + __y.x, __x.y + __y.y);
}
SIM_INLINE cuDoubleComplex cuCsub(cuDoubleComplex __x, cuDoubleComplex __y)
{
    return make_cuDoubleComplex(__x.x - __y.x, __x.y - __y.y);
}
SIM_INLINE cuDoubleComplex cuCmul(cuDoubleComplex __x, cuDoubleComplex __y)
{
    return make_cuDoubleComplex(__x.x * __y.x - __x.y * __y.y, __x.x * __y.y + __x.y * __y.x);
}
/* x * y + z, each product fused with the sum that it goes into. */
SIM_INLINE cuDoubleComplex cuCfma(cuDoubleComplex __x, cuDoubleComplex __y, cuDoubleComplex __z)
{
    return make_cuDoubleComplex(__builtin_fma(-__x.y, __y.y, __builtin_fma(__x.x, __y.x, __z.x)),
                                __builtin_fma(__x.x, __y.y, __builtin_fma(__x.y, __y.x, __z.y)));
}
/* The divisor is scaled first, so that its square does not overflow. */
SIM_INLINE cuDoubleComplex cuCdiv(cuDoubleComplex __x, cuDoubleComplex __y)
{
    double __scale = 1 / (fabs(__y.x) + fabs(__y.y));
    cuDoubleComplex __a = make_cuDoubleComplex(__x.x * __scale, __x.y * __scale),
                    __b = make_cuDoubleComplex(__y.x * __scale, __y.y * __scale);
    double __square = 1 / (__b.x * __b.x + __b.y * __b.y);
    return make_cuDoubleComplex((__a.x * __b.x + __a.y * __b.y) * __square,
                                (__a.y * __b.x - __a.x * __b.y) * __square);
}
SIM_INLINE double cuCabs(cuDoubleComplex __x)
{
    return hypot(__x.x, __x.y);
}

SIM_INLINE cuComplex make_cuComplex(float __re, float __im)
{
    return make_cuFloatComplex(__re, __im);
}
SIM_INLINE cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex __x)
{
    return make_cuDoubleComplex((double)__x.x, (double)__x.y);
}
SIM_INLINE cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex __x)
{
    return make_cuFloatComplex((float)__x.x, (float)__x.y);
}

#endif
