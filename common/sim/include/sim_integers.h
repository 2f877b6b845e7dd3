/* sim_integers.h - bits, bytes and products of integers. */
#ifndef SIM_INTEGERS_H
#define SIM_INTEGERS_H

#include "sim_inline.h"
#include "vector_types.h"

SIM_INLINE int __popc(unsigned int __x)
{
    return __builtin_popcount(__x);
}

SIM_INLINE int __popcll(unsigned long long __x)
{
    return __builtin_popcountll(__x);
}

/* Position of the lowest bit, from 1; 0 when there is none. */
SIM_INLINE int __ffs(int __x)
{
    return __builtin_ffs(__x);
}

SIM_INLINE int __ffsll(long long __x)
{
    return __builtin_ffsll(__x);
}

SIM_INLINE int __clz(int __x)
{
    return __x ? __builtin_clz((unsigned int)__x) : 32;
}

SIM_INLINE int __clzll(long long __x)
{
    return __x ? __builtin_clzll((unsigned long long)__x) : 64;
}

SIM_INLINE unsigned int __brev(unsigned int __x)
{
    __x = (__x >> 1 & 0x55555555u) | (__x & 0x55555555u) << 1;
    __x = (__x >> 2 & 0x33333333u) | (__x & 0x33333333u) << 2;
    __x = (__x >> 4 & 0x0f0f0f0fu) | (__x & 0x0f0f0f0fu) << 4;
    return __builtin_bswap32(__x);
}

SIM_INLINE unsigned long long __brevll(unsigned long long __x)
{
    return (unsigned long long)__brev((unsigned int)__x) << 32 | __brev((unsigned int)(__x >> 32));
}

/* Position of the set bit that is `offset` set bits above `base` (below, when
 * negative), counting from 1 at `base` itself; ~0 when there is none. */
SIM_INLINE unsigned int __fns(unsigned int __mask, unsigned int __base, int __offset)
{
    int __step = __offset < 0 ? -1 : 1;
    int __left = __offset < 0 ? -__offset : __offset;
    if (__offset == 0)
        return __mask >> (__base & 31) & 1u ? __base : ~0u;
    for (int __i = (int)__base; __i >= 0 && __i < 32; __i += __step)
        if ((__mask >> __i & 1u) && --__left == 0)
            return (unsigned int)__i;
    return ~0u;
}

/* Four bytes picked from the eight of x (0 to 3) and y (4 to 7), one for each of
 * the low four hexadecimal digits of the selector. */
SIM_INLINE unsigned int __byte_perm(unsigned int __x, unsigned int __y, unsigned int __selector)
{
    unsigned long long __bytes = (unsigned long long)__y << 32 | __x;
    unsigned int __b0 = (unsigned int)(__bytes >> 8 * (__selector & 7)) & 0xffu;
    unsigned int __b1 = (unsigned int)(__bytes >> 8 * (__selector >> 4 & 7)) & 0xffu;
    unsigned int __b2 = (unsigned int)(__bytes >> 8 * (__selector >> 8 & 7)) & 0xffu;
    unsigned int __b3 = (unsigned int)(__bytes >> 8 * (__selector >> 12 & 7)) & 0xffu;
    return __b0 | __b1 << 8 | __b2 << 16 | __b3 << 24;
}

/* The 64 bits high:low, shifted; _l gives the upper half, _r the lower one. */
SIM_INLINE unsigned int __funnelshift_l(unsigned int __low, unsigned int __high,
                                        unsigned int __shift)
{
    unsigned long long __both = (unsigned long long)__high << 32 | __low;
    return (unsigned int)(__both << (__shift & 31) >> 32);
}

SIM_INLINE unsigned int __funnelshift_r(unsigned int __low, unsigned int __high,
                                        unsigned int __shift)
{
    unsigned long long __both = (unsigned long long)__high << 32 | __low;
    return (unsigned int)(__both >> (__shift & 31));
}

/* The same, with the shift clamped to 32. */
SIM_INLINE unsigned int __funnelshift_lc(unsigned int __low, unsigned int __high,
                                         unsigned int __shift)
{
    return __shift >= 32 ? __low : __funnelshift_l(__low, __high, __shift);
}

SIM_INLINE unsigned int __funnelshift_rc(unsigned int __low, unsigned int __high,
                                         unsigned int __shift)
{
    return __shift >= 32 ? __high : __funnelshift_r(__low, __high, __shift);
}

/* Products of the low 24 bits; the low 32 bits of the result. */
SIM_INLINE unsigned int __umul24(unsigned int __x, unsigned int __y)
{
    return (__x & 0xffffffu) * (__y & 0xffffffu);
}

SIM_INLINE int __mul24(int __x, int __y)
{
    long long __a = (int)((unsigned int)__x << 8) >> 8, __b = (int)((unsigned int)__y << 8) >> 8;
    return (int)(__a * __b);
}

