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
            struct sim_index __index = FUNCTION();                                                 \
            TYPE __value;                                                                          \
            __value.x = __index.x;                                                                 \
            __value.y = __index.y;                                                                 \
            __value.z = __index.z;                                                                 \
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
    return !__builtin_is_constant_evaluated() && sim_block_dim().x != 0;
}

/* The address of an atomic that is the same in all lanes of a warp. */
template <typename __T>
static inline __attribute__((__always_inline__)) __T sim_uniform(__T __address)
{
    sim_note_uniform();
    return __address;
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
    dim3 __grid, __block;
    size_t __shared_bytes;
    cudaStream_t __stream;
    sim_configuration *__outer; /* of a launch whose arguments are being computed */
    bool __taken = false;
    inline static thread_local sim_configuration *__innermost = nullptr;

    sim_configuration(dim3 __grid_size, dim3 __block_size, size_t __shared = 0,
                      cudaStream_t __stream_to_use = 0)
        : __grid(__grid_size), __block(__block_size), __shared_bytes(__shared),
          __stream(__stream_to_use), __outer(__innermost)
    {
        __innermost = this;
    }
    sim_configuration(const sim_configuration &) = delete;
    ~sim_configuration()
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
    __T __value;
};

/* Copies without the compiler's making a memcpy of it, which would be seen. */
SIM_UNSEEN_PART void sim_copy_unseen(void *__to, const void *__from, size_t __bytes)
{
    typedef uint64_t __attribute__((__may_alias__, __aligned__(1))) __word;
    size_t __i = 0;
    for (; __i + sizeof(__word) <= __bytes; __i += sizeof(__word))
        *(volatile __word *)((char *)__to + __i) =
            *(const volatile __word *)((const char *)__from + __i);
    for (; __i < __bytes; __i++)
        ((volatile char *)__to)[__i] = ((const volatile char *)__from)[__i];
}

template <typename __T> SIM_UNSEEN void sim_hold(sim_held<__T> *__held, __T &__argument)
{
    sim_copy_unseen(__held, __builtin_addressof(__argument), sizeof(__T));
}
template <typename __T> SIM_UNSEEN void sim_hold(sim_held<__T &> *__held, __T &__argument)
{
    __T *__address = __builtin_addressof(__argument);
    sim_copy_unseen(__held, &__address, sizeof __address);
}

/* A kernel. Self, which the rewriting step declares in the kernel's body, has its
 * address and its name. */
template <typename __Self, typename __Kernel = decltype(__Self::kernel())> struct sim_kernel_of;

