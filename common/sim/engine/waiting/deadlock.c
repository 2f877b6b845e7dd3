/* deadlock.c - tells who waits for a lock, who holds it, and what that one does. */
#include <stdio.h>

#include "engine/waiting/waiting.h"

enum { LONGEST_CHAIN = 8, NAME = 200 };

/* Lanes that try in vain to change one word, or to see it changed. */
struct lock_crowd {
    const struct lane *first;
    uintptr_t address;
    unsigned int lanes;
    bool held; /* by whom is known */
    struct holder holder;
};

static char *name_of(const struct lane *lane, uintptr_t address, unsigned int bytes, char *name)
{
    return sim_describe_address(lane->warp->block, sim_memory_find(address), address, bytes, name,
                                NAME);
}

static uint64_t value_at(uintptr_t address, unsigned int bytes)
{
    uint64_t value = 0;
    memcpy(&value, (const void *)address, bytes);
    return value;
}

/* Calls `visit` for each lane that is stuck, until it returns true. */
static void for_each_stuck(const struct launch *launch,
                           bool (*visit)(const struct launch *launch, const struct lane *lane,
                                         struct lock_crowd *crowd),
                           struct lock_crowd *crowd)
{
    for (size_t b = 0; b < launch->resident_count; b++)
        for (unsigned int w = 0; w < launch->warps && launch->resident[b]->live; w++) {
            const struct warp *warp = &launch->resident[b]->warps[w];
            for (uint32_t rest = sim_stuck_lanes(warp); rest; rest &= rest - 1)
                if (visit(launch, &warp->lane[__builtin_ctz(rest)], crowd))
                    return;
        }
}

/* Whoever waits for a word that somebody holds comes before who waits for one that nobody does. */
static bool choose_first(const struct launch *launch, const struct lane *lane,
                         struct lock_crowd *crowd)
{
    uintptr_t address = lane->warp->address[lane->number];
    bool is_load = lane->warp->stop[lane->number].reason == STOP_LOAD;
    if (crowd->first && address == crowd->address)
        return false;
    bool held = sim_find_holder(launch, address, &crowd->holder);
    if (!held && (is_load || crowd->first))
        return false;
    crowd->first = lane;
    crowd->address = address;
    crowd->held = held;
    return held;
}

static bool count_lane(const struct launch *launch, const struct lane *lane,
                       struct lock_crowd *crowd)
{
    (void)launch;
    crowd->lanes += lane->warp->address[lane->number] == crowd->address;
    return false;
}

static bool is_stuck(const struct lane *lane)
{
    const struct warp *warp = lane->warp;
    return warp->runnable >> lane->number & 1 && sim_lane_is_stuck(warp, lane->number);
}

/* What the holder does that it frees nothing; and what to do about it. */
enum what { RETURNED, WANTS_IT_ITSELF, WANTS_NEXT, WANTS_ANOTHER, AT_BARRIER, ELSEWHERE };
static enum what does(const struct lock_crowd *crowd)
{
    const struct lane *lane = crowd->holder.lane;
    if (!lane || !(lane->warp->live >> lane->number & 1))
        return RETURNED;
    if (is_stuck(lane)) {
        if (lane->warp->address[lane->number] == crowd->address)
            return WANTS_IT_ITSELF;
        /* Where it has taken this one it wants another: in the next round of a loop. */
        return sim_lane_pc(lane->warp, lane->number) == crowd->holder.taken.pc ? WANTS_NEXT
                                                                               : WANTS_ANOTHER;
    }
    return lane->warp->runnable >> lane->number & 1 ? ELSEWHERE : AT_BARRIER;
}

static const char *const summary[] = {
    [RETURNED] = "the thread that holds it has returned, and has not freed it",
    [WANTS_IT_ITSELF] = "the thread that holds it is one of them: it has not freed it",
    [WANTS_NEXT] = "the thread that holds it has not freed it, and waits for another word there",
    [WANTS_ANOTHER] = "the thread that holds it waits for another word",
    [AT_BARRIER] = "the thread that holds it waits for other threads",
    [ELSEWHERE] = "the thread that holds it does not free it",
};
static const char *const advice[] = {
    [RETURNED] = "free the lock on every way that leads out of the critical section",
    [WANTS_IT_ITSELF] = "free the lock before the same thread takes it once more",
    [WANTS_NEXT] =
        "free each lock with atomicExch(lock, FREE) before the next is taken, on every way "
        "out of the critical section; a thread that needs two at once takes the one with "
        "the lower index first",
    [WANTS_ANOTHER] = "a thread that needs two locks takes the one with the lower index first, "
                      "everywhere",
    [AT_BARRIER] = "free the lock before the barrier or the warp intrinsic: who waits for the "
                   "lock never comes there",
    [ELSEWHERE] = "look at what the holder waits for in its critical section",
};

/* "thread (4,0,0) in block (0,0,0) took locks[17] in file.cu:32, and has returned" */
static void tell_holder(const struct lock_crowd *crowd)
{
    const struct holder *holder = &crowd->holder;
    const struct lane *lane = holder->lane;
    struct sim_index t = holder->thread, b = holder->block;
    char name[NAME], other[NAME], where[160];
    enum what what = does(crowd);
    fprintf(stderr, "=========     thread (%u,%u,%u) in block (%u,%u,%u) took %s in %s", t.x, t.y,
            t.z, b.x, b.y, b.z, name_of(crowd->first, crowd->address, holder->taken.bytes, name),
            sim_locate(holder->taken.pc, where, sizeof where));
    sim_report_names(holder->taken.pc);
    if (what == RETURNED) {
        fprintf(stderr, ", and has returned\n");
        return;
    }
    uintptr_t pc = sim_lane_pc(lane->warp, lane->number);
    struct stop stop = lane->warp->stop[lane->number];
    if (what == WANTS_ANOTHER || what == WANTS_NEXT || what == WANTS_IT_ITSELF)
        fprintf(stderr, ", and waits for %s in ",
                name_of(lane, lane->warp->address[lane->number], stop.bytes, other));
    else
        fprintf(stderr, ", and is at %s in ", sim_waits_at(stop));
    fprintf(stderr, "%s\n", sim_locate(pc, where, sizeof where));
    sim_report_names(pc);
}

