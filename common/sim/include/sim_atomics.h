/* sim_atomics.h - atomicAdd and its kind, for exactly the types that CUDA has.
 *
 * Each makes two calls: the operation, and the fetch of its result, which the
 * compiler drops when the kernel does not use the result. So the simulator can
 * tell RED from ATOM, as nvcc does. */
#ifndef SIM_ATOMICS_H
#define SIM_ATOMICS_H

#include "../device_abi.h"
#include "sim_bits.h"
#include "vector_functions.h"

#define SIM_ATOMIC(NAME, SUFFIX, T, ACTION, TYPE, FLAGS)                                           \
    SIM_INLINE T NAME##SUFFIX(T *__address, T __value)                                             \
    {                                                                                              \
        sim_atomic(ACTION, TYPE, __address, sim_bits_of(__value), 0, FLAGS);                       \
        return sim_value_of<T>(sim_atomic_result());                                               \
    }

/* nvcc has an instruction of its own for the constant 1 in shared memory. */
#define SIM_ADDS_ONE(VALUE)                                                                        \
    (__builtin_constant_p(VALUE) && (VALUE) == 1 ? (unsigned int)SIM_CONSTANT_ONE : 0u)

#define SIM_ATOMICS_OF_SCOPE(SUFFIX, SCOPE)                                                        \
    SIM_ATOMIC(atomicAdd, SUFFIX, int, SIM_ATOMIC_ADD, SIM_S32, SCOPE | SIM_ADDS_ONE(__value))     \
    SIM_ATOMIC(atomicAdd, SUFFIX, unsigned int, SIM_ATOMIC_ADD, SIM_U32,                           \
               SCOPE | SIM_ADDS_ONE(__value))                                                      \
    SIM_ATOMIC(atomicAdd, SUFFIX, unsigned long long, SIM_ATOMIC_ADD, SIM_U64, SCOPE)              \
    SIM_ATOMIC(atomicAdd, SUFFIX, float, SIM_ATOMIC_ADD, SIM_F32, SCOPE)                           \
    SIM_ATOMIC(atomicAdd, SUFFIX, double, SIM_ATOMIC_ADD, SIM_F64, SCOPE)                          \
    SIM_ATOMIC(atomicExch, SUFFIX, int, SIM_ATOMIC_EXCH, SIM_S32, SCOPE)                           \
    SIM_ATOMIC(atomicExch, SUFFIX, unsigned int, SIM_ATOMIC_EXCH, SIM_U32, SCOPE)                  \
    SIM_ATOMIC(atomicExch, SUFFIX, unsigned long long, SIM_ATOMIC_EXCH, SIM_U64, SCOPE)            \
    SIM_ATOMIC(atomicExch, SUFFIX, float, SIM_ATOMIC_EXCH, SIM_F32, SCOPE)                         \
    SIM_ATOMIC(atomicMin, SUFFIX, int, SIM_ATOMIC_MIN, SIM_S32, SCOPE)                             \
    SIM_ATOMIC(atomicMin, SUFFIX, unsigned int, SIM_ATOMIC_MIN, SIM_U32, SCOPE)                    \
    SIM_ATOMIC(atomicMin, SUFFIX, long long, SIM_ATOMIC_MIN, SIM_S64, SCOPE)                       \
    SIM_ATOMIC(atomicMin, SUFFIX, unsigned long long, SIM_ATOMIC_MIN, SIM_U64, SCOPE)              \
    SIM_ATOMIC(atomicMax, SUFFIX, int, SIM_ATOMIC_MAX, SIM_S32, SCOPE)                             \
    SIM_ATOMIC(atomicMax, SUFFIX, unsigned int, SIM_ATOMIC_MAX, SIM_U32, SCOPE)                    \
    SIM_ATOMIC(atomicMax, SUFFIX, long long, SIM_ATOMIC_MAX, SIM_S64, SCOPE)                       \
    SIM_ATOMIC(atomicMax, SUFFIX, unsigned long long, SIM_ATOMIC_MAX, SIM_U64, SCOPE)              \
    SIM_ATOMIC(atomicInc, SUFFIX, unsigned int, SIM_ATOMIC_INC, SIM_U32, SCOPE)                    \
    SIM_ATOMIC(atomicDec, SUFFIX, unsigned int, SIM_ATOMIC_DEC, SIM_U32, SCOPE)                    \
    SIM_ATOMIC(atomicAnd, SUFFIX, int, SIM_ATOMIC_AND, SIM_S32, SCOPE)                             \
    SIM_ATOMIC(atomicAnd, SUFFIX, unsigned int, SIM_ATOMIC_AND, SIM_U32, SCOPE)                    \
    SIM_ATOMIC(atomicAnd, SUFFIX, unsigned long long, SIM_ATOMIC_AND, SIM_U64, SCOPE)              \
    SIM_ATOMIC(atomicOr, SUFFIX, int, SIM_ATOMIC_OR, SIM_S32, SCOPE)                               \
    SIM_ATOMIC(atomicOr, SUFFIX, unsigned int, SIM_ATOMIC_OR, SIM_U32, SCOPE)                      \
    SIM_ATOMIC(atomicOr, SUFFIX, unsigned long long, SIM_ATOMIC_OR, SIM_U64, SCOPE)                \
    SIM_ATOMIC(atomicXor, SUFFIX, int, SIM_ATOMIC_XOR, SIM_S32, SCOPE)                             \
    SIM_ATOMIC(atomicXor, SUFFIX, unsigned int, SIM_ATOMIC_XOR, SIM_U32, SCOPE)                    \
    SIM_ATOMIC(atomicXor, SUFFIX, unsigned long long, SIM_ATOMIC_XOR, SIM_U64, SCOPE)              \
    SIM_ATOMIC_SUB(SUFFIX, int, SIM_S32, SCOPE)                                                    \
    SIM_ATOMIC_SUB(SUFFIX, unsigned int, SIM_U32, SCOPE)                                           \
    SIM_ATOMIC_CAS(SUFFIX, unsigned short, SIM_U16, SCOPE)                                         \
    SIM_ATOMIC_CAS(SUFFIX, int, SIM_S32, SCOPE)                                                    \
    SIM_ATOMIC_CAS(SUFFIX, unsigned int, SIM_U32, SCOPE)                                           \
    SIM_ATOMIC_CAS(SUFFIX, unsigned long long, SIM_U64, SCOPE)

