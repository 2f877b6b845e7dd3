/* sim_language.h - the C++ that rewritten kernels rely on.
 *
 * The step from CUDA C++ to C++ (../rewrite) writes calls to what stands here:
 *
 *     kernel<<<grid, block>>>(a, n)   (::sim_configuration(grid, block), kernel(a, n))
 *     __global__ void kernel(...) {   a first statement that uses sim_kernel_of
 *     __shared__ int bins[5];         auto &bins = ::sim_shared<...>(...)
 *     extern __shared__ int bins[];   auto &bins = ::sim_dynamic<...>(...)
 *     threadIdx.x                     ::sim_index(threadIdx).x
 *     atomicAdd(&bins[3], n)          atomicAdd(::sim_uniform(&bins[3]), n)
 *     static int n; (on the device)   static int n; ::sim_local_static(n);
 *     do { while (...) ...            do { ::sim_loop_begins(); while (...) ...
 *     #ifdef __CUDA_ARCH__            if (::sim_on_device()) {...} else {...}
 *
 * What runs in a lane on the way into a kernel touches the launch's own memory,
 * which is no memory of the device: it must not be instrumented. */
#ifndef SIM_LANGUAGE_H
#define SIM_LANGUAGE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "../device_abi.h"
#include "cuda_runtime_api.h"

#ifdef __clang__
#define SIM_NOT_SEEN __no_sanitize__("thread", "coverage")
#else
#define SIM_NOT_SEEN __no_sanitize__("thread"), __no_sanitize_coverage__
#endif
#define SIM_UNSEEN __attribute__((SIM_NOT_SEEN, __noinline__))
/* A part of one of these: every lane goes this way. */
#define SIM_UNSEEN_PART __attribute__((SIM_NOT_SEEN, __always_inline__)) inline

extern "C" char *sim_locate(uintptr_t __pc, char *__text, size_t __size); /* as in sim.h */

