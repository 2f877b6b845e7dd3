/* sim_atomic_builtins.h - __nv_atomic_load_n and its kind, which nvcc has since CUDA 12.8.
 *
 * As in cuda/atomic, an order is an access and a fence, a load is a volatile load, and a
 * store is an exchange whose result is dropped. Objects have 4 or 8 bytes. */
#ifndef SIM_ATOMIC_BUILTINS_H
#define SIM_ATOMIC_BUILTINS_H

#include "../device_abi.h"
#include "sim_bits.h"

enum {
    __NV_ATOMIC_RELAXED,
    __NV_ATOMIC_CONSUME,
    __NV_ATOMIC_ACQUIRE,
    __NV_ATOMIC_RELEASE,
    __NV_ATOMIC_ACQ_REL,
    __NV_ATOMIC_SEQ_CST
};

enum {
    __NV_THREAD_SCOPE_THREAD,
    __NV_THREAD_SCOPE_BLOCK,
    __NV_THREAD_SCOPE_CLUSTER,
    __NV_THREAD_SCOPE_DEVICE,
    __NV_THREAD_SCOPE_SYSTEM
};

/* The value of a call may be of another type than the object, as in C. */
template <class __T> struct __sim_same {
    typedef __T type;
};

template <class __T> SIM_INLINE enum sim_type __sim_type_of(const __T *)
{
    static_assert(sizeof(__T) == 4 || sizeof(__T) == 8, "an atomic here has 4 or 8 bytes");
    return sizeof(__T) == 4 ? (__T(-1) < __T(0) ? SIM_S32 : SIM_U32)
                            : (__T(-1) < __T(0) ? SIM_S64 : SIM_U64);
}
SIM_INLINE enum sim_type __sim_type_of(const float *)
{
    return SIM_F32;
}
SIM_INLINE enum sim_type __sim_type_of(const double *)
{
    return SIM_F64;
}

SIM_INLINE void __nv_atomic_thread_fence(int __order, int __scope = __NV_THREAD_SCOPE_SYSTEM)
{
    if (__order != __NV_ATOMIC_RELAXED && __scope != __NV_THREAD_SCOPE_THREAD)
        sim_fence(__scope == __NV_THREAD_SCOPE_BLOCK    ? SIM_FENCE_BLOCK
                  : __scope == __NV_THREAD_SCOPE_SYSTEM ? SIM_FENCE_SYSTEM
                                                        : SIM_FENCE_DEVICE);
}

/* A relaxed access acquires nothing until a fence follows. */
SIM_INLINE void __sim_before(int __order, int __scope)
{
    if (__order >= __NV_ATOMIC_RELEASE)
        __nv_atomic_thread_fence(__order, __scope);
    if (__order == __NV_ATOMIC_RELAXED || __order == __NV_ATOMIC_RELEASE)
        sim_relaxed();
}

SIM_INLINE void __sim_after(int __order, int __scope)
{
    if (__order != __NV_ATOMIC_RELEASE)
        __nv_atomic_thread_fence(__order, __scope);
}

SIM_INLINE unsigned int __sim_flags(int __scope)
{
    return __scope == __NV_THREAD_SCOPE_SYSTEM  ? SIM_SCOPE_SYSTEM
           : __scope <= __NV_THREAD_SCOPE_BLOCK ? SIM_SCOPE_BLOCK
                                                : SIM_SCOPE_DEVICE;
}

template <class __T>
SIM_INLINE __T __nv_atomic_load_n(const __T *__address, int __order,
                                  int __scope = __NV_THREAD_SCOPE_SYSTEM)
{
    __sim_before(__order, __scope);
    __T __value = *(const volatile __T *)__address;
    __sim_after(__order, __scope);
    return __value;
}

template <class __T>
SIM_INLINE void __nv_atomic_load(const __T *__address, __T *__value, int __order,
                                 int __scope = __NV_THREAD_SCOPE_SYSTEM)
{
    *__value = __nv_atomic_load_n(__address, __order, __scope);
}

template <class __T>
SIM_INLINE bool __nv_atomic_compare_exchange_n(__T *__address, __T *__expected,
                                               typename __sim_same<__T>::type __value, bool,
                                               int __order, int,
                                               int __scope = __NV_THREAD_SCOPE_SYSTEM)
{
    __T __wanted = *__expected;
    __sim_before(__order, __scope);
    sim_atomic(SIM_ATOMIC_CAS, sizeof(__T) == 4 ? SIM_U32 : SIM_U64, (void *)__address,
               sim_bits_of(__value), sim_bits_of(__wanted), __sim_flags(__scope));
    __T __old = sim_value_of<__T>(sim_atomic_result());
    __sim_after(__order, __scope);
    *__expected = __old;
    return sim_bits_of(__old) == sim_bits_of(__wanted);
}

/* A function that returns what was there, and one that returns nothing. */
#define SIM_ATOMIC_BUILTIN(FETCH, PLAIN, ACTION, VALUE)                                            \
    template <class __T>                                                                           \
    SIM_INLINE __T FETCH(__T *__address, typename __sim_same<__T>::type __value, int __order,      \
                         int __scope = __NV_THREAD_SCOPE_SYSTEM)                                   \
    {                                                                                              \
        __sim_before(__order, __scope);                                                            \
        sim_atomic(ACTION, __sim_type_of(__address), (void *)__address, sim_bits_of((__T)(VALUE)), \
                   0, __sim_flags(__scope));                                                       \
        __T __old = sim_value_of<__T>(sim_atomic_result());                                        \
        __sim_after(__order, __scope);                                                             \
        return __old;                                                                              \
    }                                                                                              \
    template <class __T>                                                                           \
    SIM_INLINE void PLAIN(__T *__address, typename __sim_same<__T>::type __value, int __order,     \
                          int __scope = __NV_THREAD_SCOPE_SYSTEM)                                  \
    {                                                                                              \
        __sim_before(__order, __scope);                                                            \
        sim_atomic(                                                                                \
            ACTION, __sim_type_of(__address), (void *)__address, sim_bits_of((__T)(VALUE)), 0,     \
            __sim_flags(__scope) | (ACTION == SIM_ATOMIC_EXCH ? (unsigned int)SIM_IS_STORE : 0u)); \
        __sim_after(__order, __scope);                                                             \
    }

SIM_ATOMIC_BUILTIN(__nv_atomic_exchange_n, __nv_atomic_store_n, SIM_ATOMIC_EXCH, __value)
SIM_ATOMIC_BUILTIN(__nv_atomic_fetch_add, __nv_atomic_add, SIM_ATOMIC_ADD, __value)
SIM_ATOMIC_BUILTIN(__nv_atomic_fetch_sub, __nv_atomic_sub, SIM_ATOMIC_ADD, __T(0) - __value)
SIM_ATOMIC_BUILTIN(__nv_atomic_fetch_and, __nv_atomic_and, SIM_ATOMIC_AND, __value)
SIM_ATOMIC_BUILTIN(__nv_atomic_fetch_or, __nv_atomic_or, SIM_ATOMIC_OR, __value)
SIM_ATOMIC_BUILTIN(__nv_atomic_fetch_xor, __nv_atomic_xor, SIM_ATOMIC_XOR, __value)
SIM_ATOMIC_BUILTIN(__nv_atomic_fetch_min, __nv_atomic_min, SIM_ATOMIC_MIN, __value)
SIM_ATOMIC_BUILTIN(__nv_atomic_fetch_max, __nv_atomic_max, SIM_ATOMIC_MAX, __value)

#undef SIM_ATOMIC_BUILTIN

#endif
