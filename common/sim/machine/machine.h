/* machine.h - the simulated GPU as data: lanes, warps, blocks, a launch; and the fibers
 * that make lanes run.
 *
 * One idea: a lane runs until its next memory access, and the warp then makes
 * that access together. Lanes are fibers. A lane that reaches an access (or a
 * barrier, or a warp intrinsic) writes down where it is in its warp's arrays
 * and lets the next lane run; when none is left to run, the engine looks at
 * the arrays, takes the lanes that are at the same instruction, and lets those
 * go on. So no lane ever runs while the engine decides, and no lock is needed. */
#ifndef SIM_MACHINE_H
#define SIM_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/base.h"
#include "device_abi.h"
#include "include/cuda_runtime_api.h"
#include "machine/entry.h"
#include "sim.h"

/* Why a lane waits. */
enum stop_reason {
    STOP_LOAD = SIM_LOAD,
    STOP_STORE = SIM_STORE,
    STOP_ATOMIC = SIM_ATOM,
    STOP_RESUME, /* ready to go on without an access: a start, or after a wait */
    STOP_INTRINSIC,
    STOP_BARRIER,
    STOP_GRID_BARRIER,
    STOP_PHASE /* the end of a phase of a cuda::barrier, whose address it is */
};

/* More of an access, above the bits of enum sim_atomic_flags. */
enum stop_flags {
    ACCESS_UNIFORM = 1 << 8,     /* sim_note_uniform came just before */
    ACCESS_LOOPS = 1 << 9,       /* in shared memory a loop around compare-and-swap */
    ACCESS_AGGREGATES = 1 << 10, /* an operation that nvcc aggregates in a warp */
    ACCESS_VOLATILE = 1 << 11,
    ACCESS_EXCHANGE = 1 << 12, /* an atomic that does not depend on the old value */
    ACCESS_COPY = 1 << 13,     /* a part of something larger: may be padding, and of another
                                  size in another lane */
    ACCESS_COMPARES = 1 << 14, /* compare-and-swap */
    ACCESS_UNCOUNTED = 1 << 15 /* of a cuda::barrier: no memory instruction */
};

/* At what a lane waits. It has no padding: see same_stop. */
struct stop {
    uint8_t reason; /* enum stop_reason */
    union {
        uint8_t bytes;     /* of an access: 1 to 16 */
        uint8_t operation; /* of an intrinsic; what a barrier does with predicates */
    };
    uint16_t flags; /* of an access: enum sim_atomic_flags, enum stop_flags */
};

static inline bool is_access(struct stop stop)
{
    return stop.reason <= STOP_ATOMIC;
}
/* One comparison of four bytes; three of the members would be three. */
static inline bool same_stop(struct stop one, struct stop other)
{
    return memcmp(&one, &other, sizeof one) == 0;
}

/* What an atomic does. */
struct lane_atomic {
    uint8_t operation; /* enum sim_atomic_op */
    uint8_t type;      /* enum sim_type */
};

static inline uint8_t sim_atomic_bytes(struct lane_atomic atomic)
{
    static const uint8_t bytes[] = {
        [SIM_U16] = 2,   [SIM_S32] = 4,   [SIM_U32] = 4,    [SIM_S64] = 8,
        [SIM_U64] = 8,   [SIM_F32] = 4,   [SIM_F64] = 8,    [SIM_F16] = 2,
        [SIM_F16X2] = 4, [SIM_F32X2] = 8, [SIM_F32X4] = 16, [SIM_B128] = 16,
    };
    return bytes[atomic.type];
}

/* Where in a kernel's code a lane is: the address to which the simulator's function, that
 * it has called, returns; and the end of the frame that made the call (the canonical frame
 * address), which tells how deep it is in calls, whatever the function itself saves. */
struct place {
    uintptr_t pc, frame;
};
/* Only in a function that kernels call: the caller of a helper is not the kernel. */
#define HERE                                                                                       \
    ((struct place){(uintptr_t)__builtin_return_address(0), (uintptr_t)__builtin_dwarf_cfa()})

/* A CUDA thread. */
struct lane {
    /* What every access needs, in one line of the cache. */
    void *stack_pointer; /* while another fiber runs */
    struct warp *warp;
    uintptr_t stack_low; /* its stack: STACK_BYTES from here on */
    uintptr_t stack_top; /* where its first frame began */
    uintptr_t code_at;   /* the basic block that it entered last, and its frame */
    uintptr_t code_frame;
    uint8_t number;                          /* 0 to 31, in its warp */
    bool uniform;                            /* sim_note_uniform announced its next atomic */
    bool relaxed;                            /* its next load or atomic is relaxed */
    bool atomic_relaxed, atomic_block_scope; /* its last atomic was */
    uint64_t entered; /* basic blocks that it came to, and barriers, since it began */

    /* What it has from the start, or seldom, in another one. */
    struct loops_of_lane *loops; /* engine/reconvergence.c: its own, so that a round is quick */
    uintptr_t atomic_address;    /* of its last atomic, for those who use its result */
    struct sim_index thread;
    uint32_t mask; /* of the intrinsic it waits at */
} __attribute__((aligned(64)));

