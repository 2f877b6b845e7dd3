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
#define SIM_UNSEEN __attribute__((no_sanitize("thread", "coverage"), noinline))
#else
#define SIM_UNSEEN __attribute__((no_sanitize("thread"), no_sanitize_coverage, noinline))
#endif

extern "C" char *sim_locate(uintptr_t pc, char *text, size_t size); /* as in sim.h */

/* threadIdx and its kind: objects without content, which turn into numbers. */
#define SIM_INDEX(NAME, TYPE, FUNCTION)                                                            \
    struct sim_tag_##NAME {                                                                        \
        operator TYPE() const                                                                      \
        {                                                                                          \
            struct sim_index index = FUNCTION();                                                   \
            TYPE value;                                                                            \
            value.x = index.x;                                                                     \
            value.y = index.y;                                                                     \
            value.z = index.z;                                                                     \
            return value;                                                                          \
        }                                                                                          \
    };                                                                                             \
    __attribute__((unused)) static const sim_tag_##NAME NAME = {};                                 \
    static inline __attribute__((always_inline, unused)) TYPE sim_index(const sim_tag_##NAME &tag) \
    {                                                                                              \
        return tag;                                                                                \
    }
SIM_INDEX(threadIdx, uint3, sim_thread_index)
SIM_INDEX(blockIdx, uint3, sim_block_index)
SIM_INDEX(blockDim, dim3, sim_block_dim)
SIM_INDEX(gridDim, dim3, sim_grid_dim)
#undef SIM_INDEX

/* The user's own variable of such a name stays what it is. */
template <typename T> static inline __attribute__((always_inline)) T &sim_index(T &variable)
{
    return variable;
}

/* The address of an atomic that is the same in all lanes of a warp. */
template <typename T> static inline __attribute__((always_inline)) T sim_uniform(T address)
{
    sim_note_uniform();
    return address;
}

/* Shared memory. T is the variable's type; the element, that of an array's
 * innermost elements. */
template <typename T> struct sim_element {
    using type = T;
};
template <typename T, size_t N> struct sim_element<T[N]> : sim_element<T> {
};

/* The extents of an array type, outermost first, and a 0. */
template <typename T, size_t... N> struct sim_extents {
    static constexpr size_t values[] = {N..., 0};
};
template <typename T, size_t M, size_t... N>
struct sim_extents<T[M], N...> : sim_extents<T, N..., M> {
};

/* What a parameter of type T points to: the size of its innermost elements, 1 when that is
 * not known, and 0 when T is no pointer. */
template <typename T, typename = void> struct sim_pointee {
    static constexpr size_t bytes = 0;
    static constexpr const size_t *rows = sim_extents<T>::values;
};
template <typename T>
struct sim_pointee<T *, decltype((void)sizeof(typename sim_element<T>::type))> {
    static constexpr size_t bytes = sizeof(typename sim_element<T>::type);
    static constexpr const size_t *rows = sim_extents<T>::values;
};
struct sim_pointee_unknown {
    static constexpr size_t bytes = 1;
    static constexpr const size_t *rows = sim_extents<char>::values;
};
template <> struct sim_pointee<void *> : sim_pointee_unknown {
};
template <> struct sim_pointee<const void *> : sim_pointee_unknown {
};

template <typename T>
static inline __attribute__((always_inline)) T &sim_shared(const void *key, const char *name,
                                                           size_t alignment)
{
    return *(T *)::sim_shared_variable(key, name, sizeof(T), sizeof(typename sim_element<T>::type),
                                       sim_extents<T>::values, alignment);
}

/* The array `T name[1]` stands for `T name[]`. */
template <typename T> struct sim_unbounded {
    using type = T;
};
template <typename T> struct sim_unbounded<T[1]> {
    using type = T[];
};

template <typename T>
static inline __attribute__((always_inline)) typename sim_unbounded<T>::type &
sim_dynamic(const char *name)
{
    return *(typename sim_unbounded<T>::type *)::sim_dynamic_shared(
        name, sizeof(typename sim_element<T>::type), sim_extents<T>::values);
}

/* The configuration of a launch, from <<< to the end of the expression. The kernel
 * that is called next takes it. */
struct sim_configuration {
    dim3 grid, block;
    size_t shared_bytes;
    cudaStream_t stream;
    sim_configuration *outer; /* of a launch whose arguments are being computed */
    bool taken = false;
    inline static thread_local sim_configuration *innermost = nullptr;

    sim_configuration(dim3 grid_size, dim3 block_size, size_t shared = 0,
                      cudaStream_t stream_to_use = 0)
        : grid(grid_size), block(block_size), shared_bytes(shared), stream(stream_to_use),
          outer(innermost)
    {
        innermost = this;
    }
    sim_configuration(const sim_configuration &) = delete;
    ~sim_configuration()
    {
        innermost = outer;
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
template <size_t... I> struct sim_numbers {
};
#if defined(__clang__)
template <typename T, T... I> using sim_numbers_of = sim_numbers<I...>;
template <size_t N> using sim_count = __make_integer_seq<sim_numbers_of, size_t, N>;
#else
template <size_t N> using sim_count = sim_numbers<__integer_pack(N)...>;
#endif

/* The type of a parameter in the type of its function: gcc has to be told that
 * __restrict__ is no part of it. */
template <typename T> struct sim_parameter_type {
    using type = T;
};
template <typename T> struct sim_parameter_type<T *__restrict__> {
    using type = T *;
};
template <typename T> struct sim_parameter_type<T *const __restrict__> {
    using type = T *;
};
template <typename T> using sim_parameter = typename sim_parameter_type<T>::type;

/* How an argument of type T goes to a function: as it is, or by its address when
 * copying it would run code of the user's. The machine's calling convention is the
 * same for a reference, so a kernel gets the bytes of what the host passed, and
 * neither a copy constructor nor a destructor runs in a lane. */
template <typename T, bool plain = __is_trivially_constructible(T, const T &) &&
                                   __is_trivially_constructible(T, T &&) &&
                                   __has_trivial_destructor(T)>
struct sim_passed {
    using type = T;
};
template <typename T> struct sim_passed<T, false> {
    using type = T &;
};
template <typename T, bool plain> struct sim_passed<T &, plain> {
    using type = T &;
};

/* What a closure holds of an argument: its bytes; of a reference, the address of
 * the host's variable, which a kernel cannot read, on a GPU or here. */
template <typename T> struct sim_held {
    T value;
};

/* Copies without the compiler's making a memcpy of it, which would be seen. */
SIM_UNSEEN inline void sim_copy_unseen(void *to, const void *from, size_t bytes)
{
    typedef uint64_t __attribute__((may_alias, aligned(1))) word;
    size_t i = 0;
    for (; i + sizeof(word) <= bytes; i += sizeof(word))
        *(volatile word *)((char *)to + i) = *(const volatile word *)((const char *)from + i);
    for (; i < bytes; i++)
        ((volatile char *)to)[i] = ((const volatile char *)from)[i];
}

template <typename T> void sim_hold(sim_held<T> *held, T &argument)
{
    sim_copy_unseen(held, __builtin_addressof(argument), sizeof(T));
}
template <typename T> void sim_hold(sim_held<T &> *held, T &argument)
{
    T *address = __builtin_addressof(argument);
    sim_copy_unseen(held, &address, sizeof address);
}

/* A kernel. Self, which the rewriting step declares in the kernel's body, has its
 * address and its name. */
template <typename Self, typename Kernel = decltype(Self::kernel())> struct sim_kernel_of;

template <typename Self, typename... P> struct sim_kernel_of<Self, void (*)(P...)> {
    static constexpr size_t bytes_of[sizeof...(P) + 1] = {sizeof(sim_held<P>)..., 0};

    /* Where argument i lies in a closure, or for i = sizeof...(P) its size. */
    static constexpr size_t offset_of(size_t i)
    {
        constexpr size_t alignment_of[sizeof...(P) + 1] = {alignof(sim_held<P>)..., 1};
        size_t begin = 0;
        for (size_t k = 0;; begin += bytes_of[k++]) {
            begin = (begin + alignment_of[k] - 1) / alignment_of[k] * alignment_of[k];
            if (k == i)
                return begin;
        }
    }
    template <size_t I> static constexpr size_t offset = offset_of(I);

    /* The parameters for reports; each lies where `place` says. */
    static constexpr size_t elements[sizeof...(P) + 1] = {sim_pointee<P>::bytes..., 0};
    static constexpr const size_t *rows[sizeof...(P) + 1] = {sim_pointee<P>::rows..., nullptr};
    template <size_t (*place)(size_t), typename Numbers> struct places;
    template <size_t (*place)(size_t), size_t... I> struct places<place, sim_numbers<I...>> {
        static constexpr size_t values[sizeof...(P) + 1] = {place(I)..., 0};
    };
    template <size_t (*place)(size_t)> static constexpr struct sim_parameters parameters()
    {
        return {Self::parameters(), sizeof...(P), places<place, sim_count<sizeof...(P)>>::values,
                elements, rows};
    }
    /* In a closure of cudaLaunchKernel. */
    static constexpr size_t packed_at(size_t i)
    {
        size_t begin = 16;
        for (size_t k = 0; k < i; k++)
            begin += (bytes_of[k] + 15) / 16 * 16;
        return begin;
    }

    struct registration {
        struct sim_kernel kernel;
        registration()
            : kernel{(const void *)Self::kernel(), Self::name(), call, sizeof...(P), bytes_of,
                     parameters<packed_at>(),      nullptr}
        {
            sim_register_kernel(&kernel);
        }
    };
    inline static registration registered;

    /* In a lane: calls the kernel. The arguments go through the lane's own stack. */
    template <size_t... I>
    SIM_UNSEEN static void call_with(const void *kernel, void **arguments, sim_numbers<I...>)
    {
        alignas(16) alignas(sim_held<P>...) char values[offset<sizeof...(P)> + 1];
        (sim_copy_unseen(values + offset<I>, arguments[I], bytes_of[I]), ...);
        (void)arguments;
        (void)values;
        sim_lane_enters = true;
        ((void (*)(typename sim_passed<P>::type...))kernel)(
            ((sim_held<P> *)(values + offset<I>))->value...);
    }

    SIM_UNSEEN static void call(const void *kernel, void **arguments)
    {
        call_with(kernel, arguments, sim_count<sizeof...(P)>());
    }

    template <size_t... I> SIM_UNSEEN static void enter_with(const char *closure, sim_numbers<I...>)
    {
        (void)closure;
        void *arguments[] = {(void *)(closure + offset<I>)..., nullptr};
        call((const void *)Self::kernel(), arguments);
    }

    SIM_UNSEEN static void enter(const void *closure)
    {
        enter_with((const char *)closure, sim_count<sizeof...(P)>());
    }

    template <size_t... I>
    SIM_UNSEEN static void pack(char *closure, sim_numbers<I...>, P &...arguments)
    {
        (sim_hold((sim_held<P> *)(closure + offset<I>), arguments), ...);
        (void)closure;
    }

    /* On the host: runs the kernel with the configuration that waits for it. */
    SIM_UNSEEN __attribute__((cold)) static void launch(void *caller, P... arguments)
    {
        (void)&registered;
        sim_configuration *configuration = sim_configuration::innermost;
        if (!configuration || configuration->taken) {
            char place[512];
            fprintf(stderr,
                    "%s: error: the kernel %s was called like a function; "
                    "launch it: %s<<<grid, block>>>(...)\n",
                    sim_locate((uintptr_t)caller, place, sizeof place), Self::name(), Self::name());
            exit(1);
        }
        configuration->taken = true;
        alignas(16) alignas(sim_held<P>...) char closure[offset<sizeof...(P)> + 1];
        pack(closure, sim_count<sizeof...(P)>(), arguments...);
        struct sim_launch launch = {};
        launch.entry = enter;
        launch.closure = closure;
        launch.closure_bytes = sizeof closure;
        launch.kernel = (const void *)Self::kernel();
        launch.name = Self::name();
        launch.caller = caller;
        launch.grid = {configuration->grid.x, configuration->grid.y, configuration->grid.z};
        launch.block = {configuration->block.x, configuration->block.y, configuration->block.z};
        launch.shared_bytes = configuration->shared_bytes;
        launch.stream = (void *)configuration->stream;
        launch.parameters = parameters<offset_of>();
        sim_launch(&launch);
    }
};

#endif
