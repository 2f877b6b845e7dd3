/* internal.h - the simulated GPU from the inside: lanes, warps, blocks, a launch.
 *
 * One idea: a lane runs until its next memory access, and the warp then makes
 * that access together. Lanes are fibers. A lane that reaches an access (or a
 * barrier, or a warp intrinsic) writes down where it stands in its warp's arrays
 * and lets the next lane run; when none is left to run, the scheduler looks at
 * the arrays, takes the lanes that stand at the same instruction, and lets those
 * go on. So no lane ever runs while the scheduler decides, and no lock is needed. */
#ifndef SIM_INTERNAL_H
#define SIM_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "device_abi.h"
#include "launch.h"
#include "sim.h"

enum { WARP = 32, STACK_BYTES = 256 * 1024 };

/* Why a lane stopped. Kept in the low byte of its `info`. */
enum stop {
    STOP_LOAD = SIM_LOAD,
    STOP_STORE = SIM_STORE,
    STOP_ATOMIC = SIM_ATOM,
    STOP_RESUME, /* ready to go on without an access: a start, or after a wait */
    STOP_COLLECTIVE,
    STOP_BARRIER,
    STOP_GRID_BARRIER,
    STOP_DONE
};

/* info: the stop, the bytes of an access in bits 8 to 15, flags from bit 16 on. */
enum {
    INFO_BYTES_SHIFT = 8,
    INFO_FLAGS_SHIFT = 16,
    INFO_UNIFORM = 1 << 24,    /* sim_note_uniform came just before */
    INFO_FLOATING = 1 << 25,   /* an atomic on float or double */
    INFO_AGGREGATES = 1 << 26, /* an operation that nvcc aggregates in a warp */
    INFO_VOLATILE = 1 << 27,
    INFO_EXCHANGE = 1 << 28, /* an atomic that does not depend on the old value */
    INFO_COPY = 1 << 29,     /* a part of something larger: may be padding, and of another size
                             in another lane */
    INFO_COMPARES = 1 << 30  /* compare-and-swap */
};

static inline enum stop info_stop(uint32_t info)
{
    return (enum stop)(info & 0xff);
}
static inline unsigned int info_bytes(uint32_t info)
{
    return info >> INFO_BYTES_SHIFT & 0xff;
}

/* A loop of the program, learned from the jumps that lanes make: the blocks of
 * code from `header` to `latch`. */
struct loop {
    uintptr_t header, latch;
};

enum { NESTED_LOOPS = 6 };

/* How often a lane has gone round the loops that it is in, outermost first. */
struct loop_count {
    struct loop *loop;
    uintptr_t frame;
    uint64_t rounds;
};

struct lane {
    /* What every access needs, in one line of the cache. */
    void *stack_pointer; /* while another fiber runs */
    struct warp *warp;
    uintptr_t stack_low; /* its stack: STACK_BYTES from here on */
    uintptr_t stack_top; /* where lane_main's frame began */
    uintptr_t code_at;   /* the basic block that it entered last, and its frame */
    uintptr_t code_frame;
    unsigned int number; /* 0 to 31, in its warp */
    unsigned int spin;   /* unproductive accesses in a row */
    uint32_t flags;      /* INFO_UNIFORM, for the next atomic */
    unsigned int loops;  /* entries in `loop` */

    struct loop_count loop[NESTED_LOOPS];
    struct site *site;             /* of the atomic it stands at or has just made */
    uintptr_t recent[2];           /* addresses of its last loads, to notice spinning */
    uint32_t mask;                 /* of the collective it stands at */
    struct lane_sync *sync;        /* clocks.c: NULL until it fences or acquires */
    struct suspect_store *suspect; /* racecheck.c: a store that races, if it changes a value */
    struct step *step;             /* explain.c: its store, whose value is not known yet */
    uintptr_t atomic_address;      /* of the last atomic, for those who use its result */
    bool atomic_block_scope;
    bool relaxed, atomic_relaxed; /* its next load or atomic, its last atomic is relaxed */
    struct sim_index thread;
} __attribute__((aligned(64)));

struct warp {
    /* Where each lane stands. The key orders instructions: a deeper call first,
     * then the lower address, so that lanes that ran ahead wait for the others. */
    uint64_t key[WARP];
    uint64_t rounds[WARP]; /* of the loops it is in: equal when lanes went equally far */
    uintptr_t address[WARP];
    uint32_t info[WARP];
    uint64_t value[WARP]; /* operand of a collective or predicate; then its result */

    uint32_t lanes;      /* that exist */
    uint32_t live;       /* that have not returned */
    uint32_t runnable;   /* that stand at an access or are ready to resume */
    uint32_t collective; /* that wait at a warp intrinsic */
    uint32_t barrier;    /* that wait at a barrier of the block or the grid */
    uint32_t group;      /* that were let go together in this step */
    uint32_t pending;    /* of these, those that still have to run */
    uint32_t pending_after;
    unsigned int quiet;  /* steps since a lane last changed memory */
    unsigned int streak; /* steps in which some runnable lanes were left waiting */
    unsigned int number; /* in the block */
    struct block *block;