/* threadIdx and its kind: objects without content, which turn into numbers. */
#define SIM_INDEX(NAME, TYPE, FUNCTION)                                                            \
    struct sim_tag_##NAME {                                                                        \
        operator TYPE() const                                                                      \
        {                                                                                          \
            TYPE __value;                                                                          \
            __value.x = FUNCTION##_x();                                                            \
            __value.y = FUNCTION##_y();                                                            \
            __value.z = FUNCTION##_z();                                                            \
            return __value;                                                                        \
        }                                                                                          \
    };                                                                                             \
    __attribute__((__unused__)) static const sim_tag_##NAME NAME = {};                             \
    static inline __attribute__((__always_inline__, __unused__)) TYPE sim_index(                   \
        const sim_tag_##NAME &__tag)                                                               \
    {                                                                                              \
        return __tag;                                                                              \
    }
SIM_INDEX(threadIdx, uint3, sim_thread_index)
SIM_INDEX(blockIdx, uint3, sim_block_index)
SIM_INDEX(blockDim, dim3, sim_block_dim)
SIM_INDEX(gridDim, dim3, sim_grid_dim)
#undef SIM_INDEX

/* The user's own variable of such a name stays what it is. */
template <typename __T>
static inline __attribute__((__always_inline__)) __T &sim_index(__T &__variable)
{
    return __variable;
}

/* Whether this code runs in a lane; a constant is computed by the host. */
static inline constexpr __attribute__((__always_inline__, __unused__)) bool sim_on_device()
{
    return !__builtin_is_constant_evaluated() && sim_block_dim_x() != 0;
}

/* Where a loop begins whose body begins with another one: the compiler keeps a block for each, so that
 * jumps back to the outer and to the inner one go to different places. */
static inline __attribute__((__always_inline__, __unused__)) void sim_keep_block()
{
    __asm__ volatile("");
}
static inline constexpr __attribute__((__always_inline__, __unused__)) void sim_loop_begins()
{
    if (!__builtin_is_constant_evaluated())
        sim_keep_block();
}

/* The address of an atomic that is the same in all lanes of a warp. */
template <typename __T>
static inline __attribute__((__always_inline__)) __T sim_uniform(__T __address)
{
    sim_note_uniform();
    return __address;
}

/* What printf returns, which has printed so many characters of so many arguments. */
static inline __attribute__((__always_inline__, __unused__)) int sim_printed(int __characters,
                                                                             int __arguments)
{
    return ::sim_on_device() && __characters >= 0 ? __arguments : __characters;
}

template <typename __T>
static inline __attribute__((__always_inline__)) void sim_local_static(__T &__variable)
{
    ::sim_share_static(__builtin_addressof(__variable), sizeof(__T));
}

/* Shared memory. T is the variable's type; the element, that of an array's
 * innermost elements. */
template <typename __T> struct sim_element {
    using type = __T;
};
template <typename __T, size_t __N> struct sim_element<__T[__N]> : sim_element<__T> {
};

/* What is noted of a variable of the device. */
template <typename __T> static constexpr sim_variable sim_type_of(const volatile void *__place)
{
    using __element = typename sim_element<__T>::type;
    return {const_cast<const void *>(__place), sizeof(__T), sizeof(__element), alignof(__element)};
}

/* The extents of an array type, outermost first, and a 0. */
template <typename __T, size_t... __N> struct sim_extents {
    static constexpr size_t __values[] = {__N..., 0};
};
template <typename __T, size_t __M, size_t... __N>
struct sim_extents<__T[__M], __N...> : sim_extents<__T, __N..., __M> {
};

/* What a parameter of type T points to: the size of its innermost elements, 1 when that is
 * not known, and 0 when T is no pointer; of what they begin at a multiple, 0 when not known. */
template <typename __T, typename = void> struct sim_pointee {
    static constexpr size_t __bytes = 0, __alignment = 0;
    static constexpr const size_t *__rows = sim_extents<__T>::__values;
};
template <typename __T>
struct sim_pointee<__T *, decltype((void)sizeof(typename sim_element<__T>::type))> {
    static constexpr size_t __bytes = sizeof(typename sim_element<__T>::type);
    static constexpr size_t __alignment = alignof(typename sim_element<__T>::type);
    static constexpr const size_t *__rows = sim_extents<__T>::__values;
};
struct sim_pointee_unknown {
    static constexpr size_t __bytes = 1, __alignment = 0;
    static constexpr const size_t *__rows = sim_extents<char>::__values;
};
template <> struct sim_pointee<void *> : sim_pointee_unknown {
};
template <> struct sim_pointee<const void *> : sim_pointee_unknown {
};

template <typename __T>
static inline __attribute__((__always_inline__)) __T &
sim_shared(const void *__key, const char *__name, size_t __alignment)
{
    return *(__T *)::sim_shared_variable(__key, __name, sizeof(__T),
                                         sizeof(typename sim_element<__T>::type),
                                         sim_extents<__T>::__values, __alignment);
}

/* The array `T name[1]` stands for `T name[]`. */
template <typename __T> struct sim_unbounded {
    using type = __T;
};
template <typename __T> struct sim_unbounded<__T[1]> {
    using type = __T[];
};

template <typename __T>
static inline __attribute__((__always_inline__)) typename sim_unbounded<__T>::type &
sim_dynamic(const char *__name)
{
    return *(typename sim_unbounded<__T>::type *)::sim_dynamic_shared(
        __name, sizeof(typename sim_element<__T>::type), sim_extents<__T>::__values);
}

/* The configuration of a launch, from <<< to the end of the expression. The kernel
 * that is called next takes it. */
struct sim_configuration {
    struct sim_configured __asked;
    sim_configuration *__outer; /* of a launch whose arguments are being computed */
    inline static thread_local sim_configuration *__innermost = nullptr;

    SIM_UNSEEN sim_configuration(dim3 __grid, dim3 __block, size_t __shared = 0,
                                 cudaStream_t __stream = 0)
        : __asked{{__grid.x, __grid.y, __grid.z},
                  {__block.x, __block.y, __block.z},
                  __shared,
                  (void *)__stream,
                  0},
          __outer(__innermost)
    {
        __innermost = this;
    }
    sim_configuration(const sim_configuration &) = delete;
    SIM_UNSEEN ~sim_configuration()
    {
        __innermost = __outer;
    }
};

/* Set in a lane just before it calls the kernel's function. */
inline thread_local bool sim_lane_enters = false;

/* Whether the kernel's function was called by the host, not by a lane. */
SIM_UNSEEN inline bool sim_called_by_host()
{
    if (!sim_lane_enters)
        return true;
    sim_lane_enters = false;
    return false;
}

/* The numbers 0 to N - 1 as template arguments. */
template <size_t... __I> struct sim_numbers {
};
#if defined(__clang__)
template <typename __T, __T... __I> using sim_numbers_of = sim_numbers<__I...>;
template <size_t __N> using sim_count = __make_integer_seq<sim_numbers_of, size_t, __N>;
#else
template <size_t __N> using sim_count = sim_numbers<__integer_pack(__N)...>;
#endif

/* The type of a parameter in the type of its function: gcc has to be told that
 * __restrict__ is no part of it. */
template <typename __T> struct sim_parameter_type {
    using type = __T;
};
template <typename __T> struct sim_parameter_type<__T *__restrict__> {
    using type = __T *;
};
template <typename __T> struct sim_parameter_type<__T *const __restrict__> {
    using type = __T *;
};
template <typename __T> using sim_parameter = typename sim_parameter_type<__T>::type;

#include "sim_members.h"

/* How an argument of type T goes to a function: as it is, or by its address when
 * copying it would run code of the user's. The machine's calling convention is the
 * same for a reference, so a kernel gets the bytes of what the host passed, and
 * neither a copy constructor nor a destructor runs in a lane. */
template <typename __T, bool __plain = __is_trivially_constructible(__T, __const__ __T &) &&
                                       __is_trivially_constructible(__T, __T &&) &&
                                       __has_trivial_destructor(__T)>
struct sim_passed {
    using type = __T;
};
template <typename __T> struct sim_passed<__T, false> {
    using type = __T &;
};
template <typename __T, bool __plain> struct sim_passed<__T &, __plain> {
    using type = __T &;
};

/* What a closure holds of an argument: its bytes; of a reference, the address of
 * the host's variable, which a kernel cannot read, on a GPU or here. */
template <typename __T> struct sim_held {
    static constexpr bool __is_address = false;
    __T __value;
};
template <typename __T> struct sim_held<__T &> {
    static constexpr bool __is_address = true;
    __T &__value;
};

/* Where arguments of these sizes and alignments lie in a closure. */
template <size_t __N> struct sim_places {
    size_t __values[__N];
};
template <size_t __N>
constexpr sim_places<__N> sim_place(const size_t (&__bytes)[__N], const size_t (&__alignments)[__N])
{
    sim_places<__N> __found = {};
    size_t __begin = SIM_CLOSURE;
    for (size_t __i = 0; __i < __N; __begin += __bytes[__i++]) {
        __begin = (__begin + __alignments[__i] - 1) / __alignments[__i] * __alignments[__i];
        __found.__values[__i] = __begin;
    }
    return __found;
}

/* A kernel. Self, which the rewriting step declares in the kernel's body, has its
 * address and its name. Each kernel has its own of all that is here, so it is short:
 * what need not know the types of the arguments is in the library. */
template <typename __Self, typename __Kernel = decltype(__Self::__kernel())> struct sim_kernel_of;

template <typename __Self, typename... __P> struct sim_kernel_of<__Self, void (*)(__P...)> {
    /* The parameters, and one more; each lies in a closure where `offsets` says. */
    static constexpr size_t __bytes[] = {sizeof(sim_held<__P>)..., 0};
    static constexpr size_t __alignments_held[] = {alignof(sim_held<__P>)..., SIM_CLOSURE};
    static constexpr auto __offsets = sim_place(__bytes, __alignments_held);
    static constexpr size_t __elements[] = {sim_pointee<__P>::__bytes..., 0};
    static constexpr size_t __alignments[] = {sim_pointee<__P>::__alignment..., 0};
    static constexpr const size_t *__rows[] = {sim_pointee<__P>::__rows..., nullptr};
    static constexpr const struct sim_member *__members[] = {sim_members<__P>::__found.__list...,
                                                             nullptr};

    /* In a lane: calls the kernel. The arguments go through the lane's own stack. */
    template <size_t... __I>
    SIM_UNSEEN_PART static void __call_with(const void *__closure, sim_numbers<__I...>)
    {
        alignas(SIM_CLOSURE) alignas(
            sim_held<__P>...) char __values[__offsets.__values[sizeof...(__P)]];
        sim_take_closure(__values, __closure, sizeof __values);
        sim_lane_enters = true;
        ((void (*)(typename sim_passed<__P>::type...))(const void *)__Self::__kernel())(
            ((sim_held<__P> *)(__values + __offsets.__values[__I]))->__value...);
    }

    SIM_UNSEEN static void __call(const void *__closure)
    {
        __call_with(__closure, sim_count<sizeof...(__P)>());
    }

    inline static struct sim_kernel __kernel = {(const void *)__Self::__kernel(),
                                                __Self::__name(),
                                                __Self::__most_threads(),
                                                __call,
                                                __bytes,
                                                {__Self::__parameters(), sizeof...(__P),
                                                 __offsets.__values, __elements, __rows,
                                                 __alignments, __members},
                                                nullptr};
    inline static const int __registered = sim_register_kernel(&__kernel);

    /* On the host: runs the kernel with the configuration that waits for it. */
    SIM_UNSEEN __attribute__((__cold__)) static void __launch(void *__caller, __P... __arguments)
    {
        (void)&__registered;
        const void *__addresses[] = {(const void *)__builtin_addressof(__arguments)..., nullptr};
        const void *__values[sizeof...(__P) + 1];
        size_t __i = 0;
        ((__values[__i] = sim_held<__P>::__is_address ? &__addresses[__i] : __addresses[__i],
          __i++),
         ...);
        (void)__addresses, (void)__i;
        sim_configuration *__innermost = sim_configuration::__innermost;
        sim_launch_configured(&__kernel, __values, __innermost ? &__innermost->__asked : nullptr,
                              __caller);
    }
};

#endif
