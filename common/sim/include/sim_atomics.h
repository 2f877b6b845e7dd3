/* sim_atomics.h - atomicAdd and its kind, for exactly the types that CUDA has.
 *
 * Each makes two calls: the operation, and the fetch of its result, which the
 * compiler drops when the kernel does not use the result. So the simulator can
 * tell RED from ATOM, as nvcc does. */
#ifndef SIM_ATOMICS_H
#define SIM_ATOMICS_H

#include "../device_abi.h"
#include "sim_bits.h"

#define SIM_ATOMIC(NAME, SUFFIX, T, OPERATION, TYPE, FLAGS)                                        \
    SIM_INLINE T NAME##SUFFIX(T *__address, T __value)                                             \
    {                                                                                              \
        sim_atomic(OPERATION, TYPE, __address, sim_bits_of(__value), 0, FLAGS);                    \
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

SIM_ATOMICS_OF_SCOPE(, SIM_SCOPE_DEVICE)
SIM_ATOMICS_OF_SCOPE(_block, SIM_SCOPE_BLOCK)
SIM_ATOMICS_OF_SCOPE(_system, SIM_SCOPE_SYSTEM)

#undef SIM_ATOMIC
#undef SIM_ATOMIC_SUB
#undef SIM_ATOMIC_CAS
#undef SIM_ATOMICS_OF_SCOPE

#endif