/* So many warps are resident at a time, at most: 132 multiprocessors have room for 64 each. Each has a number among
 * them, and whoever keeps something of a warp, or of its lanes, keeps it in an array of its own, at that number. */
enum { MOST_WARPS = SIM_MOST_MULTIPROCESSORS * 64 };

struct warp {
    /* Where each lane is. The key orders instructions: a deeper call first,
     * then the lower address, so that lanes that ran ahead wait for the others. */
    uint64_t key[WARP];
    uintptr_t address[WARP];
    struct stop stop[WARP];
    uint64_t entered[WARP]; /* what that of the lane was there */
    uint64_t value[WARP];   /* operand of an intrinsic or predicate; then its result */
    uint64_t operand[WARP]; /* of an atomic, whose `value` is first what it compares with */
    uint64_t value_high[WARP], operand_high[WARP]; /* the upper halves of one of 16 bytes */
    struct lane_atomic atomic[WARP];               /* what it does */

    uint32_t lanes;     /* that exist */
    uint32_t live;      /* that have not returned */
    uint32_t runnable;  /* that wait at an access or are ready to resume, or run */
    uint32_t intrinsic; /* that wait at a warp intrinsic */
    uint32_t barrier;   /* that wait at a barrier of the block or the grid */
    uint32_t group;     /* that were let go together in this step */
    uint32_t pending;   /* of these, those that still have to run */
    uint32_t pending_after;
    uint32_t deferred;   /* that wait at an atomic which the engine carries out for them */
    uint32_t watched;    /* whose stores observers want to hear of: sim_lane_watch */
    unsigned int number; /* in the block */
    unsigned int at;     /* among the resident warps: below MOST_WARPS */
    uint32_t id;         /* in the launch */
    struct block *block;
    struct lane lane[WARP];
};

struct block {
    struct launch *launch;
    struct sim_index index;
    unsigned int linear;       /* in the grid */
    unsigned int slot;         /* which set of stacks and shared memory it holds */
    unsigned int live;         /* lanes that have not returned */
    unsigned int waiting;      /* lanes at __syncthreads */
    unsigned int exited_early; /* lanes that returned */
    uint32_t runnable;         /* warps with something to do */
    bool listed;               /* in launch->ready, at `listed_at` */
    size_t listed_at;
    unsigned char *shared;
    uint64_t shared_seen; /* bit i: this block has met launch->shared[i] */
    struct warp *warps;
    unsigned int warp_count;
    uint32_t first_warp; /* in the launch */
};

/* A __shared__ variable of the running kernel, at `offset` in every block's
 * shared memory; the dynamic one has the key NULL. */
struct shared_variable {
    const void *key;
    const char *name;
    size_t offset, size, element;
    const size_t *extents; /* of an array, and a 0 */
};

enum { SHARED_VARIABLES = 64 };

enum { MOST_OBSERVERS = 8 };

struct launch {
    const struct sim_launch *request;
    void *closure;
    unsigned int device;  /* on which it runs */
    unsigned int threads; /* a block */
    unsigned int warps;   /* a block */
    uint64_t blocks;      /* in the grid */
    uint64_t next_block;  /* the first that has not started */
    uint64_t finished;    /* blocks */
    struct block **ready; /* blocks with runnable warps */
    size_t ready_count;
    struct block **resident;
    size_t resident_count, resident_target, resident_limit;
    struct clock *clock;   /* engine/clock.c: NULL when the schedule is drawn */
    uint64_t random;       /* state of the generator */
    uint64_t accesses;     /* of lanes, for the budget */
    uint64_t steps;        /* of warps: the watchdog sees whether it moves */
    uint64_t grid_waiting; /* lanes at a grid barrier */
    uint64_t live;         /* lanes of started blocks that have not returned */
    uint64_t first_block;  /* the first that runs */
    cudaError_t error;     /* once the launch is stopped */
    struct sim_counters counters;
    const struct observer *observers[MOST_OBSERVERS + 1]; /* behind the last one NULL */
    struct shared_variable shared[SHARED_VARIABLES];
    size_t shared_count;
    size_t static_shared; /* bytes */
};

/* Draws what the launch leaves to chance. xorshift64*: Marsaglia, Xorshift RNGs (2003); Vigna
 * (2014). */
static inline uint32_t sim_random(struct launch *launch)
{
    uint64_t x = launch->random;
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    launch->random = x;
    return (uint32_t)((x * 0x2545f4914f6cdd1du) >> 32);
}

/* atomic_outcome.c */
/* What a lane's atomic would leave in place of `old`; and of one of 16 bytes, in new[2]. */
uint64_t sim_atomic_outcome(const struct warp *warp, unsigned int lane, uint64_t old);
void sim_wide_outcome(const struct warp *warp, unsigned int lane, const uint64_t *old,
                      uint64_t *new);

