/* sim_integers.h - bits, bytes and products of integers. */
#ifndef SIM_INTEGERS_H
#define SIM_INTEGERS_H

#include "sim_inline.h"
#include "vector_types.h"

SIM_INLINE int __popc(unsigned int x)
{
    return __builtin_popcount(x);
}

SIM_INLINE int __popcll(unsigned long long x)
{
    return __builtin_popcountll(x);
}

/* Position of the lowest bit, from 1; 0 when there is none. */
SIM_INLINE int __ffs(int x)
{
    return __builtin_ffs(x);
}

SIM_INLINE int __ffsll(long long x)
{
    return __builtin_ffsll(x);
}

SIM_INLINE int __clz(int x)
{
    return x ? __builtin_clz((unsigned int)x) : 32;
}

SIM_INLINE int __clzll(long long x)
{
    return x ? __builtin_clzll((unsigned long long)x) : 64;
}

SIM_INLINE unsigned int __brev(unsigned int x)
{
    x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
    x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
    x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
    return __builtin_bswap32(x);
}

SIM_INLINE unsigned long long __brevll(unsigned long long x)
{
    return (unsigned long long)__brev((unsigned int)x) << 32 | __brev((unsigned int)(x >> 32));
}

/* Position of the set bit that is `offset` set bits above `base` (below, when
 * negative), counting from 1 at `base` itself; ~0 when there is none. */
SIM_INLINE unsigned int __fns(unsigned int mask, unsigned int base, int offset)
{
    int step = offset < 0 ? -1 : 1;
    int left = offset < 0 ? -offset : offset;
    if (offset == 0)
        return mask >> (base & 31) & 1u ? base : ~0u;
    for (int i = (int)base; i >= 0 && i < 32; i += step)
        if ((mask >> i & 1u) && --left == 0)
            return (unsigned int)i;
    return ~0u;
}

/* Four bytes picked from the eight of x (0 to 3) and y (4 to 7), one for each of
 * the low four hexadecimal digits of the selector. */
SIM_INLINE unsigned int __byte_perm(unsigned int x, unsigned int y, unsigned int selector)
{
    unsigned long long bytes = (unsigned long long)y << 32 | x;
    unsigned int b0 = (unsigned int)(bytes >> 8 * (selector & 7)) & 0xffu;
    unsigned int b1 = (unsigned int)(bytes >> 8 * (selector >> 4 & 7)) & 0xffu;
    unsigned int b2 = (unsigned int)(bytes >> 8 * (selector >> 8 & 7)) & 0xffu;
    unsigned int b3 = (unsigned int)(bytes >> 8 * (selector >> 12 & 7)) & 0xffu;
    return b0 | b1 << 8 | b2 << 16 | b3 << 24;
}

/* The 64 bits high:low, shifted; _l gives the upper half, _r the lower one. */
SIM_INLINE unsigned int __funnelshift_l(unsigned int low, unsigned int high, unsigned int shift)
{
    unsigned long long both = (unsigned long long)high << 32 | low;
    return (unsigned int)(both << (shift & 31) >> 32);
}

SIM_INLINE unsigned int __funnelshift_r(unsigned int low, unsigned int high, unsigned int shift)
{
    unsigned long long both = (unsigned long long)high << 32 | low;
    return (unsigned int)(both >> (shift & 31));
}

/* The same, with the shift clamped to 32. */
SIM_INLINE unsigned int __funnelshift_lc(unsigned int low, unsigned int high, unsigned int shift)
{
    return shift >= 32 ? low : __funnelshift_l(low, high, shift);
}

SIM_INLINE unsigned int __funnelshift_rc(unsigned int low, unsigned int high, unsigned int shift)
{
    return shift >= 32 ? high : __funnelshift_r(low, high, shift);
}

/* Products of the low 24 bits; the low 32 bits of the result. */
SIM_INLINE unsigned int __umul24(unsigned int x, unsigned int y)
{
    return (x & 0xffffffu) * (y & 0xffffffu);
}

SIM_INLINE int __mul24(int x, int y)
{
    long long a = (int)((unsigned int)x << 8) >> 8, b = (int)((unsigned int)y << 8) >> 8;
    return (int)(a * b);
}

