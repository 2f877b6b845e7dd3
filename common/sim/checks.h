/* checks.h - what the files of the checks share: who knows what (clocks.c), who
 * touched what (shadow.c, racecheck.c), and what was ever written (initcheck.c). */
#ifndef SIM_CHECKS_H
#define SIM_CHECKS_H

#include "internal.h"
#include "memory.h"

enum sim_check {
    CHECK_RACE = 1,
    CHECK_MEMORY = 2,
    CHECK_INIT = 4,
    CHECK_SYNC = 8,
    CHECK_LEAK = 16
};

static inline bool sim_checks(enum sim_check check)
{
    return sim_options()->checks & check;
}

/* clocks.c: time, and what each lane knows of the others.
 *
 * One clock ticks at every barrier, collective and fence. A lane that takes part
 * takes the new time; an access carries the time of its lane. So all that a lane
 * did before a barrier has a lower time than the barrier, and "knows" is a
 * comparison. */

/* A lane's accesses in `lanes` of warp `warp` (numbered in the launch), at `time`. */
struct stamp {
    uint32_t warp, lanes, time;
};

void sim_clock_start_launch(struct launch *launch);
void sim_clock_start_block(struct block *block);
void sim_clock_end_block(struct block *block);
/* All lanes of a block met; all lanes of the grid; the lanes in `mask` of a warp. */
void sim_clock_barrier(struct block *block);
void sim_clock_grid_barrier(struct launch *launch);
void sim_clock_collective(struct warp *warp, uint32_t mask);
void sim_clock_fence(struct lane *lane, enum sim_fence scope);
/* The lane stored to, or loaded from, `address` with an atomic or a volatile access.
 * `updates`: a read-modify-write, which keeps what others published there. */
void sim_clock_release(struct lane *lane, uintptr_t address, bool block_scope, bool updates);
void sim_clock_acquire(struct lane *lane, uintptr_t address, bool block_scope);
/* The lane read it relaxed: it acquires when it fences, or at the next barrier. */
void sim_clock_read_relaxed(struct lane *lane, uintptr_t address);
/* Whether a fence was executed in this launch: before that, none of the two does anything. */
extern bool sim_fences_used, sim_fences_ever_used;
/* Those of the stamp's lanes whose access `lane` of `warp` does not know of. */
uint32_t sim_clock_unordered(const struct warp *warp, unsigned int lane, struct stamp stamp);
/* The same, but for what came by way of flags: cheaper. */
uint32_t sim_clock_unordered_simply(const struct warp *warp, unsigned int lane, struct stamp stamp);
/* Whether the lane learned anything by way of a fence and a flag. */
bool sim_clock_learned(const struct warp *warp, unsigned int lane);

/* racecheck.c */
/* Compares the accesses of the lanes in `mask` with those before, and remembers them. */
void sim_race_step(struct warp *warp, uint32_t mask, uint32_t info, enum sim_space space,
                   const struct sim_allocation *allocation);

/* The program counter of a number that a cell holds. */
uintptr_t sim_pc_of_number(uint16_t number);

/* explain.c: keeps what lanes do, while sim_explaining. */
extern bool sim_explaining;
struct race;
void sim_explain_access(struct lane *lane, uintptr_t address, unsigned int bytes, enum stop stop,
                        uintptr_t pc);
void sim_explain_stored(struct lane *lane);
void sim_explain_race(const struct race *race);

/* initcheck.c */
/* Looks for bytes that nothing wrote, in shared memory when `allocation` is NULL;
 * remembers what is stored. */
void sim_init_step(const struct warp *warp, uint32_t mask, uint32_t info,
                   const struct sim_allocation *allocation);
/* cudaMemset and cudaMemcpy; a variable that a block meets for the first time. */
void sim_init_host_writes(const void *address, size_t bytes);
void sim_init_host_copies(const void *to, const void *from, size_t bytes);
void sim_init_fresh_shared(const struct block *block, size_t offset, size_t bytes);
void sim_init_forget(struct sim_allocation *allocation);

/* swaploops.c */
enum sim_load { LOAD_PLAIN, LOAD_UNDECIDED, LOAD_SWAPS };
/* A warp is about to load: whether that begins a loop around atomicCAS, so that the
 * loads count as volatile; or it is not yet known, and they are to be remembered so. */
struct shadow;
enum sim_load sim_swap_load(const struct warp *warp, uint32_t mask, unsigned int bytes, uint16_t pc,
                            struct shadow *shadow);
/* A warp is about to compare and swap. */
void sim_swap_site(uint16_t pc);
/* Whether a race is none, or has to wait until it is known what its load is. */
bool sim_swap_defers(const struct race *race);
/* The lanes of the load have gone on to their next stops. */
extern bool sim_swap_waits;
void sim_swap_decide(const struct warp *warp);
/* The launch is over: what still waits is a race. */
void sim_swap_end_launch(void);

/* shadow.c: forgets all accesses; what was written stays known. */
void sim_shadow_wipe(void);
struct shadow;
void sim_shadow_delete(struct shadow *shadow);

/* races.c */
enum race_kind { RACE_RAW, RACE_WAR, RACE_WAW };
struct race {
    enum race_kind kind;
    const struct warp *warp; /* of the later access */
    unsigned int lane;
    uintptr_t pc, address;
    uintptr_t earlier_pc;
    uint16_t number, earlier_number; /* of the two, as cells hold them; 0 for none */
    uint32_t earlier_warp;           /* numbered in the launch */
    int earlier_lane;                /* -1 when it is not known */
    unsigned int bytes;
    bool later_atomic, earlier_atomic, scope_only; /* atomics of too small a scope */
    enum sim_space space;
    const struct sim_allocation *allocation;
};
/* Forgets which races were told. */
void sim_races_forget(void);
/* Whether this pair of accesses was told as an error. */
bool sim_race_was_told(uintptr_t earlier_pc, uintptr_t pc);
/* A race was found. Two stores: it is told when the later one has stored, for a
 * value that was there already is a warning only. */
void sim_race_found(const struct race *race, bool two_stores);
/* The lane goes on to its store, which may write the value that is there already;
 * and it has stored. */
void sim_race_before_store(struct lane *lane);
void sim_race_after_store(struct lane *lane);
/* "bins[3]", or "element 3 of the 20-byte allocation made at file:line". */
char *sim_describe_address(const struct launch *launch, const struct block *block,
                           const struct sim_allocation *allocation, uintptr_t address,
                           unsigned int bytes, char *text, size_t size);

#endif
