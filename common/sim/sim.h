/* sim.h - what a host program can ask of the simulated GPU, beyond CUDA.
 *
 * The CUDA side of the simulator is include/cuda_runtime.h. This header is for
 * the harness, the tests and the tools: counters, events, the schedule. A
 * program that is built for a real GPU does not see it; SIMULATED_GPU is
 * defined by the simulator's cuda_runtime.h and by simcc, and by nobody else. */
#ifndef SIM_H
#define SIM_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a warp instruction does to memory. A global atomic whose result the
 * kernel uses is SIM_ATOM, one whose result is dropped SIM_RED; the two are told
 * apart when the launch is over. Shared atomics are always SIM_ATOM. */
enum sim_access { SIM_LOAD, SIM_STORE, SIM_RED, SIM_ATOM, SIM_ACCESS_KINDS };

/* What an atomic does, whatever its type: what a suite tells apart. A store of cuda::atomic is an
 * exchange. */
enum sim_atomic {
    SIM_NO_ATOMIC, /* a load or a store */
    SIM_ADD,       /* atomicAdd, Sub, Inc, Dec */
    SIM_EXTREME,   /* atomicMin, Max */
    SIM_BITWISE,   /* atomicAnd, Or, Xor */
    SIM_CAS,       /* atomicCAS, whether it swaps or not */
    SIM_EXCHANGE,  /* atomicExch */
    SIM_ATOMICS
};

enum sim_space { SIM_GLOBAL, SIM_SHARED };

/* What the warps of a launch asked of one memory with one kind of access. */
struct sim_access_counters {
    uint64_t requests;   /* warp instructions with at least one active lane */
    uint64_t lanes;      /* active lanes, summed over the requests */
    uint64_t sectors;    /* 32-byte sectors moved; global memory only */
    uint64_t wavefronts; /* passes through the 32 banks; shared memory only */
    uint64_t least;      /* of these, what was needed had no lanes met in a bank */
};

/* Everything that is counted, summed over launches. */
struct sim_counters {
    uint64_t launches;
    uint64_t cooperative_launches; /* of these */
    uint64_t blocks;
    uint64_t threads;
    uint64_t barriers;      /* completed __syncthreads, one for each block */
    uint64_t grid_barriers; /* times that a whole grid waited for itself: grid.sync() */
    uint64_t votes;         /* ballots, matches, shuffles, reductions; one for each warp */
    uint64_t activemasks;   /* lanes that asked __activemask() who is with them */
    uint64_t
        picoseconds; /* that launches took by the clock, one after the other; in a drawn order 0 */
    struct sim_access_counters global[SIM_ACCESS_KINDS];
    struct sim_access_counters shared[SIM_ACCESS_KINDS];
};

/* The counters of all launches since the last reset, or since the start. */
struct sim_counters sim_counters(void);
/* Those of one device. */
struct sim_counters sim_counters_of(unsigned int device);
void sim_reset_counters(void);

/* The shape of the last launch that ran; all zero before the first. */
struct sim_launch_shape {
    char kernel[64];
    unsigned int grid[3], block[3];       /* x, y, z */
    size_t dynamic_shared, static_shared; /* bytes a block */
    int cooperative;                      /* the launch was */
    unsigned int device;                  /* on which it ran */
};
struct sim_launch_shape sim_last_launch(void);

/* The counters under their Nsight Compute names: metric i of `count`. */
struct sim_metric {
    const char *name;     /* as ncu prints it */
    const char *sentence; /* what it counts, in plain English */
};
size_t sim_metric_count(void);
struct sim_metric sim_metric(size_t i);
uint64_t sim_metric_value(const struct sim_counters *counters, size_t i);

