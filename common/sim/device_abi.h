/* device_abi.h - what compiled kernels call: the seam between the headers in
 * include/ and the simulator's library. Users never include it themselves. */
#ifndef SIM_DEVICE_ABI_H
#define SIM_DEVICE_ABI_H

#include <stddef.h>
#include <stdint.h>

/* Fields have plain names in the library, and reserved ones where a user's macros are seen. */
#ifdef __cplusplus
#define SIM_FIELD(NAME) __##NAME
#else
#define SIM_FIELD(NAME) NAME
#endif

#ifdef __cplusplus
extern "C" {
#endif

struct sim_index {
    unsigned int x, y, z;
};

/* Where a lane is. Constant for the life of a lane, hence `const`: the compiler
 * may keep them in registers and must not take them for memory. */
struct sim_index sim_thread_index(void) __attribute__((__const__, __nothrow__));
struct sim_index sim_block_index(void) __attribute__((__const__, __nothrow__));
struct sim_index sim_block_dim(void) __attribute__((__const__, __nothrow__));
struct sim_index sim_grid_dim(void) __attribute__((__const__, __nothrow__));
/* The same number by number: the compiler calls once for all mentions of threadIdx.x, and knows that a load
 * of text[threadIdx.x] is the load that came before. Of structures it knows neither. */
#define SIM_COMPONENTS(NAME)                                                                       \
    unsigned int NAME##_x(void) __attribute__((__const__, __nothrow__));                           \
    unsigned int NAME##_y(void) __attribute__((__const__, __nothrow__));                           \
    unsigned int NAME##_z(void) __attribute__((__const__, __nothrow__));
SIM_COMPONENTS(sim_thread_index)
SIM_COMPONENTS(sim_block_index)
SIM_COMPONENTS(sim_block_dim)
SIM_COMPONENTS(sim_grid_dim)
#undef SIM_COMPONENTS

/* Of what threads call together: clang makes no copy of a path with such a call, so that a barrier of the
 * source is one place of the code (kernel_flags.sh sees to that where gcc compiles). */
#ifdef __clang__
#define SIM_TOGETHER __attribute__((__convergent__))
#else
#define SIM_TOGETHER
#endif

/* Barriers of a block, and of the whole grid of a cooperative launch. */
SIM_TOGETHER void sim_syncthreads(void);
SIM_TOGETHER int sim_syncthreads_count(int __predicate);
SIM_TOGETHER int sim_syncthreads_and(int __predicate);
SIM_TOGETHER int sim_syncthreads_or(int __predicate);
SIM_TOGETHER void sim_grid_sync(void);
/* Whether the launch is cooperative. */
int sim_grid_is_valid(void) __attribute__((__const__, __nothrow__));

/* The bits of a value that travel between lanes; narrower types are widened by
 * the caller and cut back from the result. */
enum sim_warp_intrinsic {
    SIM_SYNCWARP,   /* result 0 */
    SIM_BALLOT,     /* value: predicate; result: mask */
    SIM_ANY,        /* value: predicate; result: 0 or 1 */
    SIM_ALL,        /* value: predicate; result: 0 or 1 */
    SIM_MATCH_ANY,  /* result: mask of the lanes with an equal value */
    SIM_MATCH_ALL,  /* result: the mask when all values are equal, else 0 */
    SIM_SHUFFLE,    /* argument: source lane; all shuffles: width in bits 8-15 */
    SIM_SHUFFLE_UP, /* argument: delta */
    SIM_SHUFFLE_DOWN,
    SIM_SHUFFLE_XOR,
    SIM_REDUCE_ADD, /* 32 bits; the same for signed and unsigned */
    SIM_REDUCE_MIN_U32,
    SIM_REDUCE_MAX_U32,
    SIM_REDUCE_MIN_S32,
    SIM_REDUCE_MAX_S32,
    SIM_REDUCE_AND,
    SIM_REDUCE_OR,
    SIM_REDUCE_XOR
};

/* Waits until every lane that `mask` names waits at the same intrinsic, then
 * returns this lane's share of the result. */
uint64_t sim_warp_intrinsic(enum sim_warp_intrinsic __operation, uint32_t __mask, uint64_t __value,
                            unsigned int __argument);
/* The lanes that are here together. */
uint32_t sim_activemask(void);

enum sim_atomic_op {
    SIM_ATOMIC_ADD,
    SIM_ATOMIC_EXCH,
    SIM_ATOMIC_MIN,
    SIM_ATOMIC_MAX,
    SIM_ATOMIC_INC, /* CUDA's wrapping increment and decrement */
    SIM_ATOMIC_DEC,
    SIM_ATOMIC_AND,
    SIM_ATOMIC_OR,
    SIM_ATOMIC_XOR,
    SIM_ATOMIC_CAS
};
enum sim_type {
    SIM_U16,
    SIM_S32,
    SIM_U32,
    SIM_S64,
    SIM_U64,
    SIM_F32,
    SIM_F64,
    SIM_F16,
    SIM_F16X2, /* two of them */
    SIM_F32X2,
    SIM_F32X4,
    SIM_B128 /* 16 bytes that are only compared and exchanged */
};
enum sim_atomic_flags {
    SIM_SCOPE_DEVICE = 0,
    SIM_SCOPE_BLOCK = 1,
    SIM_SCOPE_SYSTEM = 2,
    SIM_CONSTANT_ONE = 4,     /* the operand is the literal 1: __builtin_constant_p */
    SIM_CONSTANT_COMPARE = 8, /* compare-and-swap with a constant: no loop around what was read */
    SIM_GLOBAL_ONLY = 16,     /* there is no such atomic on shared memory */
    SIM_IS_STORE = 32         /* an exchange that stands for a store of cuda::atomic */
};

/* Performs an atomic on `*address`. Operand and compare hold the bits of the
 * type, zero-extended. Two calls, so that the simulator can tell RED from ATOM:
 * the compiler drops the second when the kernel does not use the result. */
void sim_atomic(enum sim_atomic_op __op, enum sim_type __type, void *__address, uint64_t __operand,
                uint64_t __compare, unsigned int __flags);
uint64_t sim_atomic_result(void) __attribute__((__pure__, __nothrow__));
/* The same of 16 bytes, whose upper half goes by itself. */
void sim_atomic_wide(enum sim_atomic_op __op, enum sim_type __type, void *__address,
                     uint64_t __operand, uint64_t __operand_high, uint64_t __compare,
                     uint64_t __compare_high, unsigned int __flags);
uint64_t sim_atomic_result_high(void) __attribute__((__pure__, __nothrow__));
/* Stops the launch, with a report in the kernel's line, where the card is of a lower compute capability
 * (10 * major + minor) than what the kernel is about to do needs. */
void sim_needs(const char *__what, int __capability);

/* Called just before an atomic whose address is the same in every lane of a
 * warp, as nvcc would prove: the simulator then counts one lane's access. */
void sim_note_uniform(void);

/* Called just before a load or an atomic of relaxed order: it acquires nothing by itself. */
void sim_relaxed(void);

/* Which memory an address of a kernel lies in; shared memory of the block by the distance from its
 * beginning. */
enum sim_address_space { SIM_ADDRESS_GLOBAL, SIM_ADDRESS_SHARED, SIM_ADDRESS_LOCAL };
enum sim_address_space sim_space_of(const void *__address);
size_t sim_shared_offset(const void *__address);
void *sim_shared_at(size_t __offset);

enum sim_fence { SIM_FENCE_BLOCK, SIM_FENCE_DEVICE, SIM_FENCE_SYSTEM };
void sim_fence(enum sim_fence __scope);

/* cuda::barrier: 8 bytes, of which `pending` is the number of arrivals that are missing in this
 * phase, `expected` that of the next; both are the same at first. `scope` is an enum
 * sim_atomic_flags. Arriving gives the number of the phase, and `drops` expects fewer from now
 * on; waiting returns 1 when that phase is over. */
enum sim_wait {
    SIM_WAIT_ASKS = 1,  /* returns 0 when it is not over */
    SIM_WAIT_PARITY = 2 /* of the phase only the lowest bit counts */
};
uint64_t sim_barrier_arrive(void *__barrier, unsigned int __count, int __drops,
                            unsigned int __scope);
int sim_barrier_wait(void *__barrier, uint64_t __phase, unsigned int __how, unsigned int __scope);

/* An asynchronous copy into shared memory that was made, whose thread has to commit it, and to wait for all groups
 * that were committed but the last `prior`. */
void sim_async_copy(const void *__to, size_t __bytes);
void sim_async_commit(void);
void sim_async_wait(size_t __prior);

/* The five words of XORWOW after `count` times 2^bits steps; they are the caller's own. */
void sim_xorwow_skip(unsigned int *__words, unsigned long long __count, unsigned int __bits);

/* The lane lets others go first: __nanosleep. */
void sim_yield(void);
long long sim_clock(void);
void sim_trap(void) __attribute__((__noreturn__));

/* A variable in shared memory: the address in this block's shared memory.
 * key       one address for each declaration, and for each template instance
 * name      for messages; element is the size of an array's innermost element in bytes
 * extents   for messages: of `int a[32][33]` 32, 33 and a 0 at the end; of no array the 0
 * The memory is not initialized. */
void *sim_shared_variable(const void *__key, const char *__name, size_t __size, size_t __element,
                          const size_t *__extents, size_t __alignment);
void *sim_dynamic_shared(const char *__name, size_t __element, const size_t *__extents);

/* A pointer that is a member of a structure. */
struct sim_member {
    size_t SIM_FIELD(offset);    /* where it lies in the structure */
    size_t SIM_FIELD(element);   /* bytes of the innermost element that it points to */
    size_t SIM_FIELD(alignment); /* of these elements */
};

/* The type of a variable of the device. */
struct sim_variable {
    const void *SIM_FIELD(place);
    size_t SIM_FIELD(bytes);
    size_t SIM_FIELD(element);   /* bytes of its innermost elements */
    size_t SIM_FIELD(alignment); /* of these elements */
};

/* The parameters of a kernel, by which reports name what they point to. All of it lives as
 * long as the program. */
struct sim_parameters {
    const char *SIM_FIELD(names);      /* "text, length, bins"; the last may be a pack: "rest..." */
    size_t SIM_FIELD(count);           /* a pack's are counted one by one */
    const size_t *SIM_FIELD(offsets);  /* where each lies in the closure */
    const size_t *SIM_FIELD(elements); /* bytes of the innermost element that a pointer points
                                          to, 1 of void; 0 of what is no pointer */
    const size_t *const *SIM_FIELD(rows); /* of a pointer to arrays, `int (*)[33]`, 33 and a 0 */
    const size_t *SIM_FIELD(alignments);  /* of these elements; 0 where that is not known */
    const struct sim_member *const *SIM_FIELD(members); /* of a structure, and one without bytes */
};

/* A kernel launch. `entry(closure)` runs once in each lane; the closure is
 * copied before the call returns. */
struct sim_launch {
    void (*SIM_FIELD(entry))(const void *__closure);
    const void *SIM_FIELD(closure);
    size_t SIM_FIELD(closure_bytes);
    const void *SIM_FIELD(kernel); /* the address of the __global__ function, or NULL */
    const char *SIM_FIELD(name);   /* its name, without template arguments */
    const void *SIM_FIELD(caller); /* the program counter of the launch, for messages */
    struct sim_index SIM_FIELD(grid), SIM_FIELD(block);
    size_t SIM_FIELD(shared_bytes);
    void *SIM_FIELD(stream); /* cudaStream_t */
    int SIM_FIELD(cooperative);
    struct sim_parameters SIM_FIELD(parameters);
};
/* Checks the limits, runs the kernel to its end, and returns a cudaError_t;
 * an error is also remembered for cudaGetLastError. */
int sim_launch(const struct sim_launch *__launch);

/* A kernel. `call` runs it in a lane: it takes the arguments from a closure, whose first SIM_CLOSURE
 * bytes are the library's. */
enum { SIM_CLOSURE = 16 };
struct sim_kernel {
    const void *SIM_FIELD(kernel); /* the address of the __global__ function */
    const char *SIM_FIELD(name);   /* without template arguments */
    unsigned int
        SIM_FIELD(most_threads); /* of a block, as __launch_bounds__ says; 0: it says nothing */
    void (*SIM_FIELD(call))(const void *__closure);
    const size_t *SIM_FIELD(bytes);              /* of each argument */
    struct sim_parameters SIM_FIELD(parameters); /* one more offset is the closure's size */
    struct sim_kernel *SIM_FIELD(next);          /* filled in by sim_register_kernel */
};
/* Makes it one that can be started by its address: called before main for every kernel that is no template,
 * and each template's that is used. Returns 0. */
int sim_register_kernel(struct sim_kernel *__kernel);
/* Arithmetic that is rounded down, up or toward 0: include/sim_rounded.h. What an operation has no use for is 0. */
enum sim_rounded_to { SIM_ROUND_DOWN, SIM_ROUND_UP, SIM_ROUND_TO_ZERO };
enum sim_rounded { SIM_SUM, SIM_DIFFERENCE, SIM_PRODUCT, SIM_QUOTIENT, SIM_FUSED, SIM_ROOT };
float sim_rounded_float(enum sim_rounded __operation, enum sim_rounded_to __rounding, float __a,
                        float __b, float __c) __attribute__((__const__, __nothrow__));
double sim_rounded_double(enum sim_rounded __operation, enum sim_rounded_to __rounding, double __a,
                          double __b, double __c) __attribute__((__const__, __nothrow__));
float sim_float_of_double(enum sim_rounded_to __rounding, double __value)
    __attribute__((__const__, __nothrow__));
float sim_float_of_signed(enum sim_rounded_to __rounding, long long __value)
    __attribute__((__const__, __nothrow__));
float sim_float_of_unsigned(enum sim_rounded_to __rounding, unsigned long long __value)
    __attribute__((__const__, __nothrow__));
double sim_double_of_signed(enum sim_rounded_to __rounding, long long __value)
    __attribute__((__const__, __nothrow__));
double sim_double_of_unsigned(enum sim_rounded_to __rounding, unsigned long long __value)
    __attribute__((__const__, __nothrow__));

/* The lane has jumped into a loop, by the label of this number of a switch; and the switch has ended. */
void sim_enters_loop(unsigned int __label);
void sim_leaves_loop(void);

/* A static variable of a function of the device: one that all threads share. Called each time that a thread comes to
 * its declaration. */
void sim_share_static(const void *__variable, size_t __bytes);

/* A lane's own copy of a closure, which its kernel may change. */
void sim_take_closure(void *__copy, const void *__closure, size_t __bytes);

/* The text of a source file, as it was compiled: what reports quote and ask for. Called before main. */
void sim_keep_source(const char *__file, const char *__text, size_t __bytes);

/* What stands between <<< and >>>. */
struct sim_configured {
    struct sim_index SIM_FIELD(grid), SIM_FIELD(block);
    size_t SIM_FIELD(shared_bytes);
    void *SIM_FIELD(stream); /* cudaStream_t */
    int SIM_FIELD(taken);    /* by a kernel that was called since */
};
/* name<<<...>>>(...), called from `caller`; without a configuration that is not yet taken it ends the program.
 * `values` are the addresses of the arguments. An error is remembered for cudaGetLastError. */
void sim_launch_configured(const struct sim_kernel *__kernel, const void *const *__values,
                           struct sim_configured *__configured, const void *__caller);

#ifdef __cplusplus
}
#endif

#endif