/* The upper half of a product. */
__extension__ typedef __int128 sim_int128;
__extension__ typedef unsigned __int128 sim_uint128;

SIM_INLINE int __mulhi(int x, int y)
{
    return (int)((long long)x * y >> 32);
}

SIM_INLINE unsigned int __umulhi(unsigned int x, unsigned int y)
{
    return (unsigned int)((unsigned long long)x * y >> 32);
}

SIM_INLINE long long __mul64hi(long long x, long long y)
{
    return (long long)((sim_int128)x * y >> 64);
}

SIM_INLINE unsigned long long __umul64hi(unsigned long long x, unsigned long long y)
{
    return (unsigned long long)((sim_uint128)x * y >> 64);
}

/* |x - y| + z */
SIM_INLINE unsigned int __sad(int x, int y, unsigned int z)
{
    return (x < y ? (unsigned int)y - (unsigned int)x : (unsigned int)x - (unsigned int)y) + z;
}

SIM_INLINE unsigned int __usad(unsigned int x, unsigned int y, unsigned int z)
{
    return (x < y ? y - x : x - y) + z;
}

/* Averages without overflow, rounded down (h) or up (rh). */
SIM_INLINE int __hadd(int x, int y)
{
    return (int)(((long long)x + y) >> 1);
}

SIM_INLINE int __rhadd(int x, int y)
{
    return (int)(((long long)x + y + 1) >> 1);
}

SIM_INLINE unsigned int __uhadd(unsigned int x, unsigned int y)
{
    return (unsigned int)(((unsigned long long)x + y) >> 1);
}

SIM_INLINE unsigned int __urhadd(unsigned int x, unsigned int y)
{
    return (unsigned int)(((unsigned long long)x + y + 1) >> 1);
}

/* Byte and halfword `i` of a word, as integers. */
SIM_INLINE int sim_signed_byte(unsigned int word, int i)
{
    return (signed char)(word >> 8 * i);
}

SIM_INLINE unsigned int sim_byte(unsigned int word, int i)
{
    return (unsigned char)(word >> 8 * i);
}

SIM_INLINE int sim_signed_half(unsigned int word, int i)
{
    return (short)(word >> 16 * i);
}

SIM_INLINE unsigned int sim_half(unsigned int word, int i)
{
    return (unsigned short)(word >> 16 * i);
}

/* Dot products of four bytes, added to c. */
SIM_INLINE int __dp4a(int a, int b, int c)
{
    unsigned int u = (unsigned int)a, v = (unsigned int)b, sum = (unsigned int)c;
    for (int i = 0; i < 4; ++i)
        sum += (unsigned int)(sim_signed_byte(u, i) * sim_signed_byte(v, i));
    return (int)sum;
}

SIM_INLINE unsigned int __dp4a(unsigned int a, unsigned int b, unsigned int c)
{
    for (int i = 0; i < 4; ++i)
        c += sim_byte(a, i) * sim_byte(b, i);
    return c;
}

SIM_INLINE int __dp4a(char4 a, char4 b, int c)
{
    return c + a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

SIM_INLINE unsigned int __dp4a(uchar4 a, uchar4 b, unsigned int c)
{
    int sum = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
    return c + (unsigned int)sum;
}

/* Dot products of the two halfwords of a with the lower or upper bytes of b. */
SIM_INLINE int __dp2a_lo(int a, int b, int c)
{
    unsigned int u = (unsigned int)a, v = (unsigned int)b, sum = (unsigned int)c;
    for (int i = 0; i < 2; ++i)
        sum += (unsigned int)(sim_signed_half(u, i) * sim_signed_byte(v, i));
    return (int)sum;
}

SIM_INLINE unsigned int __dp2a_lo(unsigned int a, unsigned int b, unsigned int c)
{
    return c + sim_half(a, 0) * sim_byte(b, 0) + sim_half(a, 1) * sim_byte(b, 1);
}

SIM_INLINE int __dp2a_hi(int a, int b, int c)
{
    return __dp2a_lo(a, (int)((unsigned int)b >> 16), c);
}

SIM_INLINE unsigned int __dp2a_hi(unsigned int a, unsigned int b, unsigned int c)
{
    return __dp2a_lo(a, b >> 16, c);
}

#endif
