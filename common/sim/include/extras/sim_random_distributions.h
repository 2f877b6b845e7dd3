/* sim_random_distributions.h - uniform, normal and log-normal numbers from a generator's
 * integers, each in cuRAND's way. Products that are added to are fused, as nvcc fuses them. */
#ifndef SIM_RANDOM_DISTRIBUTIONS_H
#define SIM_RANDOM_DISTRIBUTIONS_H

#include "sim_math.h"
#include "sim_random_philox.h"
#include "sim_random_xorwow.h"

enum { SIM_KEEPS_NORMAL = 1, SIM_KEEPS_LOG_NORMAL = 2 };

/* Uniform: above 0, at most 1 */

SIM_INLINE float sim_uniform(unsigned int __x)
{
    return __builtin_fmaf((float)__x, 2.3283064e-10f, 2.3283064e-10f / 2.0f);
}
SIM_INLINE double sim_uniform_double(unsigned int __x, unsigned int __y)
{
    unsigned long long __z = (unsigned long long)__x ^ (unsigned long long)__y << 21;
    return __builtin_fma((double)__z, 0x1p-53, 0x1p-54);
}

SIM_INLINE float curand_uniform(curandStateXORWOW_t *__state)
{
    return sim_uniform(curand(__state));
}
SIM_INLINE float curand_uniform(curandStatePhilox4_32_10_t *__state)
{
    return sim_uniform(curand(__state));
}
SIM_INLINE float4 curand_uniform4(curandStatePhilox4_32_10_t *__state)
{
    uint4 __words = curand4(__state);
    float4 __result;
    __result.x = sim_uniform(__words.x);
    __result.y = sim_uniform(__words.y);
    __result.z = sim_uniform(__words.z);
    __result.w = sim_uniform(__words.w);
    return __result;
}
SIM_INLINE double curand_uniform_double(curandStateXORWOW_t *__state)
{
    unsigned int __x = curand(__state), __y = curand(__state);
    return sim_uniform_double(__x, __y);
}
/* Of one integer. */
SIM_INLINE double curand_uniform_double(curandStatePhilox4_32_10_t *__state)
{
    return __builtin_fma((double)curand(__state), 0x1p-32, 0x1p-32);
}
SIM_INLINE double2 curand_uniform2_double(curandStatePhilox4_32_10_t *__state)
{
    uint4 __words = curand4(__state);
    double2 __result;
    __result.x = sim_uniform_double(__words.x, __words.y);
    __result.y = sim_uniform_double(__words.z, __words.w);
    return __result;
}
SIM_INLINE double4 curand_uniform4_double(curandStatePhilox4_32_10_t *__state)
{
    double2 __first = curand_uniform2_double(__state), __second = curand_uniform2_double(__state);
    double4 __result;
    __result.x = __first.x;
    __result.y = __first.y;
    __result.z = __second.x;
    __result.w = __second.y;
    return __result;
}

/* Normal: a pair from two uniform numbers, by Box and Muller (1958) */

SIM_INLINE float2 sim_normal_pair(unsigned int __x, unsigned int __y)
{
    const float __turn = 2.3283064e-10f * 6.2831855f;
    float __angle = __builtin_fmaf((float)__y, __turn, __turn / 2.0f);
    float __radius = sqrtf(-2.0f * logf(sim_uniform(__x)));
    float2 __pair;
    __pair.x = sinf(__angle) * __radius;
    __pair.y = cosf(__angle) * __radius;
    return __pair;
}
SIM_INLINE double2 sim_normal_pair_double(uint4 __words)
{
    unsigned long long __y = (unsigned long long)__words.z ^ (unsigned long long)__words.w << 21;
    double __angle = __builtin_fma((double)__y, 0x1p-52, 0x1p-53); /* in half turns */
    double __radius = sqrt(-2.0 * log(sim_uniform_double(__words.x, __words.y)));
    double2 __pair;
    __pair.x = sinpi(__angle) * __radius;
    __pair.y = cospi(__angle) * __radius;
    return __pair;
}

