/* barrier.c - __syncthreads and its kin, and the barrier of a cooperative grid.
 *
 * A barrier of a block opens when every lane of the block that has not returned
 * waits at one, as on cards since Volta. All of them must wait at the same one, and the
 * course wants that none has returned: CUDA allows no barrier in a branch that only some
 * threads take, and who took another branch and is through cannot be told from who left. */
#include <stdio.h>

#include "engine/engine.h"

static void wait_at(struct lane *lane, struct stop stop, uint64_t value, struct place place)
{
    struct warp *warp = lane->warp;
    sim_lane_arrive(lane, stop, 0, place);
    warp->value[lane->number] = value;
    warp->barrier |= 1u << lane->number;
    sim_lane_blocks(lane);
    if (stop.reason == STOP_GRID_BARRIER)
        warp->block->launch->grid_waiting++;
    else
        warp->block->waiting++;
    sim_lane_wait(lane);
}

int sim_block_barrier(struct lane *lane, enum barrier_result result, int predicate,
                      struct place place)
{
    struct stop stop = {.reason = STOP_BARRIER, .operation = (uint8_t)result};
    lane->entered++;
    wait_at(lane, stop, predicate != 0, place);
    return (int)lane->warp->value[lane->number];
}

/* Hardware has set up nothing to wait at: cooperative_groups traps. */
static void refuse_grid_barrier(struct lane *lane, struct place place)
{
    struct launch *launch = lane->warp->block->launch;
    sim_report(
        CHECK_SYNC, lane, place.pc, "The grid waits for itself in an ordinary launch",
        "grid.sync() needs a cooperative launch, which sees to it that all blocks are on the "
        "device",
        "launch the kernel with cudaLaunchCooperativeKernel");
    sim_stop_launch(launch, cudaErrorLaunchFailure);
}

void sim_grid_barrier(struct lane *lane, struct place place)
{
    if (!lane->warp->block->launch->request->cooperative)
        refuse_grid_barrier(lane, place);
    wait_at(lane, (struct stop){.reason = STOP_GRID_BARRIER}, 0, place);
}

/* Two lanes of the block at different barriers: the lanes, or false. No path of a kernel is copied when it
 * is compiled (kernel_flags.sh), so that one barrier stands at one place. A line may have two, and a function
 * that is called from two branches. */
static bool find_divergence(struct block *block, struct lane **one, struct lane **other)
{
    *one = NULL;
    for (unsigned int w = 0; w < block->warp_count; w++) {
        struct warp *warp = &block->warps[w];
        for (uint32_t rest = warp->barrier; rest; rest &= rest - 1) {
            *other = &warp->lane[__builtin_ctz(rest)];
            if (!*one)
                *one = *other;
            if (sim_lane_pc((*one)->warp, (*one)->number) != sim_lane_pc(warp, (*other)->number))
                return true;
        }
    }
    return false;
}

static void tell_of_other(uintptr_t pc, uintptr_t other, char *text, size_t size)
{
    char where[160];
    if (sim_same_line(pc, other))
        snprintf(
            text, size,
            "other threads of the block have come to a barrier of this line by another branch");
    else
        snprintf(text, size, "other threads of the block wait at the barrier in %s",
                 sim_locate(other, where, sizeof where));
}

/* Hardware lets such barriers pass, and the result depends on the card: so a report, but the
 * launch goes on. */
static void check_divergence(struct block *block)
{
    struct lane *one, *other;
    if (!sim_checks(CHECK_SYNC))
        return;
    char text[256];
    const char *advice = "let all threads of the block reach the same __syncthreads: move it out "
                         "of the branch, and before any return";
    uintptr_t pc;
    if (find_divergence(block, &one, &other)) {
        pc = sim_lane_pc(one->warp, one->number);
        tell_of_other(pc, sim_lane_pc(other->warp, other->number), text, sizeof text);
    } else if (block->exited_early && one) {
        other = NULL;
        pc = sim_lane_pc(one->warp, one->number);
        snprintf(text, sizeof text, "%u of the block's %u threads have returned already",
                 block->exited_early, block->launch->threads);
        advice = "let all threads of the block reach the same __syncthreads: move it out of the "
                 "branch, and before any return. Since Volta it does not wait for those that have "
                 "returned, and their part of the work may be missing";
    } else {
        return;
    }
    sim_report(CHECK_SYNC, one, pc, "Barrier error detected. Divergent thread(s) in block", text,
               advice);
    if (other)
        sim_report_names(sim_lane_pc(other->warp, other->number));
}