    /* clocks.c */
    uint32_t id;        /* in the launch */
    uint32_t full_time; /* of the last collective of all its lanes */
    uint32_t fence_time;
    uint64_t fence_step;
    uint32_t time[WARP];     /* of each lane */
    uint32_t (*known)[WARP]; /* known[u][t]: what u knows of t, after collectives of some lanes */
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
    bool listed;               /* in launch->ready */
    unsigned char *shared;
    uint64_t shared_seen; /* bit i: this block has met launch->shared[i] */
    struct warp *warps;
    unsigned int warp_count;

    /* clocks.c */
    uint32_t first_warp; /* in the launch */
    uint32_t start_time, barrier_time;
    struct block_sync *sync;
};

/* One instruction that accesses global memory atomically: RED or ATOM is known
 * only when the launch is over. */
struct site {
    uintptr_t pc;
    bool returns; /* some lane used the result */
    enum sim_space space;
    uint64_t merged; /* wavefronts in shared memory, if the result is never used */
    struct sim_traffic traffic;
};

enum { SITES = 1024, SHARED_VARIABLES = 64 };

/* A __shared__ variable of the running kernel, at `offset` in every block's
 * shared memory; the dynamic one has the key NULL. */

struct shared_variable {
    const void *key;
    const char *name;
    size_t offset, size, element;
};

struct launch {
    const struct sim_launch *request;
    void *closure;
    unsigned int threads; /* a block */
    unsigned int warps;   /* a block */
    uint64_t blocks;      /* in the grid */
    uint64_t next_block;  /* the first that has not started */
    uint64_t finished;    /* blocks */
    struct block **ready; /* blocks with runnable warps */
    size_t ready_count;
    struct block **resident;
    size_t resident_count, resident_target, resident_limit;
    uint64_t random;       /* state of the generator */
    uint64_t accesses;     /* of lanes, for the budget */
    uint64_t steps;        /* of warps: the watchdog sees whether it moves */
    uint64_t idle;         /* steps since any lane did something productive */
    uint64_t widened_at;   /* `idle` when a block was last added for that */
    uint64_t grid_waiting; /* lanes at a grid barrier */
    uint64_t live;         /* lanes of started blocks that have not returned */
    uint64_t first_block;  /* the first that runs */
    uint32_t grid_time;    /* clocks.c: all lanes know what was before */
    int error;             /* a cudaError_t once the launch is stopped, else 0 */
    struct sim_counters counters;
    struct site sites[SITES];
    struct shared_variable shared[SHARED_VARIABLES];
    size_t shared_count;
    size_t static_shared; /* bytes */
};

/* The lane that runs now; NULL on the host and in the scheduler. */
extern _Thread_local struct lane *sim_lane __attribute__((tls_model("initial-exec")));

/* fiber.c */
/* Saves this fiber's registers and stack pointer in *from, goes on with `to`. */
void sim_fiber_switch(void **from, void *to);
/* The stack pointer of a fiber that will call `start` on the stack below `top`. */
void *sim_fiber_prepare(uintptr_t top, void (*start)(void));

/* stacks.c: memory for resident blocks, kept from launch to launch */
enum { SHARED_DYNAMIC = 80 * 1024, SHARED_SLOT = SHARED_DYNAMIC + 256 * 1024 };
/* Sets `block` up in slot `slot`: warps, stacks and shared memory. Returns false
 * when the machine has no memory left. */
bool sim_slot_prepare(struct block *block, unsigned int slot, unsigned int threads);
/* Whether an address lies in the stack of some lane, in some block's shared memory. */
bool sim_is_lane_stack(uintptr_t address);
bool sim_is_shared(uintptr_t address);

/* shared.c */
/* The variable of the running launch that holds `offset`, or NULL. */
const struct shared_variable *sim_find_shared(const struct launch *launch, size_t offset);

/* scheduler.c */
/* Runs the launch to its end. On failure launch->error is set. */
void sim_schedule(struct launch *launch);
uint32_t sim_random(struct launch *launch);
/* Lanes of `warp` became runnable. */
void sim_warp_ready(struct warp *warp);
/* Stops the launch with a cudaError_t; from a lane it does not return. */
void sim_stop_launch(struct launch *launch, int error);
extern struct launch *sim_running; /* NULL while no kernel runs */

/* warp.c */
/* One step of a warp. Returns false when no lane of it can go on now. */
bool sim_warp_step(struct warp *warp);
/* The running lane waits; the next one goes on. */
void sim_lane_wait(struct lane *lane);
/* Writes down where the running lane stands. */
void sim_lane_stands(struct lane *lane, uint32_t info, uintptr_t address, uintptr_t pc,
                     uintptr_t frame);
