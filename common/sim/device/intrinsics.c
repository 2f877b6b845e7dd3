/* intrinsics.c - the built-in variables and functions of CUDA C, as compiled kernels call
 * them (device_abi.h): indices, barriers, warp intrinsics, fences. */
#include <time.h>

#include "engine/engine.h"

/* Host code may call these, too, where the compiler moved a call out of a branch: they are
 * `const`, and so they give something harmless. */
struct sim_index sim_thread_index(void)
{
    return sim_lane ? sim_lane->thread : (struct sim_index){0, 0, 0};
}
struct sim_index sim_block_index(void)
{
    return sim_lane ? sim_lane->warp->block->index : (struct sim_index){0, 0, 0};
}
struct sim_index sim_block_dim(void)
{
    return sim_running ? sim_running->request->block : (struct sim_index){0, 0, 0};
}
struct sim_index sim_grid_dim(void)
{
    return sim_running ? sim_running->request->grid : (struct sim_index){0, 0, 0};
}

#define COMPONENTS(FUNCTION)                                                                       \
    unsigned int FUNCTION##_x(void)                                                                \
    {                                                                                              \
        return FUNCTION().x;                                                                       \
    }                                                                                              \
    unsigned int FUNCTION##_y(void)                                                                \
    {                                                                                              \
        return FUNCTION().y;                                                                       \
    }                                                                                              \
    unsigned int FUNCTION##_z(void)                                                                \
    {                                                                                              \
        return FUNCTION().z;                                                                       \
    }
COMPONENTS(sim_thread_index)
COMPONENTS(sim_block_index)
COMPONENTS(sim_block_dim)
COMPONENTS(sim_grid_dim)

/* The place is taken in the function that the kernel calls: here it would be our own. */
static int block_barrier(enum barrier_result result, int predicate, struct place place)
{
    return sim_block_barrier(sim_lane_for("a barrier", place.pc), result, predicate, place);
}

void sim_syncthreads(void)
{
    block_barrier(BARRIER_COUNT, 0, HERE);
}
int sim_syncthreads_count(int predicate)
{
    return block_barrier(BARRIER_COUNT, predicate, HERE);
}
int sim_syncthreads_and(int predicate)
{
    return block_barrier(BARRIER_AND, predicate, HERE);
}
int sim_syncthreads_or(int predicate)
{
    return block_barrier(BARRIER_OR, predicate, HERE);
}
void sim_grid_sync(void)
{
    struct place here = HERE;
    sim_grid_barrier(sim_lane_for("a barrier", here.pc), here);
}

int sim_grid_is_valid(void)
{
    return sim_running && sim_running->request->cooperative;
}

uint64_t sim_warp_intrinsic(enum sim_warp_intrinsic operation, uint32_t mask, uint64_t value,
                            unsigned int argument)
{
    struct place here = HERE;
    struct lane *lane = sim_lane_for("a warp intrinsic", here.pc);
    return sim_meet_at_intrinsic(lane, operation, mask, value, argument, here);
}

/* The lane goes on at the warp's next step: with those that wait at the same place. */
static struct lane *step_aside(const char *what, struct place place)
{
    struct lane *lane = sim_lane_for(what, place.pc);
    sim_lane_arrive(lane, (struct stop){.reason = STOP_RESUME}, 0, place);
    sim_lane_wait(lane);
    return lane;
}

uint32_t sim_activemask(void)
{
    struct warp *warp = step_aside("a warp intrinsic", HERE)->warp;
    warp->block->launch->counters.activemasks++;
    return warp->group;
}

void sim_yield(void)
{
    step_aside("__nanosleep", HERE);
}

void sim_enters_loop(unsigned int label)
{
    if (sim_lane)
        sim_enter_by_label(sim_lane, label & 0xff);
}

void sim_leaves_loop(void)
{
    if (sim_lane)
        sim_enter_by_label(sim_lane, 0);
}

enum sim_address_space sim_space_of(const void *address)
{
    return sim_is_shared((uintptr_t)address)       ? SIM_ADDRESS_SHARED
           : sim_is_lane_stack((uintptr_t)address) ? SIM_ADDRESS_LOCAL
                                                   : SIM_ADDRESS_GLOBAL;
}

size_t sim_shared_offset(const void *address)
{
    const struct lane *lane = sim_lane_for("shared memory", HERE.pc);
    return (uintptr_t)address - (uintptr_t)lane->warp->block->shared;
}

void *sim_shared_at(size_t offset)
{
    return (char *)sim_lane_for("shared memory", HERE.pc)->warp->block->shared + offset;
}

/* Memory is sequentially consistent here: a fence has nothing to wait for but what the schedule for
 * counting says. It only says what the lane wants to be seen. */
void sim_fence(enum sim_fence scope)
{
    if (sim_lane)
        SIM_TELL(sim_running, lane_fences, sim_lane, scope);
}

/* The warps' steps, and what was added for lanes that look at the clock in a loop. */
static long long read_clock(struct place here)
{
    struct lane *lane = sim_lane_for("the clock", here.pc);
    if (sim_note_clock(lane, here.pc))
        step_aside("the clock", here);
    return (long long)(lane->warp->block->launch->steps + sim_launch_waits.clock_ahead);
}

long long sim_clock(void)
{
    return read_clock(HERE);
}

/* Kernels call it for clock() of <time.h>; so does the host code beside them. */
clock_t sim_host_clock(void)
{
    return sim_lane ? (clock_t)read_clock(HERE) : clock();
}

void sim_trap(void)
{
    sim_report(CHECK_MEMORY, sim_lane, (uintptr_t)__builtin_return_address(0),
               "__trap() was called", "the kernel stops here by its own wish",
               "see the condition that led to it");
    sim_stop_launch(sim_running, cudaErrorLaunchFailure);
    __builtin_unreachable();
}