/* Subtracting is adding the negative value, in the hardware, too. */
#define SIM_ATOMIC_SUB(SUFFIX, T, TYPE, SCOPE)                                                     \
    SIM_INLINE T atomicSub##SUFFIX(T *__address, T __value)                                        \
    {                                                                                              \
        unsigned int __negative = 0u - (unsigned int)__value;                                      \
        sim_atomic(SIM_ATOMIC_ADD, TYPE, __address, __negative, 0,                                 \
                   SCOPE | SIM_ADDS_ONE(__negative));                                              \
        return sim_value_of<T>(sim_atomic_result());                                               \
    }
#define SIM_ATOMIC_CAS(SUFFIX, T, TYPE, SCOPE)                                                     \
    SIM_INLINE T atomicCAS##SUFFIX(T *__address, T __compare, T __value)                           \
    {                                                                                              \
        sim_atomic(                                                                                \
            SIM_ATOMIC_CAS, TYPE, __address, sim_bits_of(__value), sim_bits_of(__compare),         \
            SCOPE | (__builtin_constant_p(__compare) ? (unsigned int)SIM_CONSTANT_COMPARE : 0u));  \
        return sim_value_of<T>(sim_atomic_result());                                               \
    }

/* What has 16 bytes at a multiple of 16, and is copied as its bytes: sm_90 has atomicCAS and
 * atomicExch for it, as the header of CUDA 13 (crt/sm_90_rt.h) says. */
template <bool> struct sim_has_16_bytes {
};
template <> struct sim_has_16_bytes<true> {
    typedef int type;
};
template <class __T> struct sim_is_vector {
    template <class __U> static char __test(typename __U::sim_whole *);
    template <class __U> static int __test(...);
    static constexpr bool value = sizeof(__test<__T>(nullptr)) == 1;
};
template <class __T>
using sim_if_16_bytes =
    typename sim_has_16_bytes<sizeof(__T) == 16 && alignof(__T) >= 16 &&
                              (__is_trivially_copyable(__T) || sim_is_vector<__T>::value)>::type;