/* The holder, and when it waits for another one the holder of that, and so on. */
static void tell_chain(const struct launch *launch, struct lock_crowd crowd)
{
    uintptr_t first = crowd.address;
    for (int i = 0; i < LONGEST_CHAIN; i++) {
        tell_holder(&crowd);
        if (does(&crowd) != WANTS_ANOTHER && does(&crowd) != WANTS_NEXT)
            return;
        crowd.first = crowd.holder.lane;
        crowd.address = crowd.first->warp->address[crowd.first->number];
        if (crowd.address == first || !sim_find_holder(launch, crowd.address, &crowd.holder))
            return;
    }
}

static void report(const struct lock_crowd *crowd, const char *headline, const char *detail,
                   const char *what_to_do)
{
    const struct lane *lane = crowd->first;
    sim_report(CHECK_PROGRESS, lane, sim_lane_pc(lane->warp, lane->number), headline, detail,
               what_to_do);
}

/* Nobody of this launch has taken it. */
static void report_unheld(const struct lock_crowd *crowd, const char *name)
{
    const struct warp *warp = crowd->first->warp;
    unsigned int i = crowd->first->number;
    unsigned long long value = value_at(crowd->address, warp->stop[i].bytes);
    bool compares = warp->stop[i].flags & ACCESS_COMPARES;
    char detail[NAME + 100];
    if (compares && warp->value[i] == value) {
        snprintf(detail, sizeof detail, "atomicCAS swaps %s again and again, and nothing changes",
                 name);
        report(crowd, "Livelock", detail,
               "compare the bits of what atomicCAS returned with those that you gave it: as a "
               "value, a NaN is not equal to itself");
    } else if (compares && !(warp->stop[i].flags & SIM_CONSTANT_COMPARE)) {
        snprintf(detail, sizeof detail, "atomicCAS compares %s with what it no longer holds", name);
        report(crowd, "Livelock", detail,
               "in the next round, give atomicCAS what the last one returned");
    } else {
        snprintf(detail, sizeof detail,
                 "%u thread%s for %s, which is %llu, and no thread of this launch has taken it",
                 crowd->lanes, crowd->lanes == 1 ? " waits" : "s wait", name, value);
        report(crowd, "Deadlock", detail,
               "set every lock to what means free before anybody uses it: in shared memory, with a "
               "barrier in between");
    }
}

/* A compare-and-swap with what was read before is no wait for a lock. */
static bool takes_a_lock(const struct lock_crowd *crowd)
{
    struct stop stop = crowd->first->warp->stop[crowd->first->number];
    return !(stop.flags & ACCESS_COMPARES) || stop.flags & SIM_CONSTANT_COMPARE;
}

/* A swap of a value with itself only looks: as one looks at the counter of a barrier. */
static bool only_looks(const struct lock_crowd *crowd)
{
    const struct warp *warp = crowd->first->warp;
    unsigned int i = crowd->first->number;
    return warp->stop[i].flags & ACCESS_COMPARES && warp->value[i] == warp->operand[i];
}

bool sim_lacks_room(const struct launch *launch)
{
    return launch->next_block < launch->blocks && launch->resident_count == launch->resident_limit;
}

bool sim_report_lock(const struct launch *launch)
{
    struct lock_crowd crowd = {.first = NULL};
    char name[NAME], detail[NAME + 100];
    for_each_stuck(launch, choose_first, &crowd);
    if (!crowd.first || (!crowd.held && sim_lacks_room(launch) && only_looks(&crowd)))
        return false;
    for_each_stuck(launch, count_lane, &crowd);
    name_of(crowd.first, crowd.address, crowd.first->warp->stop[crowd.first->number].bytes, name);
    if (!crowd.held || !takes_a_lock(&crowd)) {
        report_unheld(&crowd, name);
        return true;
    }
    snprintf(detail, sizeof detail, "%u thread%s for %s, and %s", crowd.lanes,
             crowd.lanes == 1 ? " waits" : "s wait", name, summary[does(&crowd)]);
    report(&crowd, "Deadlock", detail, advice[does(&crowd)]);
    if (!sim_keep_quiet(CHECK_PROGRESS))
        tell_chain(launch, crowd);
    return true;
}

bool sim_report_retaken(void)
{
    const struct lane *lane;
    const struct taken *taken = sim_retaken(&lane);
    char name[NAME], detail[NAME + 100], what_to_do[200];
    if (!taken)
        return false;
    snprintf(detail, sizeof detail,
             "a thread has taken %s %u times in a row, and goes on to nothing else",
             name_of(lane, taken->address, taken->bytes, name), taken->times);
    snprintf(what_to_do, sizeof what_to_do,
             "look at what ends its loop: a flag that is declared once more inside of the loop is "
             "another variable%s",
             sim_options()->budget_units ? "" : "; if the kernel is right, set SIM_BUDGET");
    sim_report(CHECK_PROGRESS, lane, taken->pc, "Endless kernel", detail, what_to_do);
    return true;
}
