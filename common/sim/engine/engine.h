/* engine.h - what runs a launch: which warp goes next and which of its lanes together, where
 * lanes meet, what an access costs and whether it may be. */
#ifndef SIM_ENGINE_H
#define SIM_ENGINE_H

#include "checks/checks.h"
#include "engine/waiting/waiting.h"

/* grid.c */
/* In a trial in which nothing runs, and nothing is to be copied. */
bool sim_is_idle(void);
/* Runs a launch that is within the limits to its end, on this device; returns why it was stopped,
 * or cudaSuccess. */
cudaError_t sim_run_grid(const struct sim_launch *request, unsigned int device);

/* observers.c */
/* Fills launch->observers, by what is asked for now. */
void sim_choose_observers(struct launch *launch);

/* events.c: for sim_observe */
extern bool sim_telling_accesses;
extern const struct observer sim_event_teller;
struct sim_event sim_event_of(const struct warp_access *access);

/* occupancy.c */
/* What is known of one kernel, by the address of its __global__ function. */
struct sim_kernel_attributes {
    size_t static_shared; /* bytes; known after the first launch, 0 before */
    /* Of each device, as set by cudaFuncSetAttribute; 48 KB at first. */
    size_t dynamic_shared_maximum[SIM_MOST_DEVICES];
};
/* To be used before the next question: it may move. */
struct sim_kernel_attributes *sim_kernel_attributes(const void *kernel);
/* Blocks of this shape that fit on one multiprocessor at a time; 0 when none does. */
int sim_blocks_per_multiprocessor(const void *kernel, unsigned int threads, size_t dynamic_shared);

/* scheduler.c */
/* Runs the launch to its end. On failure launch->error is set. */
void sim_schedule(struct launch *launch);

/* turns.c */
/* By the seed: in what manner the launch goes on, and which block comes first, and which last. */
void sim_choose_manner(struct launch *launch);
/* The block of the grid that is the `number`-th to start. */
uint64_t sim_block_to_start(const struct launch *launch, uint64_t number);
void sim_rank_block(struct block *block);
void sim_note_block_ended(void);
/* Who is next: block *at of the ready ones, and which of its warps. */
unsigned int sim_next_turn(struct launch *launch, size_t *at);
/* For how many steps, unless it has to wait before. */
uint32_t sim_steps_of_turn(struct launch *launch);

/* warp.c */
/* One step of a warp. Returns false when no lane of it can go on now. */
bool sim_warp_step(struct warp *warp);
/* Where all lanes of a warp would only find again what they have found before: their access is
 * counted, and they stay. Returns false when they are not there, and once in 16 times: they may
 * count their tries. */
bool sim_warp_spin(struct warp *warp);

/* tries.c, by the clock */
/* An instruction as nvcc has it: where a loop is unrolled, each copy of its body has one. */
struct spot {
    uint64_t key, copy;
};
struct spot sim_spot_of(const struct warp *warp, unsigned int lane);
/* The lanes of `mask` have gone on, from a compare-and-swap at `spot` where they have `swapped`. */
void sim_note_tries(struct warp *warp, uint32_t mask, bool swapped, struct spot spot);
/* The lanes that go on together while some are in a loop of tries; of `calm` are those that do not spin. 0 when
 * there are none. */
uint32_t sim_lanes_that_try(struct warp *warp, uint32_t calm);

/* atomic.c */
/* The lane goes on: carries out the atomic at which it waits, and publishes what it knows. */
void sim_carry_out(struct lane *lane);
/* Does so for those of `lanes`, which are about to go on, that leave it to the engine. */
void sim_carry_out_all(struct warp *warp, uint32_t lanes);
extern const struct observer sim_late_atomics;

/* outcomes.c: for sim_observe_steps */
/* Whether somebody observes. */
extern bool sim_telling_steps;
/* As sim_run_lanes, for lanes at an access, or not; what they found and left is told. */
void sim_run_and_tell(struct warp *warp, uint32_t first, uint32_t then, enum stop_reason reason);
/* Of an access that leaves memory as it is, and after which its lanes stand where they stood. */
void sim_tell_unchanged(const struct warp *warp, uint32_t lanes);
void sim_tell_site(uintptr_t pc, bool returns);
extern const struct observer sim_step_teller;

