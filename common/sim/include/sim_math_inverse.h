/* sim_math_inverse.h - the inverses of erf, erfc and the normal distribution, and erfcx.
 *
 * A rough start, then steps of Halley's method on the host's erf and erfc, until nothing
 * changes any more: as exact as these. */
#ifndef SIM_MATH_INVERSE_H
#define SIM_MATH_INVERSE_H

#include "sim_math.h"

/* exp(x * x) * erfc(x); far out a continued fraction, since erfc is 0 there. */
SIM_INLINE double erfcx(double __x)
{
    if (__x < 20.0)
        return exp(__x * __x) * erfc(__x);
    double __fraction = __x;
    for (int __k = 20; __k > 0; __k--)
        __fraction = __x + 0.5 * __k / __fraction;
    return 0.56418958354775628695 / __fraction;
}

/* One step towards the x with erf(x) = y, or erfc(x) = y. */
SIM_INLINE double sim_halley(double __x, double __error)
{
    double __slope = 1.12837916709551257390 * exp(-__x * __x); /* of erf */
    double __step = __error / __slope;
    return __x - __step / (1.0 + __x * __step);
}

SIM_INLINE double erfcinv(double __y)
{
    if (!(__y > 0.0 && __y < 2.0))
        return __y == 0.0 ? HUGE_VAL : __y == 2.0 ? -HUGE_VAL : NAN;
    /* A rational start for the tail: Abramowitz and Stegun, 26.2.23. */
    double __tail = __y < 1.0 ? __y : 2.0 - __y;
    double __t = sqrt(-2.0 * log(0.5 * __tail));
    double __x = 0.70710678118654752440 *
                 (__t - (2.515517 + __t * (0.802853 + __t * 0.010328)) /
                            (1.0 + __t * (1.432788 + __t * (0.189269 + __t * 0.001308))));
    for (int __i = 0; __i < 4; __i++)
        __x = sim_halley(__x, __tail - erfc(__x));
    return __y < 1.0 ? __x : -__x;
}

SIM_INLINE double erfinv(double __y)
{
    if (fabs(__y) > 0.5)
        return __y > 0.0 ? erfcinv(1.0 - __y) : -erfcinv(1.0 + __y);
    double __x = 0.88622692545275801365 * __y;
    for (int __i = 0; __i < 5; __i++)
        __x = sim_halley(__x, erf(__x) - __y);
    return __y != __y ? __y : __x;
}

SIM_INLINE double normcdfinv(double __y)
{
    return -1.41421356237309504880 * erfcinv(2.0 * __y);
}

SIM_INLINE float erfcxf(float __x)
{
    return (float)erfcx((double)__x);
}
SIM_INLINE float erfcinvf(float __y)
{
    return (float)erfcinv((double)__y);
}
SIM_INLINE float erfinvf(float __y)
{
    return (float)erfinv((double)__y);
}
SIM_INLINE float normcdfinvf(float __y)
{
    return (float)normcdfinv((double)__y);
}

#endif
