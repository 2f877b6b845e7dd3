/* spinning.c - lanes that go round and round until another one lets them go.
 *
 * Many lanes that want one lock would take nearly all turns, and the one that holds it next to
 * none. So who would only find again what it has found before is passed over, most of the time,
 * as long as there is anybody else. It still gets turns: it may count its tries and give up. */
#include "engine/waiting/waiting.h"

struct waits sim_waits[MOST_WARPS];
struct launch_waits sim_launch_waits;

void sim_waits_start(void)
{
    sim_launch_waits = (struct launch_waits){0};
    sim_drop_suspect();
}

void sim_waits_start_warp(const struct warp *warp)
{
    memset(sim_waits_of(warp), 0, sizeof(struct waits));
}

void sim_note_spin(struct warp *warp, unsigned int lane)
{
    struct waits *waits = sim_waits_of(warp);
    if (++waits->spin[lane] > SPIN_PATIENCE)
        waits->spins = sim_launch_waits.spins = true;
}

/* Who reads the clock twice at one place waits; who measures stores what it has read in between, or reads it at two
 * places. The longer a lane waits, the faster time goes by, so that no wait is long. */
bool sim_note_clock(const struct lane *lane, uintptr_t pc)
{
    enum { TICK = 16, DOUBLES_EVERY = 4, MOST_DOUBLED = 16 };
    struct waits *waits = sim_waits_of(lane->warp);
    const unsigned int i = lane->number;
    const bool again = waits->clock[i].place == pc && waits->quiet >= waits->clock[i].quiet;
    waits->clock[i].place = pc;
    waits->clock[i].reads = again ? waits->clock[i].reads + 1 : 0;
    waits->clock[i].quiet = waits->quiet;
    const unsigned int doubled = waits->clock[i].reads / DOUBLES_EVERY;
    sim_launch_waits.clock_ahead += (uint64_t)TICK
                                    << (doubled < MOST_DOUBLED ? doubled : MOST_DOUBLED);
    return again;
}

/* The lanes are about to load: what is there now, is what they will have seen. */
void sim_note_seen(struct warp *warp, uint32_t lanes)
{
    struct waits *waits = sim_waits_of(warp);
    for (; lanes; lanes &= lanes - 1) {
        unsigned int i = (unsigned int)__builtin_ctz(lanes);
        for (int r = 0; r < 2 && waits->spin[i] > SPIN_PATIENCE; r++)
            if (warp->address[i] == waits->recent[r][i] && warp->stop[i].bytes <= 8) {
                waits->seen[r][i] = 0;
                memcpy(&waits->seen[r][i], (const void *)warp->address[i], warp->stop[i].bytes);
            }
    }
}

/* What lies where the lane has been before: so it may be read. */
static uint64_t word_at(const struct warp *warp, unsigned int lane)
{
    uint64_t value = 0;
    memcpy(&value, (const void *)warp->address[lane], warp->stop[lane].bytes);
    return value;
}

bool sim_lane_is_stuck(const struct warp *warp, unsigned int lane)
{
    struct stop stop = warp->stop[lane];
    uintptr_t address = warp->address[lane];
    const struct waits *waits = sim_waits_of(warp);
    if (!waits->spin[lane] || !is_access(stop) || stop.bytes > 8)
        return false;
    if (stop.reason == STOP_ATOMIC) {
        if (address != sim_tried_of(warp)->failed[lane] ||
            !(stop.flags & (ACCESS_COMPARES | ACCESS_EXCHANGE)))
            return false;
        uint64_t old = word_at(warp, lane);
        return sim_atomic_outcome(warp, lane, old) == old;
    }
    for (int r = 0; r < 2 && stop.reason == STOP_LOAD; r++)
        if (address == waits->recent[r][lane] && waits->seen[r][lane] == word_at(warp, lane))
            return true;
    return false;
}

uint32_t sim_stuck_lanes(const struct warp *warp)
{
    uint32_t stuck = 0;
    for (uint32_t rest = warp->runnable; rest; rest &= rest - 1)
        if (sim_lane_is_stuck(warp, (unsigned int)__builtin_ctz(rest)))
            stuck |= rest & -rest;
    return stuck;
}

bool sim_warp_is_stuck(const struct warp *warp)
{
    if (!sim_waits_of(warp)->spins)
        return false;
    for (uint32_t rest = warp->runnable; rest; rest &= rest - 1)
        if (!sim_lane_is_stuck(warp, (unsigned int)__builtin_ctz(rest)))
            return false;
    return true;
}

/* A warp of the block that is not stuck, or -1; `from` and those behind it come first. */
static int free_warp(const struct block *block, unsigned int from)
{
    uint32_t behind = block->runnable & UINT32_MAX << from;
    for (uint32_t rest = behind; rest; rest &= rest - 1)
        if (!sim_warp_is_stuck(&block->warps[__builtin_ctz(rest)]))
            return __builtin_ctz(rest);
    for (uint32_t rest = block->runnable & ~behind; rest; rest &= rest - 1)
        if (!sim_warp_is_stuck(&block->warps[__builtin_ctz(rest)]))
            return __builtin_ctz(rest);
    return -1;
}

bool sim_find_free_warp(const struct launch *launch, size_t *at, unsigned int *warp)
{
    for (size_t tried = 0; tried < launch->ready_count; tried++) {
        size_t b = (*at + tried) % launch->ready_count;
        int found = free_warp(launch->ready[b], tried ? 0 : *warp);
        if (found >= 0) {
            *at = b;
            *warp = (unsigned int)found;
            return true;
        }
    }
    return false;
}