/* reconvergence.c */
void sim_loops_start_warp(struct warp *warp);
/* Whether all lanes that can go on wait at the same place, after the same rounds. */
bool sim_all_together(const struct warp *warp);
/* The running lane jumped from the basic block at `latch` back to the one at `header`. */
void sim_go_round(struct lane *lane, uintptr_t header, uintptr_t latch, uintptr_t frame);
/* The running lane has jumped into a loop by a label of a switch, or has come to the end of that switch: 0. */
void sim_enter_by_label(struct lane *lane, unsigned int label);
/* Which of two lanes is behind the other in the order of the program: below 0 when
 * the first is, 0 when both are at the same place. */
int sim_program_order(const struct warp *warp, unsigned int lane, unsigned int other);
/* Of `candidates` the lanes that wait at the first place in the order of the program; or
 * at the last. */
uint32_t sim_lanes_at_edge(const struct warp *warp, uint32_t candidates, bool first);
/* In which copy of the code a lane stands, where nvcc unrolls the loops around it: lanes in the same one
 * have the same number. `#pragma unroll` above a loop says so. */
uint64_t sim_copy_of(const struct warp *warp, unsigned int lane);
/* Forgets the rounds of loops that these lanes have left. */
void sim_leave_loops(struct warp *warp, uint32_t lanes);

/* barrier.c */
/* What __syncthreads and its kin return, of the lanes that arrived. */
enum barrier_result { BARRIER_COUNT, BARRIER_AND, BARRIER_OR };
/* The running lane waits for all of its block that have not returned, or of its grid; of the grid
 * of an ordinary launch that is reported, and the launch stopped. */
int sim_block_barrier(struct lane *lane, enum barrier_result result, int predicate,
                      struct place place);
void sim_grid_barrier(struct lane *lane, struct place place);
/* Opens the barrier when all have come: asked when a lane has arrived or returned. */
void sim_open_block_barrier(struct block *block);
/* Returns whether it opened. */
bool sim_open_grid_barrier(struct launch *launch);

/* warp_intrinsic.c */
/* The running lane waits for all that its mask names; returns its share of the result. */
uint64_t sim_meet_at_intrinsic(struct lane *lane, enum sim_warp_intrinsic operation, uint32_t mask,
                               uint64_t value, unsigned int argument, struct place place);
/* Completes the intrinsics of a warp whose lanes have all arrived. */
void sim_complete_intrinsics(struct warp *warp);

/* access.c */
/* Looks where the access of the lanes in `mask` goes, which wait at one instruction, and tells the observers. */
void sim_access_step(struct warp *warp, uint32_t mask, struct stop stop);
/* Forgets what it remembers of allocations: at the start of a launch. */
void sim_access_start(void);

/* coalesce.c: the rules of the hardware's counters */
unsigned int sim_sectors(const uintptr_t *address, uint32_t mask, unsigned int bytes,
                         struct extent extent);
unsigned int sim_atomic_sectors(const uintptr_t *address, uint32_t mask, struct extent extent);
unsigned int sim_wavefronts(const uintptr_t *address, uint32_t mask, unsigned int bytes,
                            struct extent extent);
/* Passes that the access needs when no lanes meet in a bank. */
unsigned int sim_least_wavefronts(uint32_t mask, unsigned int bytes);
/* Of a load: the passes, and in `*least` what they are when no lanes meet in a bank. */
unsigned int sim_load_wavefronts(const uintptr_t *address, uint32_t mask, unsigned int bytes,
                                 struct extent extent, unsigned int *least);
unsigned int sim_atomic_wavefronts(const uintptr_t *address, uint32_t mask, unsigned int bytes);

