/* sim_random_philox.h - the generator Philox4x32-10 of Salmon, Moraes, Dror and Shaw (Parallel
 * Random Numbers: As Easy as 1, 2, 3; 2011): ten rounds of multiplications turn a counter of 128
 * bits into four numbers. The upper half of the counter is the number of the sequence. */
#ifndef SIM_RANDOM_PHILOX_H
#define SIM_RANDOM_PHILOX_H

#include "sim_integers.h"
#include "vector_types.h"

struct curandStatePhilox4_32_10 {
    uint4 ctr;
    uint4 output; /* what comes of it; output[STATE] is the next number */
    uint2 key;
    unsigned int STATE;
    int boxmuller_flag;
    int boxmuller_flag_double;
    float boxmuller_extra;
    double boxmuller_extra_double;
};
typedef struct curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

SIM_INLINE uint4 curand_Philox4x32_10(uint4 __counter, uint2 __key)
{
    unsigned int __x = __counter.x, __y = __counter.y, __z = __counter.z, __w = __counter.w;
    unsigned int __key_x = __key.x, __key_y = __key.y;
    for (int __round = 0; __round < 10; __round++) {
        unsigned int __high = __umulhi(0xd2511f53u, __x), __low = 0xd2511f53u * __x;
        unsigned int __other_high = __umulhi(0xcd9e8d57u, __z), __other_low = 0xcd9e8d57u * __z;
        __x = __other_high ^ __y ^ __key_x;
        __y = __other_low;
        __z = __high ^ __w ^ __key_y;
        __w = __low;
        __key_x += 0x9e3779b9u;
        __key_y += 0xbb67ae85u;
    }
    uint4 __result;
    __result.x = __x;
    __result.y = __y;
    __result.z = __z;
    __result.w = __w;
    return __result;
}

/* Adds to the counter, and computes what comes of it. As in cuRAND, a carry out of the lower
 * half goes to the upper one. */
SIM_INLINE void sim_philox_advance(curandStatePhilox4_32_10_t *__state, unsigned long long __count)
{
    uint4 __counter = __state->ctr;
    unsigned int __low = (unsigned int)__count, __high = (unsigned int)(__count >> 32);
    __counter.x += __low;
    __high += __counter.x < __low;
    __counter.y += __high;
    if (__counter.y < __high && ++__counter.z == 0)
        ++__counter.w;
    __state->ctr = __counter;
    __state->output = curand_Philox4x32_10(__counter, __state->key);
}

SIM_INLINE void skipahead(unsigned long long __count, curandStatePhilox4_32_10_t *__state)
{
    unsigned int __next = __state->STATE + (unsigned int)(__count & 3);
    __state->STATE = __next & 3;
    sim_philox_advance(__state, __count / 4 + __next / 4);
}

SIM_INLINE void skipahead_sequence(unsigned long long __count, curandStatePhilox4_32_10_t *__state)
{
    uint4 __counter = __state->ctr;
    unsigned long long __high = (unsigned long long)__counter.w << 32 | __counter.z;
    __high += __count;
    __counter.z = (unsigned int)__high;
    __counter.w = (unsigned int)(__high >> 32);
    __state->ctr = __counter;
    __state->output = curand_Philox4x32_10(__counter, __state->key);
}

SIM_INLINE void curand_init(unsigned long long __seed, unsigned long long __sequence,
                            unsigned long long __offset, curandStatePhilox4_32_10_t *__state)
{
    uint4 __counter;
    uint2 __key;
    __counter.x = __counter.y = 0;
    __counter.z = (unsigned int)__sequence;
    __counter.w = (unsigned int)(__sequence >> 32);
    __key.x = (unsigned int)__seed;
    __key.y = (unsigned int)(__seed >> 32);
    __state->ctr = __counter;
    __state->key = __key;
    __state->STATE = 0;
    __state->boxmuller_flag = 0;
    __state->boxmuller_flag_double = 0;
    __state->boxmuller_extra = 0.0f;
    __state->boxmuller_extra_double = 0.0;
    skipahead(__offset, __state);
}

SIM_INLINE unsigned int sim_philox_word(uint4 __words, unsigned int __i)
{
    return __i == 0 ? __words.x : __i == 1 ? __words.y : __i == 2 ? __words.z : __words.w;
}

SIM_INLINE unsigned int curand(curandStatePhilox4_32_10_t *__state)
{
    unsigned int __at = __state->STATE++;
    unsigned int __number = sim_philox_word(__state->output, __at);
    if (__at == 3) {
        __state->STATE = 0;
        sim_philox_advance(__state, 1);
    }
    return __number;
}

/* The next four numbers. */
SIM_INLINE uint4 curand4(curandStatePhilox4_32_10_t *__state)
{
    uint4 __now = __state->output, __result;
    unsigned int __at = __state->STATE;
    sim_philox_advance(__state, 1);
    if (__at == 0)
        return __now;
    uint4 __then = __state->output;
    __result.x = sim_philox_word(__now, __at);
    __result.y = __at < 3 ? sim_philox_word(__now, __at + 1) : __then.x;
    __result.z = __at < 2 ? __now.w : sim_philox_word(__then, __at - 2);
    __result.w = sim_philox_word(__then, __at - 1);
    return __result;
}

#endif