template <typename __Self, typename... __P> struct sim_kernel_of<__Self, void (*)(__P...)> {
    static constexpr size_t __bytes_of[sizeof...(__P) + 1] = {sizeof(sim_held<__P>)..., 0};

    /* Where argument i lies in a closure, or for i = sizeof...(P) its size. */
    static constexpr size_t __offset_of(size_t __i)
    {
        constexpr size_t __alignment_of[sizeof...(__P) + 1] = {alignof(sim_held<__P>)..., 1};
        size_t __begin = 0;
        for (size_t __k = 0;; __begin += __bytes_of[__k++]) {
            __begin =
                (__begin + __alignment_of[__k] - 1) / __alignment_of[__k] * __alignment_of[__k];
            if (__k == __i)
                return __begin;
        }
    }
    template <size_t __I> static constexpr size_t __offset = __offset_of(__I);

    /* The parameters for reports; each lies where `place` says. */
    static constexpr size_t __elements[sizeof...(__P) + 1] = {sim_pointee<__P>::__bytes..., 0};
    static constexpr size_t __alignments[sizeof...(__P) + 1] = {sim_pointee<__P>::__alignment...,
                                                                0};
    static constexpr const size_t *__rows[sizeof...(__P) + 1] = {sim_pointee<__P>::__rows...,
                                                                 nullptr};
    static constexpr const struct sim_member *__members[sizeof...(__P) + 1] = {
        sim_members<__P>::__found.__list..., nullptr};
    template <size_t (*__place)(size_t), typename __Numbers> struct __places;
    template <size_t (*__place)(size_t), size_t... __I>
    struct __places<__place, sim_numbers<__I...>> {
        static constexpr size_t __values[sizeof...(__P) + 1] = {__place(__I)..., 0};
    };
    template <size_t (*__place)(size_t)> static constexpr struct sim_parameters __parameters()
    {
        return {__Self::parameters(),
                sizeof...(__P),
                __places<__place, sim_count<sizeof...(__P)>>::__values,
                __elements,
                __rows,
                __alignments,
                __members};
    }
    /* In a closure of cudaLaunchKernel. */
    static constexpr size_t __packed_at(size_t __i)
    {
        size_t __begin = 16;
        for (size_t __k = 0; __k < __i; __k++)
            __begin += (__bytes_of[__k] + 15) / 16 * 16;
        return __begin;
    }

    struct __registration {
        struct sim_kernel __kernel;
        __registration()
            : __kernel{(const void *)__Self::kernel(),
                       __Self::name(),
                       __Self::most_threads(),
                       __call,
                       sizeof...(__P),
                       __bytes_of,
                       __parameters<__packed_at>(),
                       nullptr}
        {
            sim_register_kernel(&__kernel);
        }
    };
    inline static __registration __registered;

    /* In a lane: calls the kernel. The arguments go through the lane's own stack. */
    template <size_t... __I>
    SIM_UNSEEN_PART static void __call_with(const void *__kernel, void **__arguments,
                                            sim_numbers<__I...>)
    {
        alignas(16) alignas(sim_held<__P>...) char __values[__offset<sizeof...(__P)> + 1];
        (sim_copy_unseen(__values + __offset<__I>, __arguments[__I], __bytes_of[__I]), ...);
        (void)__arguments;
        (void)__values;
        sim_lane_enters = true;
        ((void (*)(typename sim_passed<__P>::type...))__kernel)(
            ((sim_held<__P> *)(__values + __offset<__I>))->__value...);
    }

    SIM_UNSEEN static void __call(const void *__kernel, void **__arguments)
    {
        __call_with(__kernel, __arguments, sim_count<sizeof...(__P)>());
    }

    template <size_t... __I>
    SIM_UNSEEN_PART static void __enter_with(const char *__closure, sim_numbers<__I...>)
    {
        (void)__closure;
        void *__arguments[] = {(void *)(__closure + __offset<__I>)..., nullptr};
        __call_with((const void *)__Self::kernel(), __arguments, sim_count<sizeof...(__P)>());
    }

    SIM_UNSEEN static void __enter(const void *__closure)
    {
        __enter_with((const char *)__closure, sim_count<sizeof...(__P)>());
    }

    template <size_t... __I>
    SIM_UNSEEN static void __pack(char *__closure, sim_numbers<__I...>, __P &...__arguments)
    {
        (sim_hold((sim_held<__P> *)(__closure + __offset<__I>), __arguments), ...);
        (void)__closure;
    }

    /* On the host: runs the kernel with the configuration that waits for it. */
    SIM_UNSEEN __attribute__((__cold__)) static void __launch(void *__caller, __P... __arguments)
    {
        (void)&__registered;
        sim_configuration *__configuration = sim_configuration::__innermost;
        if (!__configuration || __configuration->__taken) {
            char __place[512];
            fprintf(stderr,
                    "%s: error: the kernel %s was called like a function; "
                    "launch it: %s<<<grid, block>>>(...)\n",
                    sim_locate((uintptr_t)__caller, __place, sizeof __place), __Self::name(),
                    __Self::name());
            exit(1);
        }
        __configuration->__taken = true;
        alignas(16) alignas(sim_held<__P>...) char __closure[__offset<sizeof...(__P)> + 1];
        __pack(__closure, sim_count<sizeof...(__P)>(), __arguments...);
        struct sim_launch __launch = {};
        __launch.__entry = __enter;
        __launch.__closure = __closure;
        __launch.__closure_bytes = sizeof __closure;
        __launch.__kernel = (const void *)__Self::kernel();
        __launch.__name = __Self::name();
        __launch.__caller = __caller;
        __launch.__grid = {__configuration->__grid.x, __configuration->__grid.y,
                           __configuration->__grid.z};
        __launch.__block = {__configuration->__block.x, __configuration->__block.y,
                            __configuration->__block.z};
        __launch.__shared_bytes = __configuration->__shared_bytes;
        __launch.__stream = (void *)__configuration->__stream;
        __launch.__parameters = __parameters<__offset_of>();
        sim_launch(&__launch);
    }
};

#endif
