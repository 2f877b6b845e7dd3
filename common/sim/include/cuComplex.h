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

SIM_INLINE float cuCrealf(cuFloatComplex x)
{
    return x.x;
}
SIM_INLINE float cuCimagf(cuFloatComplex x)
{
    return x.y;
}
SIM_INLINE cuFloatComplex make_cuFloatComplex(float re, float im)
{
    cuFloatComplex z;
    z.x = re;
    z.y = im;
    return z;
}
SIM_INLINE cuFloatComplex cuConjf(cuFloatComplex x)
{
    return make_cuFloatComplex(x.x, -x.y);
}
SIM_INLINE cuFloatComplex cuCaddf(cuFloatComplex x, cuFloatComplex y)
{
    return make_cuFloatComplex(x.x + y.x, x.y + y.y);
}
SIM_INLINE cuFloatComplex cuCsubf(cuFloatComplex x, cuFloatComplex y)
{
    return make_cuFloatComplex(x.x - y.x, x.y - y.y);
}
SIM_INLINE cuFloatComplex cuCmulf(cuFloatComplex x, cuFloatComplex y)
{
    return make_cuFloatComplex(x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x);
}
/* x * y + z, each product fused with the sum that it goes into. */
SIM_INLINE cuFloatComplex cuCfmaf(cuFloatComplex x, cuFloatComplex y, cuFloatComplex z)
{
    return make_cuFloatComplex(__builtin_fmaf(-x.y, y.y, __builtin_fmaf(x.x, y.x, z.x)),
                               __builtin_fmaf(x.x, y.y, __builtin_fmaf(x.y, y.x, z.y)));
}
/* The divisor is scaled first, so that its square does not overflow. */
SIM_INLINE cuFloatComplex cuCdivf(cuFloatComplex x, cuFloatComplex y)
{
    float scale = 1 / (fabsf(y.x) + fabsf(y.y));
    cuFloatComplex a = make_cuFloatComplex(x.x * scale, x.y * scale),
                   b = make_cuFloatComplex(y.x * scale, y.y * scale);
    float square = 1 / (b.x * b.x + b.y * b.y);
    return make_cuFloatComplex((a.x * b.x + a.y * b.y) * square, (a.y * b.x - a.x * b.y) * square);
}
SIM_INLINE float cuCabsf(cuFloatComplex x)
{
    return hypotf(x.x, x.y);
}

SIM_INLINE double cuCreal(cuDoubleComplex x)
{
    return x.x;
}
SIM_INLINE double cuCimag(cuDoubleComplex x)
{
    return x.y;
}
SIM_INLINE cuDoubleComplex make_cuDoubleComplex(double re, double im)
{
    cuDoubleComplex z;
    z.x = re;
    z.y = im;
    return z;
}
SIM_INLINE cuDoubleComplex cuConj(cuDoubleComplex x)
{
    return make_cuDoubleComplex(x.x, -x.y);
}
SIM_INLINE cuDoubleComplex cuCadd(cuDoubleComplex x, cuDoubleComplex y)
{
    return make_cuDoubleComplex(x.x + y.x, x.y + y.y);
}
SIM_INLINE cuDoubleComplex cuCsub(cuDoubleComplex x, cuDoubleComplex y)
{
    return make_cuDoubleComplex(x.x - y.x, x.y - y.y);
}
SIM_INLINE cuDoubleComplex cuCmul(cuDoubleComplex x, cuDoubleComplex y)
{
    return make_cuDoubleComplex(x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x);
}
/* x * y + z, each product fused with the sum that it goes into. */
SIM_INLINE cuDoubleComplex cuCfma(cuDoubleComplex x, cuDoubleComplex y, cuDoubleComplex z)
{
    return make_cuDoubleComplex(__builtin_fma(-x.y, y.y, __builtin_fma(x.x, y.x, z.x)),
                                __builtin_fma(x.x, y.y, __builtin_fma(x.y, y.x, z.y)));
}
/* The divisor is scaled first, so that its square does not overflow. */
SIM_INLINE cuDoubleComplex cuCdiv(cuDoubleComplex x, cuDoubleComplex y)
{
    double scale = 1 / (fabs(y.x) + fabs(y.y));
    cuDoubleComplex a = make_cuDoubleComplex(x.x * scale, x.y * scale),
                    b = make_cuDoubleComplex(y.x * scale, y.y * scale);
    double square = 1 / (b.x * b.x + b.y * b.y);
    return make_cuDoubleComplex((a.x * b.x + a.y * b.y) * square, (a.y * b.x - a.x * b.y) * square);
}
SIM_INLINE double cuCabs(cuDoubleComplex x)
{
    return hypot(x.x, x.y);
}

SIM_INLINE cuComplex make_cuComplex(float re, float im)
{
    return make_cuFloatComplex(re, im);
}
SIM_INLINE cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex x)
{
    return make_cuDoubleComplex((double)x.x, (double)x.y);
}
SIM_INLINE cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex x)
{
    return make_cuFloatComplex((float)x.x, (float)x.y);
}

#endif