/* One access of one warp, as it happens. */
struct sim_event {
    enum sim_space space;
    enum sim_access access; /* SIM_ATOM for every atomic: see enum sim_access */
    enum sim_atomic atomic; /* which one */
    unsigned int bytes;     /* a lane's access: 1, 2, 4, 8 or 16 */
    uint32_t active;        /* bit i is set when lane i takes part */
    uintptr_t address[32];  /* of the active lanes; device addresses, or offsets
                                into the block's shared memory */
    unsigned int block;     /* linear index in the grid */
    unsigned int warp;      /* index in the block */
    unsigned int cost;      /* sectors, or wavefronts */
    unsigned int used;      /* what the counters get when the result of an atomic is used */
    unsigned int unused;    /* and when it is not */
    unsigned int least;     /* of these wavefronts, when no lanes meet in a bank */
    unsigned int loads;     /* wavefronts that the loads of a compare-and-swap loop add */
    unsigned int least_loads;
    uintptr_t pc;        /* for sim_locate */
    const char *kernel;  /* the name of the kernel that runs */
    const char *shared;  /* the __shared__ variable of the first active lane, or NULL */
    unsigned int device; /* on which it runs */
};
typedef void sim_observer(const struct sim_event *event, void *context);

/* Calls `observer` for every warp access of the launches that follow; NULL
 * stops it. The observer must not call CUDA functions. */
void sim_observe(sim_observer *observer, void *context);

/* The array that an address of an event belongs to, as the running kernel names it: a __shared__
 * variable, a parameter, a __device__ variable. Only in an observer. Returns 0 when it has none:
 * then it is the allocation. */
struct sim_array_name {
    char name[64];
    uintptr_t base;        /* of element 0; an offset in shared memory */
    size_t bytes, element; /* of the whole array, or what follows base; of an element */
    size_t row;            /* elements in a row, where there are rows; else 0 */
};
int sim_name_array(const struct sim_event *event, unsigned int lane, struct sim_array_name *array);

/* What a step of a warp did, with its values, once its lanes have carried it out. */
enum sim_step_kind {
    SIM_STEP_LAUNCH,     /* a launch begins */
    SIM_STEP_ACCESS,     /* of one or more events that came right before, of this warp */
    SIM_STEP_REFUSED,    /* an access that is an error: the launch ends here */
    SIM_STEP_BARRIER,    /* a barrier of the block opened for the lanes `active` */
    SIM_STEP_INTRINSIC,  /* a vote, a shuffle, ...: what each lane gave and got */
    SIM_STEP_END,        /* lanes returned */
    SIM_STEP_SITE,       /* the launch is over: were results of the atomic at pc used? */
    SIM_STEP_LAUNCH_ENDS /* and is in sim_counters */
};
struct sim_step {
    enum sim_step_kind kind;
    unsigned int block, warp;
    uint32_t active; /* of a site: whether results were used */
    uintptr_t pc;
    const char *name; /* of a launch the kernel; of a barrier, or an intrinsic, what it is */
    const struct sim_event *refused; /* SIM_STEP_REFUSED: of the lane; it costs nothing */
    uint64_t before[32][2]; /* in memory: of a load what it read, and only that; what a lane gave */
    uint64_t after[32][2];  /* what a store or an atomic left there; what a lane got */
    const uintptr_t
        *place; /* where `after` lies, of each lane, in this process; who observes may put
                               something else there. Of an access, or an intrinsic */
};
typedef void sim_step_observer(const struct sim_step *step, void *context);
/* Calls `observer` for each; NULL stops it. The observer must not call CUDA functions. */
void sim_observe_steps(sim_step_observer *observer, void *context);

/* A range that host code has the runtime copy, or fill. */
struct sim_copy_seen {
    const void *to, *from; /* `from` is NULL of a fill */
    size_t bytes;
    int pageable;        /* one of them is host memory that is not pinned */
    unsigned int stream; /* a number, by which streams are told apart */
    int beside; /* a kernel of the device was launched before, and nothing orders this behind it */
};
typedef void sim_copy_observer(const struct sim_copy_seen *seen, void *context);
/* Calls `observer` for each from here on; NULL stops it. */
void sim_observe_copies(sim_copy_observer *observer, void *context);
/* Calls `observer` for each memcpy and memmove of host code in a .cu file, from here on, on the host
 * thread that makes it, before; when it returns 0, nothing is copied. NULL stops it. */
typedef int sim_host_copy_observer(void *to, const void *from, size_t bytes, void *context);
void sim_observe_host_copies(sim_host_copy_observer *observer, void *context);
/* Calls `observer` for each load of host code in a .cu file, from here on; NULL stops it. */
typedef void sim_host_load_observer(uintptr_t address, void *context);
void sim_observe_host_loads(sim_host_load_observer *observer, void *context);
/* A library reads `bytes` of memory, or writes them, for host code that called it at `called_at`: checked as
 * what that code does itself, when it is pinned or a device's memory. */
