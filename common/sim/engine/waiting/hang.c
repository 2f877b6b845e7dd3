/* hang.c - a launch that does not end: when it is stopped, and what its reader is told. */
#include <stdio.h>

#include "engine/waiting/waiting.h"

enum {
    IDLE_STEPS_TO_STOP = 1 << 19,
    IDLE_STEPS_TO_BE_SURE = 1 << 14,
    ACCESSES_FOR_A_STEP =
        25 /* take as long as a step of a warp: one thread would go on for minutes */
};

/* What to do about a loop that does not end, in the line of this lane. */
static bool has_shift(const struct lane *lane)
{
    const uintptr_t pc = lane ? sim_lane_pc(lane->warp, lane->number) : 0;
    enum { LINES_BEFORE = 3 };
    return pc && (sim_lines_have(pc, pc, LINES_BEFORE, "<<") ||
                  sim_lines_have(pc, pc, LINES_BEFORE, ">>"));
}

static const char *advise_loop(const struct lane *lane)
{
    return has_shift(lane)
               ? "look for a loop that does not end: a shift by as many bits as the number has, or "
                 "more, gives any number, and not 0"
               : "look for a loop that does not end, or for threads that each do what one of them "
                 "should, such as reading all of the text";
}

/* A lane that hangs: one that runs in circles, if there is one. */
static const struct lane *hanging_lane(const struct launch *launch)
{
    const struct lane *lane = NULL;
    for (size_t b = 0; b < launch->resident_count; b++)
        for (unsigned int w = 0; w < launch->warps && launch->resident[b]->live; w++) {
            const struct warp *warp = &launch->resident[b]->warps[w];
            if (warp->runnable)
                return &warp->lane[__builtin_ctz(warp->runnable)];
            if (warp->live && !lane)
                lane = &warp->lane[__builtin_ctz(warp->live)];
        }
    return lane;
}

/* What was reported is followed by where threads stand. */
static void stop(struct launch *launch)
{
    sim_report_waiting(launch);
    sim_stop_launch(launch, cudaErrorLaunchTimeout);
}

static void stop_hang(struct launch *launch, const char *headline, const char *detail,
                      const char *advice)
{
    const struct lane *lane = hanging_lane(launch);
    sim_report(CHECK_PROGRESS, lane, lane ? sim_lane_pc(lane->warp, lane->number) : 0, headline,
               detail, advice);
    stop(launch);
}

/* Lanes wait at a warp intrinsic for others that wait elsewhere. */
static bool stop_divergence(struct launch *launch)
{
    if (!sim_checks(CHECK_SYNC) || !sim_report_divergent_warp(launch))
        return false;
    stop(launch);
    return true;
}

void sim_stop_standstill(struct launch *launch)
{
    if (stop_divergence(launch))
        return;
    stop_hang(launch, "Deadlock: no thread of the kernel can go on",
              "every live thread waits for another one",
              "let every thread that others wait for reach the same barrier or warp intrinsic");
}

/* A barrier of the grid that is made by hand: who has come waits for who cannot come. */
static void stop_without_room(struct launch *launch)
{
    char detail[160];
    snprintf(
        detail, sizeof detail,
        "%llu of the grid's %llu blocks have not started, for there is room for %zu, and these "
        "wait without an end",
        (unsigned long long)(launch->blocks - launch->next_block),
        (unsigned long long)(launch->blocks - launch->first_block), launch->resident_count);
    stop_hang(launch, "Deadlock: blocks wait that hold the room of others", detail,
              "a block may wait for all others only in a cooperative launch, which refuses more "
              "blocks than there is room for: cudaLaunchCooperativeKernel and grid.sync()");
}

/* By the default, or more: who sets less counts accesses. */
static bool has_made_many_steps(const struct launch *launch)
{
    const uint64_t budget = sim_options()->budget;
    return budget >= SIM_DEFAULT_BUDGET && launch->steps > budget / ACCESSES_FOR_A_STEP;
}

/* Whether most that was done was to begin threads, which end soon: the grid is too large. */
static bool stop_many_threads(struct launch *launch)
{
    const uint64_t units = sim_options()->budget_units;
    const uint64_t begun = (launch->next_block - launch->first_block) * launch->threads;
    const uint64_t all = (launch->blocks - launch->first_block) * launch->threads;
    char detail[160];
    if (begun <= launch->accesses / 2 || all / units < 2)
        return false;
    snprintf(detail, sizeof detail, "%llu threads, %llu for each %s", (unsigned long long)all,
             (unsigned long long)(all / units), sim_options()->budget_unit);
    sim_report(CHECK_PROGRESS, NULL, (uintptr_t)launch->request->kernel + 1, "Too many threads",
               detail,
               "launch as many blocks as there is work for: its units divided by the threads of a "
               "block, rounded up");
    sim_stop_launch(launch, cudaErrorLaunchTimeout);
    return true;
}

/* For whom the budget is sets it for so much work; then the accesses are told by its unit. */
static void stop_spent(struct launch *launch)
{
    const struct sim_options *options = sim_options();
    uint64_t reads = launch->counters.global[SIM_LOAD].lanes, accesses = launch->accesses;
    bool reads_mostly = reads > accesses / 4;
    char detail[160];
    if (sim_report_retaken()) {
        stop(launch);
        return;
    }
    if (sim_lacks_room(launch) && sim_launch_waits.idle > IDLE_STEPS_TO_BE_SURE) {
        stop_without_room(launch);
        return;
    }
    if (!options->budget_unit || options->budget_units == 0) {
        stop_hang(
            launch, "Endless kernel: the budget of memory accesses is spent",
            accesses > options->budget
                ? "threads made more accesses than SIM_BUDGET allows"
                : "few threads of a warp at a time made accesses, more than a 25th of SIM_BUDGET",
            "look for a loop that does not end; if the kernel is right, raise SIM_BUDGET");
        return;
    }
    if (stop_many_threads(launch))
        return;
    snprintf(detail, sizeof detail, "%llu %s for each %s, and no end%s",
             (unsigned long long)((reads_mostly ? reads : accesses) / options->budget_units),
             reads_mostly ? "reads" : "accesses", options->budget_unit,
             has_shift(hanging_lane(launch)) ? ", where bits are shifted" : "");
    stop_hang(launch, "Endless kernel", detail, advise_loop(hanging_lane(launch)));
}

/* Lanes read the same again and again, which the idle steps count. */
static void stop_idle(struct launch *launch)
{
    if (sim_report_lock(launch))
        stop(launch);
    else if (stop_divergence(launch))
        return; /* it has been told */
    else if (sim_lacks_room(launch))
        stop_without_room(launch);
    else
        stop_hang(launch, "Livelock: threads read the same addresses again and again",
                  "nothing that they wait for has changed for a long time",
                  "look for the store or the atomicExch that should let them go on");
}

void sim_stop_endless(struct launch *launch)
{
    if (launch->accesses > sim_options()->budget || has_made_many_steps(launch)) {
        stop_spent(launch);
    } else if (sim_options()->budget == SIM_DEFAULT_BUDGET && sim_report_retaken()) {
        stop(launch);
    } else if (sim_launch_waits.idle > IDLE_STEPS_TO_STOP) {
        stop_idle(launch);
    }
}