/* lane.c */
/* The lane that runs now; NULL on the host and in the engine. */
extern _Thread_local struct lane *sim_lane __attribute__((tls_model("initial-exec")));
extern struct launch *sim_running; /* NULL while no kernel runs */

extern void *sim_engine_stack; /* of the fiber that called sim_run_lanes */

/* The running lane writes down at what it waits, and where. */
static inline void sim_lane_arrive(struct lane *lane, struct stop stop, uintptr_t address,
                                   struct place place)
{
    struct warp *warp = lane->warp;
    unsigned int i = lane->number;
    uint64_t depth = (lane->stack_top - place.frame) >> 4;
    warp->key[i] = ~depth << 48 | place.pc; /* an address has 48 bits */
    warp->stop[i] = stop;
    warp->entered[i] = lane->entered;
    warp->address[i] = address;
}

/* Observers want to hear of the store, or atomic, at which the lane waits: just before the lane goes on from it, and
 * when it then is about to wait or to end, for what it stored is in memory then. */
void sim_lane_watch(struct lane *lane);
/* The running lane has stored: they are told now. */
void sim_lane_has_stored(struct lane *lane);

/* The running lane waits, as has been written down: makes the next one the running lane, and
 * returns the stack pointer to go on with. From lane to lane directly, not by way of the
 * engine: half as many switches. */
void *sim_hand_over_slowly(struct lane *lane);
static inline void *sim_hand_over(struct lane *lane)
{
    struct warp *warp = lane->warp;
    uint32_t pending = warp->pending;
    if (__builtin_expect(!pending || warp->watched, false))
        return sim_hand_over_slowly(lane);
    struct lane *next = &warp->lane[__builtin_ctz(pending)];
    warp->pending = pending & (pending - 1);
    sim_lane = next;
    return next->stack_pointer;
}
/* The same, and goes on. Returns when the engine lets the lane go on. */
void sim_lane_wait(struct lane *lane);
/* Lets the lanes `first` of a warp run, then the lanes `then`, each to where it next waits
 * or ends. At least one is in `first`; all are runnable, and stay so unless they block. */
void sim_run_lanes(struct warp *warp, uint32_t first, uint32_t then);
/* The running lane is about to wait for others. */
static inline void sim_lane_blocks(struct lane *lane)
{
    lane->warp->runnable &= ~(1u << lane->number);
}
/* These lanes can go on. */
void sim_make_runnable(struct warp *warp, uint32_t lanes);
/* The block of `warp` has a warp with something to do. */
void sim_warp_ready(struct warp *warp);
/* Stops the launch with an error; from a lane it does not return. */
void sim_stop_launch(struct launch *launch, cudaError_t error);

/* The instruction at which a lane is. */
static inline uintptr_t sim_lane_pc(const struct warp *warp, unsigned int lane)
{
    return (uintptr_t)(warp->key[lane] & 0xffffffffffffu);
}

/* Where the running lane is, of which an entry saved the stack pointer. */
#ifdef SIM_ENTRIES
_Static_assert(offsetof(struct lane, stack_pointer) == 0, "entry.h knows the lane");
_Static_assert(offsetof(struct lane, stack_low) == LANE_STACK_LOW, "entry.h knows the lane");
static inline struct place sim_place_of_entry(const struct lane *lane)
{
    uintptr_t *saved = lane->stack_pointer;
    return (struct place){saved[SAVED_PC], (uintptr_t)(saved + SAVED_FRAME)};
}
#endif

/* fiber.c */
/* Saves this fiber's registers and stack pointer in *from, goes on with `to`. */
void sim_fiber_switch(void **from, void *to);
/* The stack pointer of a fiber that will call `start` on the stack below `top`. */
void *sim_fiber_prepare(uintptr_t top, void (*start)(void));

/* stacks.c: memory for resident blocks, kept from launch to launch */
enum {
    STACK_BYTES = 256 * 1024,
    SHARED_DYNAMIC = 384 * 1024, /* where dynamic shared memory begins: behind 48 KB of
                                    variables, each at a multiple of 4096 at worst */
    SHARED_SLOT = SHARED_DYNAMIC + 256 * 1024
};
/* What the reader is told when a lane needs more. */
#define SIM_STACK_DETAIL                                                                           \
    "functions have called each other so deep that the thread's stack is full: it has 256 KiB"
#define SIM_STACK_ADVICE                                                                           \
    "let the recursion end earlier, write it as a loop, or make local arrays smaller"
/* Sets `block` up in slot `slot`: warps, stacks and shared memory. Returns false
 * when the machine has no memory left. */
bool sim_slot_prepare(struct block *block, unsigned int slot, unsigned int threads);
/* To be called before lanes of the warp start or run: stacks that were put aside come back. */
void sim_need_stacks(struct warp *warp);
/* A launch begins: nothing is left of the one before. */
void sim_stacks_start(void);
/* Whether an address lies in the stack of some lane, in some block's shared memory. */
bool sim_is_lane_stack(uintptr_t address);
bool sim_is_shared(uintptr_t address);

#include "machine/observer.h"

#endif
