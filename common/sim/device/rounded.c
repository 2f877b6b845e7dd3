/* rounded.c - arithmetic with another rounding than to the nearest, by the processor's own modes. The operands are
 * volatile, so that nothing is computed before the mode is set. */
#include <fenv.h>
#include <math.h>

#include "device_abi.h"

static int begin(enum sim_rounded_to rounding)
{
    static const int modes[] = {[SIM_ROUND_DOWN] = FE_DOWNWARD,
                                [SIM_ROUND_UP] = FE_UPWARD,
                                [SIM_ROUND_TO_ZERO] = FE_TOWARDZERO};
    const int before = fegetround();
    fesetround(modes[rounding]);
    return before;
}

#define OPERATIONS(NAME, TYPE, FUSED, ROOT)                                                        \
    TYPE NAME(enum sim_rounded operation, enum sim_rounded_to rounding, TYPE a, TYPE b, TYPE c)    \
    {                                                                                              \
        volatile TYPE x = a, y = b, z = c, result = 0;                                             \
        const int before = begin(rounding);                                                        \
        switch (operation) {                                                                       \
        case SIM_SUM:                                                                              \
            result = x + y;                                                                        \
            break;                                                                                 \
        case SIM_DIFFERENCE:                                                                       \
            result = x - y;                                                                        \
            break;                                                                                 \
        case SIM_PRODUCT:                                                                          \
            result = x * y;                                                                        \
            break;                                                                                 \
        case SIM_QUOTIENT:                                                                         \
            result = x / y;                                                                        \
            break;                                                                                 \
        case SIM_FUSED:                                                                            \
            result = FUSED(x, y, z);                                                               \
            break;                                                                                 \
        default:                                                                                   \
            result = ROOT(x);                                                                      \
        }                                                                                          \
        fesetround(before);                                                                        \
        return result;                                                                             \
    }
OPERATIONS(sim_rounded_float, float, fmaf, sqrtf)
OPERATIONS(sim_rounded_double, double, fma, sqrt)

#define CONVERSION(NAME, TO, FROM)                                                                 \
    TO NAME(enum sim_rounded_to rounding, FROM value)                                              \
    {                                                                                              \
        volatile FROM x = value;                                                                   \
        const int before = begin(rounding);                                                        \
        volatile TO result = (TO)x;                                                                \
        fesetround(before);                                                                        \
        return result;                                                                             \
    }
CONVERSION(sim_float_of_double, float, double)
CONVERSION(sim_float_of_signed, float, long long)
CONVERSION(sim_float_of_unsigned, float, unsigned long long)
CONVERSION(sim_double_of_signed, double, long long)
CONVERSION(sim_double_of_unsigned, double, unsigned long long)