void sim_make_runnable(struct warp *warp, uint32_t lanes);
static inline uintptr_t sim_lane_pc(const struct warp *warp, unsigned int lane)
{
    return (uintptr_t)(warp->key[lane] & 0xffffffffffffu);
}

/* loops.c */
/* Which of two lanes is behind the other in the order of the program: below 0 when
 * the first is, 0 when both stand at the same place. */
int sim_program_order(const struct warp *warp, unsigned int lane, unsigned int other);
/* Forgets the rounds of loops that these lanes have left. */
void sim_leave_loops(struct warp *warp, uint32_t lanes);

/* barrier.c, collective.c */
void sim_barrier_lane_left(struct block *block);
bool sim_grid_barrier_check(struct launch *launch);
/* Completes the collectives of a warp whose lanes have all arrived. */
bool sim_complete_collectives(struct warp *warp);
/* Reports a lane that waits at a warp intrinsic for one that waits elsewhere; false
 * when there is none. */
bool sim_report_divergent_warp(const struct launch *launch);

/* access.c */
/* Counts, checks and announces the access of the lanes in `mask`, which stand at
 * one instruction. */
void sim_access_step(struct warp *warp, uint32_t mask, uint32_t info);
/* Forgets what it remembers of allocations: at the start of a launch. */
void sim_access_start(void);

/* coalesce.c: the rules of the hardware's counters */
unsigned int sim_sectors(const uintptr_t *address, uint32_t mask, unsigned int bytes);
unsigned int sim_atomic_sectors(const uintptr_t *address, uint32_t mask);
unsigned int sim_wavefronts(const uintptr_t *address, uint32_t mask, unsigned int bytes);
/* Passes that the access needs when no lanes meet in a bank. */
unsigned int sim_least_wavefronts(uint32_t mask, unsigned int bytes);
unsigned int sim_atomic_wavefronts(const uintptr_t *address, uint32_t mask);

/* counters.c */
struct site *sim_site(struct launch *launch, uintptr_t pc);
/* Count one access of a warp; return the sectors or wavefronts that it cost. */
unsigned int sim_count_global(struct launch *launch, struct warp *warp, uint32_t mask,
                              uint32_t info);
unsigned int sim_count_shared(struct launch *launch, struct warp *warp, uint32_t mask,
                              uint32_t info);
/* Adds the launch's counters, sites included, to the totals. */
void sim_close_counters(struct launch *launch);

/* profile.c */
void sim_profile_launch(const struct launch *launch);

/* options.c: the environment, read once */
struct sim_options {
    uint64_t seed, budget;
    const char *profile;   /* file name or NULL */
    unsigned int patience; /* seconds a lane may compute without an access */
    unsigned int checks;   /* enum sim_check */
    unsigned int multiprocessors;
};
struct sim_options *sim_options(void);

/* location.c */
/* The source of a program counter: the innermost frame outside the simulator's
 * own headers. `is_return` when pc follows a call. */
struct sim_source {
    const char *file, *function; /* "?" when unknown */
    int line;
};
struct sim_source sim_find_source(uintptr_t pc, bool is_return);

/* The variable of the program that holds `address`; false when it is not known. */
bool sim_find_symbol(uintptr_t address, uintptr_t *base, size_t *bytes);
/* Its name, or "a __device__ variable". */
char *sim_symbol_name(uintptr_t address, char *name, size_t size);

/* report.c */
/* Prints one error in compute-sanitizer's layout; a repeat (same headline, same
 * pc) is only counted. lane may be NULL for errors of the host. Returns true
 * when it was printed. */
bool sim_report(const struct lane *lane, uintptr_t pc, const char *headline, const char *detail,
                const char *advice);
/* Counts an error that is told elsewhere, which makes the program exit 86, or the
 * repeat of one that was told before. */
void sim_count_error(bool is_told);
/* Prints "    at kernel in file:line". */
void sim_print_place(uintptr_t pc);
/* `_Z6kernelPKhj` is `kernel`, `_ZL4bins` is `bins`; other encodings stay as they are. */
void sim_plain_name(const char *symbol, char *text, size_t size);
/* The lane that runs. Host code that calls `what`, which only kernels can, ends the
 * program with a report. */
struct lane *sim_lane_for(const char *what, uintptr_t pc);
/* "thread (3,0,0) in block (1,0,0)" */
char *sim_describe_lane(const struct lane *lane, char *text, size_t size);
/* "__syncthreads", "a load": why a lane with this info stands still. */
const char *sim_waits_at(uint32_t info);
/* Where lanes stand, and how many, for hangs. */
void sim_report_standing(const struct launch *launch);

/* fault.c */
void sim_watch_start(void);
void sim_watch_stop(void);
/* Host code touched device memory, or a lane an address that is nobody's. */
void sim_host_fault(uintptr_t address, uintptr_t pc, bool is_return, bool writes);

/* memory.c */
extern uintptr_t sim_arena_base;
extern size_t sim_arena_bytes;

#endif
