/* device_abi.h - what compiled kernels call: the seam between the headers in
 * include/ and the simulator's library. Users never include it themselves. */
#ifndef SIM_DEVICE_ABI_H
#define SIM_DEVICE_ABI_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct sim_index {
    unsigned int x, y, z;
};

/* Where a lane is. Constant for the life of a lane, hence `const`: the compiler
 * may keep them in registers and must not take them for memory. */
struct sim_index sim_thread_index(void) __attribute__((const));
struct sim_index sim_block_index(void) __attribute__((const));
struct sim_index sim_block_dim(void) __attribute__((const));
struct sim_index sim_grid_dim(void) __attribute__((const));

/* Barriers of a block, and of the whole grid of a cooperative launch. */
void sim_syncthreads(void);
int sim_syncthreads_count(int predicate);
int sim_syncthreads_and(int predicate);
int sim_syncthreads_or(int predicate);
void sim_grid_sync(void);

/* The bits of a value that travel between lanes; narrower types are widened by
 * the caller and cut back from the result. */
enum sim_collective {
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

/* Waits until every lane that `mask` names waits at the same collective, then
 * returns this lane's share of the result. */
uint64_t sim_warp_collective(enum sim_collective operation, uint32_t mask, uint64_t value,
                             unsigned int argument);
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
enum sim_type { SIM_U16, SIM_S32, SIM_U32, SIM_S64, SIM_U64, SIM_F32, SIM_F64 };
enum sim_atomic_flags {
    SIM_SCOPE_DEVICE = 0,
    SIM_SCOPE_BLOCK = 1,
    SIM_SCOPE_SYSTEM = 2,
    SIM_CONSTANT_ONE = 4,    /* the operand is the literal 1: __builtin_constant_p */
    SIM_CONSTANT_COMPARE = 8 /* compare-and-swap with a constant: no loop around what was read */
};

/* Performs an atomic on `*address`. Operand and compare hold the bits of the
 * type, zero-extended. Two calls, so that the simulator can tell RED from ATOM:
 * the compiler drops the second when the kernel does not use the result. */
void sim_atomic(enum sim_atomic_op op, enum sim_type type, void *address, uint64_t operand,
                uint64_t compare, unsigned int flags);
uint64_t sim_atomic_result(void) __attribute__((pure));

/* Called just before an atomic whose address is the same in every lane of a
 * warp, as nvcc would prove: the simulator then counts one lane's access. */
void sim_note_uniform(void);

/* Called just before a load or an atomic of relaxed order: it acquires nothing by itself. */
void sim_relaxed(void);

enum sim_fence { SIM_FENCE_BLOCK, SIM_FENCE_DEVICE, SIM_FENCE_SYSTEM };
void sim_fence(enum sim_fence scope);

/* The lane lets others go first: __nanosleep. */
void sim_yield(void);
long long sim_clock(void);
void sim_trap(void) __attribute__((noreturn));

/* A variable in shared memory: the address in this block's shared memory.
 * key       one address for each declaration, and for each template instance
 * name      for messages; element is the size of an array's innermost element in bytes
 * extents   for messages: of `int a[32][33]` 32, 33 and a 0 at the end; of no array the 0
 * The memory is not initialized. */
void *sim_shared_variable(const void *key, const char *name, size_t size, size_t element,
                          const size_t *extents, size_t alignment);
void *sim_dynamic_shared(const char *name, size_t element, const size_t *extents);

/* The parameters of a kernel, by which reports name what they point to. All of it lives as
 * long as the program. */
struct sim_parameters {
    const char *names;         /* "text, length, bins"; the last may be a pack: "rest..." */
    size_t count;              /* a pack's are counted one by one */
    const size_t *offsets;     /* where each lies in the closure */
    const size_t *elements;    /* bytes of the innermost element that a pointer points to, 1 of
                                 void; 0 of what is no pointer */
    const size_t *const *rows; /* of a pointer to arrays, `int (*)[33]`, 33 and a 0 at the end */
};

/* A kernel launch. `entry(closure)` runs once in each lane; the closure is
 * copied before the call returns. */
struct sim_launch {
    void (*entry)(const void *closure);
    const void *closure;
    size_t closure_bytes;
    const void *kernel; /* the address of the __global__ function, or NULL */
    const char *name;   /* its name, without template arguments */
    const void *caller; /* the program counter of the launch, for messages */
    struct sim_index grid, block;
    size_t shared_bytes;
    void *stream; /* cudaStream_t */
    int cooperative;
    struct sim_parameters parameters;
};
/* Checks the limits, runs the kernel to its end, and returns a cudaError_t;
 * an error is also remembered for cudaGetLastError. */
int sim_launch(const struct sim_launch *launch);

/* Kernels that cudaLaunchKernel can start by address: called before main for
 * every __global__ function that is no template. `call` unpacks the arguments
 * and `arguments` are as in cudaLaunchKernel. */
struct sim_kernel {
    const void *kernel;
    const char *name;
    void (*call)(const void *kernel, void **arguments);
    size_t parameters;             /* how many */
    const size_t *parameter_bytes; /* sizes, in order */
    struct sim_parameters named;   /* the same, in a closure where each argument lies at a
                                      multiple of 16, the first at 16 */
    struct sim_kernel *next;       /* filled in by sim_register_kernel */
};
void sim_register_kernel(struct sim_kernel *kernel);

#ifdef __cplusplus
}
#endif

#endif
