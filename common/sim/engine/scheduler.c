/* scheduler.c - which block and which warp goes next, from the first to the last.
 *
 * The order is drawn from a seed: the same seed gives the same run. The seed says, too, in what
 * manner it is drawn (turns.c). A few blocks are resident at a time; more are started when those
 * all wait for something that none of them provides, up to what the real device would hold. */
#include <stdlib.h>

#include "engine/engine.h"

enum {
    IDLE_STEPS_TO_WIDEN = 1 << 12,
    STEPS_OF_SPINNING = 4, /* and then it is another warp's turn */
    IDLE_OF_STUCK = 32     /* a turn counts for so many when nobody can get what it waits for */
};

static uint32_t draw(struct launch *launch, size_t below)
{
    return (uint32_t)((uint64_t)sim_random(launch) * below >> 32);
}

/* The first function of every lane. */
static void lane_main(void)
{
    struct lane *lane = sim_lane;
    struct warp *warp = lane->warp;
    struct launch *launch = warp->block->launch;
    launch->request->entry(launch->closure);
    warp->live &= ~(1u << lane->number);
    sim_lane_blocks(lane);
    warp->block->live--;
    launch->live--;
    sim_launch_waits.idle = 0; /* a thread that begins or ends is progress */
    warp->block->exited_early++;
    sim_lane_wait(lane);
}

static void start_lane(struct launch *launch, struct lane *lane, unsigned int thread)
{
    struct sim_index size = launch->request->block;
    lane->thread = (struct sim_index){thread, 0, 0};
    if (thread >= size.x)
        lane->thread =
            (struct sim_index){thread % size.x, thread / size.x % size.y, thread / size.x / size.y};
    lane->stack_pointer = sim_fiber_prepare(lane->stack_top, lane_main);
    lane->atomic_address = 0;
    lane->warp->key[lane->number] = 0;
    lane->warp->stop[lane->number] = (struct stop){.reason = STOP_RESUME};
}

/* All lanes of a warp start together, and are ready to make their first step. */
static void start_warp(struct launch *launch, struct block *block, unsigned int number)
{
    struct warp *warp = &block->warps[number];
    unsigned int lanes = launch->threads - number * WARP;
    sim_need_stacks(warp);
    warp->lanes = lanes >= WARP ? UINT32_MAX : (1u << lanes) - 1;
    warp->live = warp->runnable = warp->lanes;
    warp->intrinsic = warp->barrier = warp->pending = warp->pending_after = 0;
    warp->deferred = warp->watched = 0;
    memset(warp->entered, 0, sizeof warp->entered);
    warp->number = number;
    warp->id = block->first_warp + number;
    warp->block = block;
    sim_taken_start_warp(warp);
    sim_waits_start_warp(warp);
    sim_loops_start_warp(warp);
    for (unsigned int i = 0; i < WARP && i < lanes; i++)
        start_lane(launch, &warp->lane[i], number * WARP + i);
    sim_warp_ready(warp);
}

/* Puts the next block of the grid into `block`, whose slot is given. */
static bool start_block(struct launch *launch, struct block *block, unsigned int slot)
{
    struct sim_index grid = launch->request->grid;
    uint64_t number = sim_block_to_start(launch, launch->next_block++);
    *block = (struct block){.launch = launch, .linear = (unsigned int)number};
    block->index = (struct sim_index){(unsigned int)(number % grid.x),
                                      (unsigned int)(number / grid.x % grid.y),
                                      (unsigned int)(number / grid.x / grid.y)};
    block->live = launch->threads;
    block->warp_count = launch->warps;
    launch->live += launch->threads;
    sim_launch_waits.idle = 0;
    if (!sim_slot_prepare(block, slot, launch->threads))
        return false;
    block->first_warp = (uint32_t)(number - launch->first_block) * launch->warps;
    for (unsigned int w = 0; w < launch->warps; w++)
        start_warp(launch, block, w);
    sim_rank_block(block);
    SIM_TELL(launch, block_begins, block);
    return true;
}

/* Makes one more block resident. Returns false when that is not possible. */
static bool add_resident(struct launch *launch)
{
    if (launch->next_block == launch->blocks || launch->resident_count == launch->resident_limit)
        return false;
    struct block *block = malloc(sizeof *block);
    if (!block)
        return false;
    launch->resident[launch->resident_count] = block;
    if (!start_block(launch, block, (unsigned int)launch->resident_count)) {
        launch->next_block--;
        launch->live -= launch->threads;
        free(block);
        return false;
    }
    launch->resident_count++;
    sim_launch_waits.stuck = false;
    return true;
}

/* The order of the list does not matter, for it is drawn from. */
static void remove_ready(struct launch *launch, struct block *block)
{
    struct block *last = launch->ready[--launch->ready_count];
    launch->ready[block->listed_at] = last;
    last->listed_at = block->listed_at;
    block->listed = false;
}