template <class __State> SIM_INLINE float2 curand_normal2(__State *__state)
{
    unsigned int __x = curand(__state), __y = curand(__state);
    return sim_normal_pair(__x, __y);
}
SIM_INLINE uint4 sim_next_four(curandStateXORWOW_t *__state)
{
    uint4 __words;
    __words.x = curand(__state);
    __words.y = curand(__state);
    __words.z = curand(__state);
    __words.w = curand(__state);
    return __words;
}
SIM_INLINE uint4 sim_next_four(curandStatePhilox4_32_10_t *__state)
{
    return curand4(__state);
}
template <class __State> SIM_INLINE double2 curand_normal2_double(__State *__state)
{
    return sim_normal_pair_double(sim_next_four(__state));
}
SIM_INLINE float4 curand_normal4(curandStatePhilox4_32_10_t *__state)
{
    uint4 __words = curand4(__state);
    float2 __first = sim_normal_pair(__words.x, __words.y);
    float2 __second = sim_normal_pair(__words.z, __words.w);
    float4 __result;
    __result.x = __first.x;
    __result.y = __first.y;
    __result.z = __second.x;
    __result.w = __second.y;
    return __result;
}
SIM_INLINE double4 curand_normal4_double(curandStatePhilox4_32_10_t *__state)
{
    double2 __first = curand_normal2_double(__state), __second = curand_normal2_double(__state);
    double4 __result;
    __result.x = __first.x;
    __result.y = __first.y;
    __result.z = __second.x;
    __result.w = __second.y;
    return __result;
}

/* One of a pair; the other is kept for the next call of the same kind. */
template <class __State> SIM_INLINE float curand_normal(__State *__state)
{
    if (__state->boxmuller_flag == SIM_KEEPS_NORMAL) {
        __state->boxmuller_flag = 0;
        return __state->boxmuller_extra;
    }
    float2 __pair = curand_normal2(__state);
    __state->boxmuller_extra = __pair.y;
    __state->boxmuller_flag = SIM_KEEPS_NORMAL;
    return __pair.x;
}
template <class __State> SIM_INLINE double curand_normal_double(__State *__state)
{
    if (__state->boxmuller_flag_double == SIM_KEEPS_NORMAL) {
        __state->boxmuller_flag_double = 0;
        return __state->boxmuller_extra_double;
    }
    double2 __pair = curand_normal2_double(__state);
    __state->boxmuller_extra_double = __pair.y;
    __state->boxmuller_flag_double = SIM_KEEPS_NORMAL;
    return __pair.x;
}

/* Log-normal: the exponential of a normal number */

template <class __State>
SIM_INLINE float2 curand_log_normal2(__State *__state, float __mean, float __deviation)
{
    float2 __pair = curand_normal2(__state);
    __pair.x = expf(__builtin_fmaf(__deviation, __pair.x, __mean));
    __pair.y = expf(__builtin_fmaf(__deviation, __pair.y, __mean));
    return __pair;
}
template <class __State>
SIM_INLINE double2 curand_log_normal2_double(__State *__state, double __mean, double __deviation)
{
    double2 __pair = curand_normal2_double(__state);
    __pair.x = exp(__builtin_fma(__deviation, __pair.x, __mean));
    __pair.y = exp(__builtin_fma(__deviation, __pair.y, __mean));
    return __pair;
}
SIM_INLINE float4 curand_log_normal4(curandStatePhilox4_32_10_t *__state, float __mean,
                                     float __deviation)
{
    float4 __result = curand_normal4(__state);
    __result.x = expf(__builtin_fmaf(__deviation, __result.x, __mean));
    __result.y = expf(__builtin_fmaf(__deviation, __result.y, __mean));
    __result.z = expf(__builtin_fmaf(__deviation, __result.z, __mean));
    __result.w = expf(__builtin_fmaf(__deviation, __result.w, __mean));
    return __result;
}
template <class __State>
SIM_INLINE float curand_log_normal(__State *__state, float __mean, float __deviation)
{
    if (__state->boxmuller_flag == SIM_KEEPS_LOG_NORMAL) {
        __state->boxmuller_flag = 0;
        return __state->boxmuller_extra;
    }
    float2 __pair = curand_log_normal2(__state, __mean, __deviation);
    __state->boxmuller_extra = __pair.y;
    __state->boxmuller_flag = SIM_KEEPS_LOG_NORMAL;
    return __pair.x;
}
template <class __State>
SIM_INLINE double curand_log_normal_double(__State *__state, double __mean, double __deviation)
{
    if (__state->boxmuller_flag_double == SIM_KEEPS_LOG_NORMAL) {
        __state->boxmuller_flag_double = 0;
        return __state->boxmuller_extra_double;
    }
    double2 __pair = curand_log_normal2_double(__state, __mean, __deviation);
    __state->boxmuller_extra_double = __pair.y;
    __state->boxmuller_flag_double = SIM_KEEPS_LOG_NORMAL;
    return __pair.x;
}

#endif
