/* sim_random_xorwow.h - the generator XORWOW of Marsaglia (Xorshift RNGs, 2003): five words that
 * are shifted and combined, and a counter that is added. Sequences lie 2^67 numbers apart. */
#ifndef SIM_RANDOM_XORWOW_H
#define SIM_RANDOM_XORWOW_H

#include "../../device_abi.h"
#include "sim_inline.h"

struct curandStateXORWOW {
    unsigned int d, v[5];
    int boxmuller_flag; /* of the distributions: the second of a pair is kept */
    int boxmuller_flag_double;
    float boxmuller_extra;
    double boxmuller_extra_double;
};
typedef struct curandStateXORWOW curandStateXORWOW_t;

enum { SIM_XORWOW_STEP = 362437, SIM_XORWOW_SEQUENCE_BITS = 67 };

SIM_INLINE unsigned int curand(curandStateXORWOW_t *__state)
{
    unsigned int __first = __state->v[0], __last = __state->v[4];
    unsigned int __mixed = __first ^ (__first >> 2);
    unsigned int __next = (__last ^ (__last << 4)) ^ (__mixed ^ (__mixed << 1));
    __state->v[0] = __state->v[1];
    __state->v[1] = __state->v[2];
    __state->v[2] = __state->v[3];
    __state->v[3] = __last;
    __state->v[4] = __next;
    __state->d += SIM_XORWOW_STEP;
    return __next + __state->d;
}

/* The words after `count` times 2^bits numbers more. */
SIM_INLINE void sim_xorwow_advance(curandStateXORWOW_t *__state, unsigned long long __count,
                                   unsigned int __bits)
{
    unsigned int __words[5];
    for (int __i = 0; __i < 5; __i++)
        __words[__i] = __state->v[__i];
    sim_xorwow_skip(__words, __count, __bits);
    for (int __i = 0; __i < 5; __i++)
        __state->v[__i] = __words[__i];
}

SIM_INLINE void skipahead(unsigned long long __count, curandStateXORWOW_t *__state)
{
    sim_xorwow_advance(__state, __count, 0);
    __state->d += SIM_XORWOW_STEP * (unsigned int)__count;
}

SIM_INLINE void skipahead_sequence(unsigned long long __count, curandStateXORWOW_t *__state)
{
    sim_xorwow_advance(__state, __count, SIM_XORWOW_SEQUENCE_BITS);
}

SIM_INLINE void curand_init(unsigned long long __seed, unsigned long long __sequence,
                            unsigned long long __offset, curandStateXORWOW_t *__state)
{
    unsigned int __low = ((unsigned int)__seed ^ 0xaad26b49u) * 1099087573u;
    unsigned int __high = ((unsigned int)(__seed >> 32) ^ 0xf7dcefddu) * 2591861531u;
    unsigned int __words[5] = {123456789u + __low, 362436069u ^ __low, 521288629u + __high,
                               88675123u ^ __high, 5783321u + __low};
    sim_xorwow_skip(__words, __sequence, SIM_XORWOW_SEQUENCE_BITS);
    sim_xorwow_skip(__words, __offset, 0);
    for (int __i = 0; __i < 5; __i++)
        __state->v[__i] = __words[__i];
    __state->d = 6615241u + __low + __high + SIM_XORWOW_STEP * (unsigned int)__offset;
    __state->boxmuller_flag = 0;
    __state->boxmuller_flag_double = 0;
    __state->boxmuller_extra = 0.0f;
    __state->boxmuller_extra_double = 0.0;
}

#endif
