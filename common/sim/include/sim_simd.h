/* sim_simd.h - arithmetic on the two halfwords or four bytes of a word.
 *
 * Each function exists twice, as NAME2 for halfwords and NAME4 for bytes. */
#ifndef SIM_SIMD_H
#define SIM_SIMD_H

#include "sim_integers.h"

SIM_INLINE int sim_clamp(int value, int lowest, int highest)
{
    return value < lowest ? lowest : value > highest ? highest : value;
}

SIM_INLINE int sim_distance(int x, int y)
{
    return x < y ? y - x : x - y;
}

/* Rounds to the nearest, and halves away from zero. */
SIM_INLINE int sim_rounded_half(int sum)
{
    return (sum + (sum >= 0)) >> 1;
}

/* Applies VALUE, an expression in x and y, to element after element. `most` is the
 * largest unsigned element; `highest` and `lowest` bound the signed ones. */
#define SIM_BINARY(NAME, COUNT, ELEMENT, VALUE)                                                    \
    SIM_INLINE unsigned int NAME(unsigned int a, unsigned int b)                                   \
    {                                                                                              \
        const int bits = 32 / COUNT, most = (1 << bits) - 1;                                       \
        const int highest = most >> 1, lowest = -highest - 1;                                      \
        unsigned int result = 0;                                                                   \
        for (int i = 0; i < COUNT; ++i) {                                                          \
            const int x = (int)ELEMENT(a, i), y = (int)ELEMENT(b, i);                              \
            result |= ((unsigned int)(VALUE) & (unsigned int)most) << bits * i;                    \
        }                                                                                          \
        (void)lowest;                                                                              \
        return result;                                                                             \
    }
#define SIM_UNARY(NAME, COUNT, ELEMENT, VALUE)                                                     \
    SIM_INLINE unsigned int NAME(unsigned int a)                                                   \
    {                                                                                              \
        const int bits = 32 / COUNT, most = (1 << bits) - 1, highest = most >> 1;                  \
        unsigned int result = 0;                                                                   \
        for (int i = 0; i < COUNT; ++i) {                                                          \
            const int x = (int)ELEMENT(a, i);                                                      \
            result |= ((unsigned int)(VALUE) & (unsigned int)most) << bits * i;                    \
        }                                                                                          \
        (void)highest;                                                                             \
        return result;                                                                             \
    }
#define SIM_SUM(NAME, COUNT, ELEMENT, VALUE)                                                       \
    SIM_INLINE unsigned int NAME(unsigned int a, unsigned int b)                                   \
    {                                                                                              \
        unsigned int result = 0;                                                                   \
        for (int i = 0; i < COUNT; ++i) {                                                          \
            const int x = (int)ELEMENT(a, i), y = (int)ELEMENT(b, i);                              \
            result += (unsigned int)(VALUE);                                                       \
        }                                                                                          \
        return result;                                                                             \
    }

#define SIM_SIGNED(KIND, NAME, VALUE)                                                              \
    KIND(NAME##2, 2, sim_signed_half, VALUE)                                                       \
    KIND(NAME##4, 4, sim_signed_byte, VALUE)
#define SIM_UNSIGNED(KIND, NAME, VALUE)                                                            \
    KIND(NAME##2, 2, sim_half, VALUE)                                                              \
    KIND(NAME##4, 4, sim_byte, VALUE)

/* _ss and _us saturate, the others wrap. */
SIM_UNSIGNED(SIM_BINARY, __vadd, x + y)
SIM_SIGNED(SIM_BINARY, __vaddss, sim_clamp(x + y, lowest, highest))
SIM_UNSIGNED(SIM_BINARY, __vaddus, sim_clamp(x + y, 0, most))
SIM_UNSIGNED(SIM_BINARY, __vsub, x - y)
SIM_SIGNED(SIM_BINARY, __vsubss, sim_clamp(x - y, lowest, highest))
SIM_UNSIGNED(SIM_BINARY, __vsubus, sim_clamp(x - y, 0, most))

SIM_SIGNED(SIM_BINARY, __vavgs, sim_rounded_half(x + y))
SIM_UNSIGNED(SIM_BINARY, __vavgu, (x + y + 1) >> 1)
SIM_UNSIGNED(SIM_BINARY, __vhaddu, (x + y) >> 1)

SIM_SIGNED(SIM_BINARY, __vmins, x < y ? x : y)
SIM_UNSIGNED(SIM_BINARY, __vminu, x < y ? x : y)
SIM_SIGNED(SIM_BINARY, __vmaxs, x > y ? x : y)
SIM_UNSIGNED(SIM_BINARY, __vmaxu, x > y ? x : y)

SIM_SIGNED(SIM_UNARY, __vabs, x < 0 ? -x : x)
SIM_SIGNED(SIM_UNARY, __vabsss, x < 0 ? sim_clamp(-x, 0, highest) : x)
SIM_SIGNED(SIM_UNARY, __vneg, -x)
SIM_SIGNED(SIM_UNARY, __vnegss, sim_clamp(-x, -highest, highest))

SIM_SIGNED(SIM_BINARY, __vabsdiffs, sim_distance(x, y))
SIM_UNSIGNED(SIM_BINARY, __vabsdiffu, sim_distance(x, y))
SIM_SIGNED(SIM_SUM, __vsads, sim_distance(x, y))
SIM_UNSIGNED(SIM_SUM, __vsadu, sim_distance(x, y))

/* Comparisons: all bits of the element for true (vcmp), or its lowest one (vset). */
#define SIM_COMPARISON(SIGN, NAME, CONDITION)                                                      \
    SIGN(SIM_BINARY, __vcmp##NAME, (CONDITION) ? most : 0)                                         \
    SIGN(SIM_BINARY, __vset##NAME, (CONDITION) ? 1 : 0)

SIM_COMPARISON(SIM_UNSIGNED, eq, x == y)
SIM_COMPARISON(SIM_UNSIGNED, ne, x != y)
SIM_COMPARISON(SIM_SIGNED, ges, x >= y)
SIM_COMPARISON(SIM_UNSIGNED, geu, x >= y)
SIM_COMPARISON(SIM_SIGNED, gts, x > y)
SIM_COMPARISON(SIM_UNSIGNED, gtu, x > y)
SIM_COMPARISON(SIM_SIGNED, les, x <= y)
SIM_COMPARISON(SIM_UNSIGNED, leu, x <= y)
SIM_COMPARISON(SIM_SIGNED, lts, x < y)
SIM_COMPARISON(SIM_UNSIGNED, ltu, x < y)

#undef SIM_BINARY
#undef SIM_UNARY
#undef SIM_SUM
#undef SIM_SIGNED
#undef SIM_UNSIGNED
#undef SIM_COMPARISON

#endif
