/* float_sum.c - what is known of a sum of floats: see float_sum.h. */
#include "float_sum.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { EXACT_BITS = 24 };

/* The digits of a number that is finite and not 0, as an integer. Times 2^*exponent they are the number. */
static uint64_t digits_of(double number, int *exponent)
{
    uint64_t pattern;
    memcpy(&pattern, &number, sizeof pattern);
    const int biased = (int)(pattern >> 52 & 0x7ff);
    const uint64_t digits = pattern & (((uint64_t)1 << 52) - 1);
    *exponent = (biased > 0 ? biased : 1) - 1075;
    return biased > 0 ? digits | (uint64_t)1 << 52 : digits;
}

int float_bits(double number)
{
    int exponent;
    if (!isfinite(number) || number == 0)
        return 0;
    const uint64_t digits = digits_of(number, &exponent);
    return 64 - __builtin_clzll(digits) - __builtin_ctzll(digits);
}

void float_sum_add(struct float_sum *sum, double number)
{
    int exponent;
    sum->is_nan |= isnan(number);
    sum->above |= isinf(number) && number > 0;
    sum->below |= isinf(number) && number < 0;
    if (!isfinite(number) || number == 0)
        return;
    const uint64_t digits = digits_of(number, &exponent);
    const int lowest = exponent + __builtin_ctzll(digits);
    if (sum->magnitude == 0 || lowest < sum->lowest)
        sum->lowest = lowest;
    sum->sum += number;
    sum->magnitude += fabs(number);
}

bool float_sum_is_exact(const struct float_sum *sum)
{
    return !sum->inexact && sum->lowest >= -126 &&
           sum->magnitude <= ldexp(1, sum->lowest + EXACT_BITS);
}

double float_sum_bound(const struct float_sum *sum, double roundings, double numbers)
{
    const double u = ldexp(1, -24), least = ldexp(1, -126);
    if (float_sum_is_exact(sum))
        return 0;
    if (roundings * u >= 0.5)
        return INFINITY;
    const double own = 2 * numbers * ldexp(1, -53) * sum->magnitude;
    return roundings * u / (1 - roundings * u) * sum->magnitude + 3 * numbers * least + own;
}

bool float_sum_is_nan(const struct float_sum *sum)
{
    return sum->is_nan || (sum->above && sum->below);
}

bool float_sum_say_special(const struct float_sum *sum, char *text, size_t size)
{
    if (!float_sum_is_nan(sum) && !sum->above && !sum->below)
        return false;
    snprintf(text, size, "%s", float_sum_is_nan(sum) ? "NaN" : sum->above ? "inf" : "-inf");
    return true;
}

bool float_sum_agrees(const struct float_sum *sum, double held, double bound)
{
    if (float_sum_is_nan(sum))
        return isnan(held);
    if (sum->magnitude + bound > (double)FLT_MAX)
        return true;
    if (sum->above || sum->below)
        return isinf(held) && (held > 0) == sum->above;
    return fabs(held - sum->sum) <= bound;
}
