/* sim_math_inverse.h - the inverses of erf, erfc and the normal distribution, and erfcx.
 *
 * A rough start, then steps of Halley's method on the host's erf and erfc, until nothing
 * changes any more: as exact as these. */
#ifndef SIM_MATH_INVERSE_H
#define SIM_MATH_INVERSE_H

#include "sim_math.h"

/* exp(x * x) * erfc(x); far out a continued fraction, since erfc is 0 there. */
SIM_INLINE double erfcx(double x)
{
    if (x < 20.0)
        return exp(x * x) * erfc(x);
    double fraction = x;
    for (int k = 20; k > 0; k--)
        fraction = x + 0.5 * k / fraction;
    return 0.56418958354775628695 / fraction;
}

/* One step towards the x with erf(x) = y, or erfc(x) = y. */
SIM_INLINE double sim_halley(double x, double error)
{
    double slope = 1.12837916709551257390 * exp(-x * x); /* of erf */
    double step = error / slope;
    return x - step / (1.0 + x * step);
}

SIM_INLINE double erfcinv(double y)
{
    if (!(y > 0.0 && y < 2.0))
        return y == 0.0 ? HUGE_VAL : y == 2.0 ? -HUGE_VAL : NAN;
    /* A rational start for the tail: Abramowitz and Stegun, 26.2.23. */
    double tail = y < 1.0 ? y : 2.0 - y;
    double t = sqrt(-2.0 * log(0.5 * tail));
    double x =
        0.70710678118654752440 * (t - (2.515517 + t * (0.802853 + t * 0.010328)) /
                                          (1.0 + t * (1.432788 + t * (0.189269 + t * 0.001308))));
    for (int i = 0; i < 4; i++)
        x = sim_halley(x, tail - erfc(x));
    return y < 1.0 ? x : -x;
}

SIM_INLINE double erfinv(double y)
{
    if (fabs(y) > 0.5)
        return y > 0.0 ? erfcinv(1.0 - y) : -erfcinv(1.0 + y);
    double x = 0.88622692545275801365 * y;
    for (int i = 0; i < 5; i++)
        x = sim_halley(x, erf(x) - y);
    return y != y ? y : x;
}

SIM_INLINE double normcdfinv(double y)
{
    return -1.41421356237309504880 * erfcinv(2.0 * y);
}

SIM_INLINE float erfcxf(float x)
{
    return (float)erfcx((double)x);
}
SIM_INLINE float erfcinvf(float y)
{
    return (float)erfcinv((double)y);
}
SIM_INLINE float erfinvf(float y)
{
    return (float)erfinv((double)y);
}
SIM_INLINE float normcdfinvf(float y)
{
    return (float)normcdfinv((double)y);
}

#endif