/* swap_rounds.c: the lanes of an atomic in shared memory that is a loop around compare-and-swap */
struct swap_rounds {
    const struct warp *warp;
    unsigned int bytes;
    uint8_t place[WARP]; /* the first lane of the same address */
    uint64_t held[WARP]; /* at that lane: what is in memory now */
};
void sim_rounds_start(struct swap_rounds *loop, const struct warp *warp, uint32_t mask);
/* The lanes that go on to swap after they have loaded. */
uint32_t sim_rounds_wanting(const struct swap_rounds *loop, uint32_t mask);
/* The lanes that win this round. */
uint32_t sim_rounds_swap(struct swap_rounds *loop, uint32_t mask);

/* wide.c: what nvcc makes one access of */
/* Loads, or stores, of a warp that nvcc may make one of: engine/wide.c. */
struct wide {
    uintptr_t first, low, high; /* of the first of them: its first lane, and all */
    uint32_t mask;              /* of lanes; 0: none */
    uint64_t entered;           /* of the first lane then */
    uint16_t slots;             /* bit i: the i-th part of `bytes` in those of `alignment` */
    uint8_t reason, bytes, alignment;
    bool shared;
};
/* The accesses of the warp to which this one, a load or a store, belongs; NULL when it is the first.
 * `*added` is which of their parts it is. */
struct wide *sim_join(const struct warp *warp, uint32_t mask, struct stop stop, bool shared,
                      struct extent extent, unsigned int *added);
/* An atomic, or the beginning: nothing before it belongs to what comes after it. */
void sim_part(const struct warp *warp);
/* Into how many instructions the parts of these slots go. Of each the first slot and how many. */
struct piece {
    uint8_t slot, count;
};
unsigned int sim_pieces(const struct wide *wide, uint16_t slots, struct piece *pieces);

/* counters.c */
extern const struct observer sim_counting;
/* The lane uses the result of its last atomic. */
void sim_note_result_used(struct lane *lane);
/* clock.c: the schedule for counting, of launches that have a launch->clock */
/* Returns false without memory for it. */
bool sim_clock_start(struct launch *launch);
void sim_clock_end(struct launch *launch);
/* Warps have become ready otherwise than by a turn. */
void sim_clock_collect(struct launch *launch);
/* Runs the warps of one multiprocessor for a while; some warp is ready. */
void sim_clock_turn(struct launch *launch, void (*block_rests)(struct block *));
/* charge.c */
extern const struct observer sim_clocking;

/* profile_rows.c */
extern const struct observer sim_profiling;

/* faults.c */
void sim_watch_start(void);
void sim_watch_stop(void);
/* Whoever wants to hear of accesses of compiled host code to pinned and managed memory. */
extern void (*sim_host_watch)(uintptr_t address, size_t bytes, uintptr_t pc, bool writes);
/* tsan_interface.c: a call of host code touches these bytes; who listens is told of pinned and managed ones. */
void sim_host_touches(const void *memory, size_t bytes, struct place place, bool writes);
/* thrust.c */
/* What has the host wait for all that devices do. */
extern void (*sim_host_waits)(void);
/* Whether it is host code of Thrust that touches this memory, at `pc`, which may; then it is open to it. */
bool sim_thrust_touches(const struct sim_allocation *at, uintptr_t pc, bool is_return);

/* Host code touched device memory, or a lane an address that is nobody's. */
void sim_host_fault(uintptr_t address, uintptr_t pc, bool is_return, bool writes);

/* progress.c: lines on standard error about a launch that takes long. sim_time_to_look is set
 * twice a second, from a signal; the scheduler then has the launch looked at. */
extern volatile bool sim_time_to_look;
void sim_progress_start(void);
void sim_tell_progress(const struct launch *launch);
/* The same of the host: whether anybody wants to hear of it; whether a line is due now that it has computed for so many
 * seconds since the last launch, and is at `pc`, where its stack may be walked; and the line, with a place of the user's. */
bool sim_tells_of_host(void);
bool sim_host_is_due(double seconds, uintptr_t pc);
void sim_tell_host(double seconds, uintptr_t place);

#endif