/* The slot of a block that has ended is the next block's. */
static void finish_block(struct launch *launch, struct block *block)
{
    launch->finished++;
    sim_note_block_ended();
    launch->counters.blocks++;
    sim_keep_taken(block);
    if (launch->next_block < launch->blocks && !start_block(launch, block, block->slot))
        sim_stop_launch(launch, cudaErrorMemoryAllocation);
}

/* Nobody in the block can go on now; when it has ended, the next one takes its slot. */
static void block_rests(struct block *block)
{
    struct launch *launch = block->launch;
    remove_ready(launch, block);
    if (block->live == 0)
        finish_block(launch, block);
}

/* Says who goes next: block *at of the ready ones, and its warp. Warps that wait for a lock in
 * vain are passed over, but for one time in 16. */
static unsigned int next_warp(struct launch *launch, size_t *at)
{
    unsigned int warp = sim_next_turn(launch, at);
    if (sim_launch_waits.spins && !sim_launch_waits.stuck && draw(launch, 16) &&
        sim_warp_is_stuck(&launch->ready[*at]->warps[warp]))
        sim_launch_waits.stuck = !sim_find_free_warp(launch, at, &warp);
    if (sim_launch_waits.stuck)
        sim_launch_waits.idle += IDLE_OF_STUCK;
    return warp;
}

/* Runs one warp of one block for a while. */
static void take_turn(struct launch *launch)
{
    size_t at;
    unsigned int w = next_warp(launch, &at);
    struct block *block = launch->ready[at];
    sim_need_stacks(&block->warps[w]);
    uint64_t idle = sim_launch_waits.idle;
    uint32_t steps = sim_steps_of_turn(launch), spun = 0;
    while (steps-- && sim_warp_step(&block->warps[w]))
        if (sim_waits_of(&block->warps[w])->spins && ++spun >= STEPS_OF_SPINNING)
            break;
    if (launch->error)
        return;
    sim_launch_waits.stuck = sim_launch_waits.stuck && sim_launch_waits.idle >= idle &&
                             sim_warp_is_stuck(&block->warps[w]);
    if (!block->warps[w].runnable)
        block->runnable &= ~(1u << w);
    sim_open_block_barrier(block);
    if (!block->runnable)
        block_rests(block);
}

/* Nobody can go on: more blocks may help; else it is a deadlock. */
static void resolve_standstill(struct launch *launch)
{
    if (!sim_open_grid_barrier(launch) && !add_resident(launch))
        sim_stop_standstill(launch);
    else if (launch->clock)
        sim_clock_collect(launch);
}

/* Lanes that wait for a block not yet resident idle for a while, and then get it. */
static void check_progress(struct launch *launch)
{
    sim_stop_endless(launch);
    if (sim_launch_waits.idle < sim_launch_waits.widened_at) /* somebody did something meanwhile */
        sim_launch_waits.widened_at = 0;
    if (sim_launch_waits.idle - sim_launch_waits.widened_at >= IDLE_STEPS_TO_WIDEN) {
        sim_launch_waits.widened_at = sim_launch_waits.idle;
        if (add_resident(launch) && launch->clock)
            sim_clock_collect(launch);
    }
}

static bool allocate_tables(struct launch *launch)
{
    launch->resident = calloc(launch->resident_limit, sizeof *launch->resident);
    launch->ready = calloc(launch->resident_limit, sizeof *launch->ready);
    return launch->resident && launch->ready;
}

/* The loop of the whole simulator. Each turn runs one warp for some steps; between turns no
 * lane runs, and everything may be looked at. */
void sim_schedule(struct launch *launch)
{
    sim_running = launch;
    sim_stacks_start();
    sim_waits_start();
    if (!allocate_tables(launch) || (sim_options()->by_clock && !sim_clock_start(launch)))
        launch->error = cudaErrorMemoryAllocation;
    sim_choose_manner(launch);
    while (!launch->error && launch->resident_count < launch->resident_target)
        if (!add_resident(launch))
            break;
    if (launch->clock)
        sim_clock_collect(launch);
    while (!launch->error && launch->finished < launch->blocks) {
        if (launch->ready_count == 0)
            resolve_standstill(launch);
        else if (launch->clock)
            sim_clock_turn(launch, block_rests);
        else
            take_turn(launch);
        if (sim_time_to_look)
            sim_tell_progress(launch);
        check_progress(launch);
    }
    SIM_TELL(launch, launch_ends, launch);
    sim_end_taken();
    sim_clock_end(launch);
    for (size_t i = 0; i < launch->resident_count; i++)
        free(launch->resident[i]);
    free(launch->resident);
    free(launch->ready);
    sim_running = NULL;
}