/* The upper half of a product. */
__extension__ typedef __int128 sim_int128;
__extension__ typedef unsigned __int128 sim_uint128;

SIM_INLINE int __mulhi(int __x, int __y)
{
    return (int)((long long)__x * __y >> 32);
}

SIM_INLINE unsigned int __umulhi(unsigned int __x, unsigned int __y)
{
    return (unsigned int)((unsigned long long)__x * __y >> 32);
}

SIM_INLINE long long __mul64hi(long long __x, long long __y)
{
    return (long long)((sim_int128)__x * __y >> 64);
}

SIM_INLINE unsigned long long __umul64hi(unsigned long long __x, unsigned long long __y)
{
    return (unsigned long long)((sim_uint128)__x * __y >> 64);
}

/* |x - y| + z */
SIM_INLINE unsigned int __sad(int __x, int __y, unsigned int __z)
{
    return (__x < __y ? (unsigned int)__y - (unsigned int)__x
                      : (unsigned int)__x - (unsigned int)__y) +
           __z;
}

SIM_INLINE unsigned int __usad(unsigned int __x, unsigned int __y, unsigned int __z)
{
    return (__x < __y ? __y - __x : __x - __y) + __z;
}

/* Averages without overflow, rounded down (h) or up (rh). */
SIM_INLINE int __hadd(int __x, int __y)
{
    return (int)(((long long)__x + __y) >> 1);
}

SIM_INLINE int __rhadd(int __x, int __y)
{
    return (int)(((long long)__x + __y + 1) >> 1);
}

SIM_INLINE unsigned int __uhadd(unsigned int __x, unsigned int __y)
{
    return (unsigned int)(((unsigned long long)__x + __y) >> 1);
}

SIM_INLINE unsigned int __urhadd(unsigned int __x, unsigned int __y)
{
    return (unsigned int)(((unsigned long long)__x + __y + 1) >> 1);
}

/* Byte and halfword `i` of a word, as integers. */
SIM_INLINE int sim_signed_byte(unsigned int __word, int __i)
{
    return (signed char)(__word >> 8 * __i);
}

SIM_INLINE unsigned int sim_byte(unsigned int __word, int __i)
{
    return (unsigned char)(__word >> 8 * __i);
}

SIM_INLINE int sim_signed_half(unsigned int __word, int __i)
{
    return (short)(__word >> 16 * __i);
}

SIM_INLINE unsigned int sim_half(unsigned int __word, int __i)
{
    return (unsigned short)(__word >> 16 * __i);
}

/* Dot products of four bytes, added to c. */
SIM_INLINE int __dp4a(int __a, int __b, int __c)
{
    unsigned int __u = (unsigned int)__a, __v = (unsigned int)__b, __sum = (unsigned int)__c;
    for (int __i = 0; __i < 4; ++__i)
        __sum += (unsigned int)(sim_signed_byte(__u, __i) * sim_signed_byte(__v, __i));
    return (int)__sum;
}

SIM_INLINE unsigned int __dp4a(unsigned int __a, unsigned int __b, unsigned int __c)
{
    for (int __i = 0; __i < 4; ++__i)
        __c += sim_byte(__a, __i) * sim_byte(__b, __i);
    return __c;
}

SIM_INLINE int __dp4a(char4 __a, char4 __b, int __c)
{
    return __c + __a.x * __b.x + __a.y * __b.y + __a.z * __b.z + __a.w * __b.w;
}

SIM_INLINE unsigned int __dp4a(uchar4 __a, uchar4 __b, unsigned int __c)
{
    int __sum = __a.x * __b.x + __a.y * __b.y + __a.z * __b.z + __a.w * __b.w;
    return __c + (unsigned int)__sum;
}

/* Dot products of the two halfwords of a with the lower or upper bytes of b. */
SIM_INLINE int __dp2a_lo(int __a, int __b, int __c)
{
    unsigned int __u = (unsigned int)__a, __v = (unsigned int)__b, __sum = (unsigned int)__c;
    for (int __i = 0; __i < 2; ++__i)
        __sum += (unsigned int)(sim_signed_half(__u, __i) * sim_signed_byte(__v, __i));
    return (int)__sum;
}

SIM_INLINE unsigned int __dp2a_lo(unsigned int __a, unsigned int __b, unsigned int __c)
{
    return __c + sim_half(__a, 0) * sim_byte(__b, 0) + sim_half(__a, 1) * sim_byte(__b, 1);
}

SIM_INLINE int __dp2a_hi(int __a, int __b, int __c)
{
    return __dp2a_lo(__a, (int)((unsigned int)__b >> 16), __c);
}

SIM_INLINE unsigned int __dp2a_hi(unsigned int __a, unsigned int __b, unsigned int __c)
{
    return __dp2a_lo(__a, __b >> 16, __c);
}

#endif