void sim_library_touches(const void *memory, size_t bytes, const void *called_at, int writes);
/* A kernel that begins. */
struct sim_launch_seen {
    const char *kernel;
    unsigned int device, stream; /* on which, and in which stream: see struct sim_copy_seen */
};
typedef void sim_launch_observer(const struct sim_launch_seen *seen, void *context);
/* Calls `observer` for each from here on; NULL stops it. */
void sim_observe_launches(sim_launch_observer *observer, void *context);
/* Whose memory, or variable, holds an address; -1: no device's. */
int sim_device_of(uintptr_t address);
/* What is allocated of the device's memory: now, and at most since the start or the last reset. */
struct sim_device_memory {
    size_t bytes, most;
};
struct sim_device_memory sim_device_memory(unsigned int device);
void sim_reset_device_memory(unsigned int device);
/* A collective of NCCL that was carried out, on so many devices. */
struct sim_collective_seen {
    const char *name; /* "ncclReduce" */
    unsigned int devices;
    size_t elements, bytes; /* of each device */
    int root;               /* the rank that gets the result; -1: all */
    uintptr_t pc;           /* of the call for rank 0 */
};
typedef void sim_collective_observer(const struct sim_collective_seen *seen, void *context);
/* Calls `observer` for each from here on, of ranks in several processes in that of rank 0; NULL stops
 * it. */
void sim_observe_collectives(sim_collective_observer *observer, void *context);
/* What host code has made and not given back: streams and events; communicators of NCCL; and pieces of the
 * host's memory that a .cu file got from malloc, calloc, realloc, strdup or new. */
size_t sim_live_handles(void);
size_t sim_live_communicators(void);
size_t sim_live_host_memory(void);
/* Whether host code can read an address: all but cudaMalloc's memory and variables of the device. */
int sim_host_can_read(uintptr_t address);

/* From now on host code that touches device memory, or what is no memory, ends the program with a report. */
void sim_watch_host(void);
/* From now on host code that computes for so many seconds of processor time without a launch ends the program, with a
 * report of where; 0: it may compute as long as it likes, as at first. */
void sim_set_host_patience(unsigned int seconds);

/* Writes "file:line" of a program counter into `text`, or "?" when the program
 * holds no line information. Returns `text`. */
char *sim_locate(uintptr_t pc, char *text, size_t size);

/* The schedule of the launches that follow. The environment variable SIM_SEED
 * gives the first; the default is 1. */
void sim_set_seed(uint64_t seed);
uint64_t sim_seed(void);

/* How many accesses lanes may make in one launch before it is stopped as
 * endless. The environment variable SIM_BUDGET gives the first. */
void sim_set_budget(uint64_t lane_accesses);
/* The same for work of so many units, each a "character of the text", say: the report then
 * counts the accesses for each of them, and does not advise to raise SIM_BUDGET. */
void sim_set_budget_for(uint64_t lane_accesses, uint64_t units, const char *unit);

/* A trial: launches of which only a part runs, to find out what they would do. What a check finds
 * is not told and not counted, and a launch that is stopped, by a check or because its budget is
 * spent, ends without an error, as if its other threads had found nothing to do. */
struct sim_trial {
    uint64_t last;      /* of a grid of more than 64 blocks only so many run, the last; 0 for all */
    uint64_t skip;      /* not counting so many at the very end */
    const char *kernel; /* the kernel of this name is treated like a large grid, too; or NULL */
    unsigned int blocks; /* and its grid has so many blocks instead of its own; 0 for its own */
    int aloud;           /* reports are told and errors returned, as if it were no trial */
    int idle; /* no kernel runs and nothing is copied: observers of launches and copies hear of all */
};
/* The launches that follow are a trial; NULL ends it. For the far end of a text that is too long
 * to simulate, and for grids that nobody has launched. */
void sim_try(const struct sim_trial *trial);
/* What stopped the launches since then: "memcheck" and so on, "progress" for a budget that was
 * spent; NULL when they ran to their ends. The first counts. */
const char *sim_trial_stopped(void);

