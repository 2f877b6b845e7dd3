/* sim_simd.h - arithmetic on the two halfwords or four bytes of a word.
 *
 * Each function exists twice, as NAME2 for halfwords and NAME4 for bytes. */
#ifndef SIM_SIMD_H
#define SIM_SIMD_H

#include "sim_integers.h"

SIM_INLINE int sim_clamp(int __value, int __lowest, int __highest)
{
    return __value < __lowest ? __lowest : __value > __highest ? __highest : __value;
}

SIM_INLINE int sim_distance(int __x, int __y)
{
    return __x < __y ? __y - __x : __x - __y;
}

/* Rounds to the nearest, and halves away from zero. */
SIM_INLINE int sim_rounded_half(int __sum)
{
    return (__sum + (__sum >= 0)) >> 1;
}

/* Applies VALUE, an expression in x and y, to element after element. `most` is the
 * largest unsigned element; `highest` and `lowest` bound the signed ones. */
#define SIM_BINARY(NAME, COUNT, ELEMENT, VALUE)                                                    \
    SIM_INLINE unsigned int NAME(unsigned int __a, unsigned int __b)                               \
    {                                                                                              \
        const int __bits = 32 / COUNT, __most = (1 << __bits) - 1;                                 \
        const int __highest = __most >> 1, __lowest = -__highest - 1;                              \
        unsigned int __result = 0;                                                                 \
        for (int __i = 0; __i < COUNT; ++__i) {                                                    \
            const int __x = (int)ELEMENT(__a, __i), __y = (int)ELEMENT(__b, __i);                  \
            __result |= ((unsigned int)(VALUE) & (unsigned int)__most) << __bits * __i;            \
        }                                                                                          \
        (void)__lowest;                                                                            \
        return __result;                                                                           \
    }
#define SIM_UNARY(NAME, COUNT, ELEMENT, VALUE)                                                     \
    SIM_INLINE unsigned int NAME(unsigned int __a)                                                 \
    {                                                                                              \
        const int __bits = 32 / COUNT, __most = (1 << __bits) - 1, __highest = __most >> 1;        \
        unsigned int __result = 0;                                                                 \
        for (int __i = 0; __i < COUNT; ++__i) {                                                    \
            const int __x = (int)ELEMENT(__a, __i);                                                \
            __result |= ((unsigned int)(VALUE) & (unsigned int)__most) << __bits * __i;            \
        }                                                                                          \
        (void)__highest;                                                                           \
        return __result;                                                                           \
    }
#define SIM_SUM(NAME, COUNT, ELEMENT, VALUE)                                                       \
    SIM_INLINE unsigned int NAME(unsigned int __a, unsigned int __b)                               \
    {                                                                                              \
        unsigned int __result = 0;                                                                 \
        for (int __i = 0; __i < COUNT; ++__i) {                                                    \
            const int __x = (int)ELEMENT(__a, __i), __y = (int)ELEMENT(__b, __i);                  \
            __result += (unsigned int)(VALUE);                                                     \
        }                                                                                          \
        return __result;                                                                           \
    }

#define SIM_SIGNED(KIND, NAME, VALUE)                                                              \
    KIND(NAME##2, 2, sim_signed_half, VALUE)                                                       \
    KIND(NAME##4, 4, sim_signed_byte, VALUE)
#define SIM_UNSIGNED(KIND, NAME, VALUE)                                                            \
    KIND(NAME##2, 2, sim_half, VALUE)                                                              \
    KIND(NAME##4, 4, sim_byte, VALUE)

/* _ss and _us saturate, the others wrap. */
SIM_UNSIGNED(SIM_BINARY, __vadd, __x + __y)
SIM_SIGNED(SIM_BINARY, __vaddss, sim_clamp(__x + __y, __lowest, __highest))
SIM_UNSIGNED(SIM_BINARY, __vaddus, sim_clamp(__x + __y, 0, __most))
SIM_UNSIGNED(SIM_BINARY, __vsub, __x - __y)
SIM_SIGNED(SIM_BINARY, __vsubss, sim_clamp(__x - __y, __lowest, __highest))
SIM_UNSIGNED(SIM_BINARY, __vsubus, sim_clamp(__x - __y, 0, __most))

SIM_SIGNED(SIM_BINARY, __vavgs, sim_rounded_half(__x + __y))
SIM_UNSIGNED(SIM_BINARY, __vavgu, (__x + __y + 1) >> 1)
SIM_UNSIGNED(SIM_BINARY, __vhaddu, (__x + __y) >> 1)

SIM_SIGNED(SIM_BINARY, __vmins, __x < __y ? __x : __y)
SIM_UNSIGNED(SIM_BINARY, __vminu, __x < __y ? __x : __y)
SIM_SIGNED(SIM_BINARY, __vmaxs, __x > __y ? __x : __y)
SIM_UNSIGNED(SIM_BINARY, __vmaxu, __x > __y ? __x : __y)

SIM_SIGNED(SIM_UNARY, __vabs, __x < 0 ? -__x : __x)
SIM_SIGNED(SIM_UNARY, __vabsss, __x < 0 ? sim_clamp(-__x, 0, __highest) : __x)
SIM_SIGNED(SIM_UNARY, __vneg, -__x)
SIM_SIGNED(SIM_UNARY, __vnegss, sim_clamp(-__x, -__highest, __highest))

SIM_SIGNED(SIM_BINARY, __vabsdiffs, sim_distance(__x, __y))
SIM_UNSIGNED(SIM_BINARY, __vabsdiffu, sim_distance(__x, __y))
SIM_SIGNED(SIM_SUM, __vsads, sim_distance(__x, __y))
SIM_UNSIGNED(SIM_SUM, __vsadu, sim_distance(__x, __y))

/* Comparisons: all bits of the element for true (vcmp), or its lowest one (vset). */
#define SIM_COMPARISON(SIGN, NAME, CONDITION)                                                      \
    SIGN(SIM_BINARY, __vcmp##NAME, (CONDITION) ? __most : 0)                                       \
    SIGN(SIM_BINARY, __vset##NAME, (CONDITION) ? 1 : 0)

SIM_COMPARISON(SIM_UNSIGNED, eq, __x == __y)
SIM_COMPARISON(SIM_UNSIGNED, ne, __x != __y)
SIM_COMPARISON(SIM_SIGNED, ges, __x >= __y)
SIM_COMPARISON(SIM_UNSIGNED, geu, __x >= __y)
SIM_COMPARISON(SIM_SIGNED, gts, __x > __y)
SIM_COMPARISON(SIM_UNSIGNED, gtu, __x > __y)
SIM_COMPARISON(SIM_SIGNED, les, __x <= __y)
SIM_COMPARISON(SIM_UNSIGNED, leu, __x <= __y)
SIM_COMPARISON(SIM_SIGNED, lts, __x < __y)
SIM_COMPARISON(SIM_UNSIGNED, ltu, __x < __y)

#undef SIM_BINARY
#undef SIM_UNARY
#undef SIM_SUM
#undef SIM_SIGNED
#undef SIM_UNSIGNED
#undef SIM_COMPARISON

#endif