struct sim_halves {
    uint64_t __low, __high;
};
template <class __T> SIM_INLINE struct sim_halves sim_halves_of(const __T &__value)
{
    struct sim_halves __halves;
    __builtin_memcpy(&__halves, (const void *)__builtin_addressof(__value), sizeof __halves);
    return __halves;
}
template <class __T> SIM_INLINE __T sim_value_of_result()
{
    union __result {
        __T __value;
        struct sim_halves __halves;
        __result() : __halves{sim_atomic_result(), sim_atomic_result_high()}
        {
        }
    } __r;
    return __r.__value;
}

#define SIM_ATOMICS_OF_16_BYTES(SUFFIX, SCOPE)                                                     \
    template <class __T, sim_if_16_bytes<__T> = 0>                                                 \
    SIM_INLINE __T atomicCAS##SUFFIX(__T *__address, __T __compare, __T __value)                   \
    {                                                                                              \
        sim_needs("atomicCAS of 16 bytes", 90);                                                    \
        struct sim_halves __c = sim_halves_of(__compare), __v = sim_halves_of(__value);            \
        sim_atomic_wide(SIM_ATOMIC_CAS, SIM_B128, __address, __v.__low, __v.__high, __c.__low,     \
                        __c.__high, SCOPE);                                                        \
        return sim_value_of_result<__T>();                                                         \
    }                                                                                              \
    template <class __T, sim_if_16_bytes<__T> = 0>                                                 \
    SIM_INLINE __T atomicExch##SUFFIX(__T *__address, __T __value)                                 \
    {                                                                                              \
        sim_needs("atomicExch of 16 bytes", 90);                                                   \
        struct sim_halves __v = sim_halves_of(__value);                                            \
        sim_atomic_wide(SIM_ATOMIC_EXCH, SIM_B128, __address, __v.__low, __v.__high, 0, 0, SCOPE); \
        return sim_value_of_result<__T>();                                                         \
    }                                                                                              \
    SIM_INLINE float2 atomicAdd##SUFFIX(float2 *__address, float2 __value)                         \
    {                                                                                              \
        sim_needs("atomicAdd of float2", 90);                                                      \
        sim_atomic(SIM_ATOMIC_ADD, SIM_F32X2, __address,                                           \
                   __float_as_uint(__value.x) | (uint64_t)__float_as_uint(__value.y) << 32, 0,     \
                   SCOPE | (unsigned int)SIM_GLOBAL_ONLY);                                         \
        uint64_t __old = sim_atomic_result();                                                      \
        return float2{__uint_as_float((unsigned int)__old),                                        \
                      __uint_as_float((unsigned int)(__old >> 32))};                               \
    }                                                                                              \
    SIM_INLINE float4 atomicAdd##SUFFIX(float4 *__address, float4 __value)                         \
    {                                                                                              \
        sim_needs("atomicAdd of float4", 90);                                                      \
        sim_atomic_wide(SIM_ATOMIC_ADD, SIM_F32X4, __address,                                      \
                        __float_as_uint(__value.x) | (uint64_t)__float_as_uint(__value.y) << 32,   \
                        __float_as_uint(__value.z) | (uint64_t)__float_as_uint(__value.w) << 32,   \
                        0, 0, SCOPE | (unsigned int)SIM_GLOBAL_ONLY);                              \
        return sim_value_of_result<float4>();                                                      \
    }

SIM_ATOMICS_OF_SCOPE(, SIM_SCOPE_DEVICE)
SIM_ATOMICS_OF_SCOPE(_block, SIM_SCOPE_BLOCK)
SIM_ATOMICS_OF_SCOPE(_system, SIM_SCOPE_SYSTEM)
SIM_ATOMICS_OF_16_BYTES(, SIM_SCOPE_DEVICE)
SIM_ATOMICS_OF_16_BYTES(_block, SIM_SCOPE_BLOCK)
SIM_ATOMICS_OF_16_BYTES(_system, SIM_SCOPE_SYSTEM)

#undef SIM_ATOMIC
#undef SIM_ATOMIC_SUB
#undef SIM_ATOMIC_CAS
#undef SIM_ATOMICS_OF_SCOPE
#undef SIM_ATOMICS_OF_16_BYTES

#endif