static uint64_t predicates(const struct block *block)
{
    uint64_t count = 0;
    for (unsigned int w = 0; w < block->warp_count; w++)
        for (uint32_t rest = block->warps[w].barrier; rest; rest &= rest - 1)
            count += block->warps[w].value[__builtin_ctz(rest)];
    return count;
}

/* Every lane gets its result where its operand was. */
static void open_warp(struct warp *warp, uint64_t count, uint64_t lanes)
{
    for (uint32_t rest = warp->barrier; rest; rest &= rest - 1) {
        unsigned int i = (unsigned int)__builtin_ctz(rest);
        enum barrier_result result = (enum barrier_result)warp->stop[i].operation;
        warp->value[i] = result == BARRIER_AND  ? count == lanes
                         : result == BARRIER_OR ? count != 0
                                                : count;
        warp->stop[i] = (struct stop){.reason = STOP_RESUME};
        sim_waits_of(warp)->spin[i] = 0;
    }
    uint32_t lanes_of_warp = warp->barrier;
    warp->barrier = 0;
    sim_make_runnable(warp, lanes_of_warp);
}

/* All live lanes are here, wherever in the code: those that returned count as arrived. */
void sim_open_block_barrier(struct block *block)
{
    if (block->waiting == 0 || block->waiting < block->live)
        return;
    check_divergence(block);
    uint64_t count = predicates(block), lanes = block->waiting;
    block->waiting = 0;
    SIM_TELL(block->launch, block_meets, block);
    sim_launch_waits.idle = 0;
    for (unsigned int w = 0; w < block->warp_count; w++)
        open_warp(&block->warps[w], count, lanes);
}

/* Who has returned never comes: the card then waits for ever, or not, as the block's part of the
 * barrier has it. So a report, but the launch goes on. */
static void check_grid_is_whole(const struct launch *launch)
{
    uint64_t threads = (launch->blocks - launch->first_block) * launch->threads;
    char text[128];
    if (launch->live == threads || !sim_checks(CHECK_SYNC))
        return;
    const struct lane *lane = NULL;
    for (size_t b = 0; b < launch->resident_count && !lane; b++)
        for (unsigned int w = 0; launch->resident[b]->live && w < launch->warps && !lane; w++) {
            const struct warp *warp = &launch->resident[b]->warps[w];
            lane = warp->barrier ? &warp->lane[__builtin_ctz(warp->barrier)] : NULL;
        }
    snprintf(text, sizeof text, "%llu of the grid's %llu threads have returned already",
             (unsigned long long)(threads - launch->live), (unsigned long long)threads);
    sim_report(CHECK_SYNC, lane, lane ? sim_lane_pc(lane->warp, lane->number) : 0,
               "Barrier error detected. Divergent thread(s) in grid", text,
               "let all threads of the grid reach the same grid.sync(): move it out of the branch, "
               "and before any return");
}

/* Blocks that have not started yet have to come first. */
bool sim_open_grid_barrier(struct launch *launch)
{
    if (launch->grid_waiting == 0 || launch->grid_waiting < launch->live ||
        launch->next_block < launch->blocks)
        return false;
    check_grid_is_whole(launch);
    launch->grid_waiting = 0;
    sim_launch_waits.idle = 0;
    SIM_TELL(launch, grid_meets, launch);
    for (size_t b = 0; b < launch->resident_count; b++)
        for (unsigned int w = 0; launch->resident[b]->live && w < launch->warps; w++)
            open_warp(&launch->resident[b]->warps[w], 0, 0);
    return true;
}