/* The device has so many multiprocessors, 1 to 132, from the next question or launch on. A
 * kernel whose grid follows their number then has a small grid, and each block a long text.
 * Another number ends the program with status 2. The environment variable
 * SIM_MULTIPROCESSORS gives the first; the default is as many as the card of SIM_CARD has, 132. */
void sim_set_multiprocessors(unsigned int count);

/* The host has so many devices, 1 to 8, all alike, from the next question on; to be called before
 * the first kernel, for what each device has in its variables then is what they held at the first
 * launch with more than one. Another number ends the program with status 2. The environment
 * variable SIM_DEVICES gives the first; the default is 1. */
void sim_set_devices(unsigned int count);

/* From the next launch on every warp has a clock, and the one whose clock is least goes next, with all
 * blocks resident that the card would hold: for counting what depends on when others come
 * (engine/clock.c). Else who goes next is drawn, which shows what may go wrong. The environment
 * variable SIM_SCHEDULE, clock or drawn, says how it is at first; the default is drawn. */
void sim_schedule_by_clock(int on);

/* The devices of this process are those of host number `host`, 0 at first: processes that play several
 * machines on one have other devices of the same numbers. NCCL refuses two ranks of one device. */
void sim_set_host(unsigned int host);

/* The device has an L2 cache of so many bytes, from the next question on; at first as many as the card.
 * Nothing is simulated of it: a kernel that fits its copies to the cache then makes fewer. */
void sim_set_l2_bytes(unsigned int bytes);

/* The device has the memory of an H200 from here on, whatever this machine has; with 0 what this
 * machine has. For arrays that are hardly touched, since what is not touched takes nothing. */
void sim_set_full_memory(int full);

/* Which checks watch the launches that follow: "all", "none", or a list of
 * racecheck, memcheck, initcheck, synccheck, leakcheck and strict, with commas. The
 * environment variable SIM_CHECKS gives the first. */
void sim_set_checks(const char *list);
/* Whether lanes of a warp that hand over words of shared memory by volatile alone, without __syncwarp, are an
 * error: before 2018 many kernels did so. At first it is a warning. */
void sim_refuse_warps_in_step(int on);

/* From here on the accesses of lanes are kept with their values, for sim_explain. */
void sim_explain_start(void);
/* Prints the first race found since then, step by step: who read and wrote which
 * value in which order, and what was lost; at most a screen. Returns 0, and prints
 * nothing, when there was none. */
int sim_explain(FILE *out);

/* Calls `observer` for every place in the source that a report names, in its order, with the
 * check that found it: "racecheck", "memcheck", "initcheck", "synccheck", "leakcheck", or
 * "progress" for a kernel that does not end. NULL stops it. */
typedef void sim_report_observer(const char *check, uintptr_t pc, void *context);
void sim_observe_reports(sim_report_observer *observer, void *context);

/* A race that was reported: the later access, and the earlier one. */
struct sim_race {
    const char *element; /* "bins[3]" */
    uintptr_t address;   /* as in events */
    uintptr_t pc, earlier_pc;
    unsigned int block, warp, lane, earlier_block, earlier_warp;
    int earlier_lane; /* -1 when it is not known */
};
typedef void sim_race_observer(const struct sim_race *race, void *context);
/* Calls `observer` when one is told; NULL stops it. A lane may be running then: what is compiled
 * as kernels are must not be instrumented. */
void sim_observe_races(sim_race_observer *observer, void *context);

/* This allocation is a stranger's to whoever reads the kernel: reports that can name it by a
 * parameter do not say where it was made. */
void sim_lend(const void *memory);

/* How many errors the checks have reported so far; repeats of one do not count. */
uint64_t sim_error_count(void);
/* Forgets them, and that they were told: for tests of the checks. */
void sim_reset_errors(void);

/* What the checks hold in memory now, and the bytes of all words that kernels have
 * touched so far while racecheck was on. */
struct sim_check_costs {
    size_t shadow_bytes, touched_bytes;
};
struct sim_check_costs sim_check_costs(void);

/* Bytes that the simulator itself holds for stacks and lanes: not the memory
 * that the program allocated. The peak since the start. */
size_t sim_peak_bytes(void);

#ifdef __cplusplus
}
#endif

#endif
