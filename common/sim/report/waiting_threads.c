/* waiting_threads.c - at what lanes wait, when a kernel hangs. */
#include <stdio.h>

#include "report/report.h"

const char *sim_waits_at(struct stop stop)
{
    static const char *const reasons[] = {
        [STOP_LOAD] = "a load",           [STOP_STORE] = "a store",
        [SIM_RED] = "an atomic",          [STOP_ATOMIC] = "an atomic",
        [STOP_RESUME] = "being let go",   [STOP_INTRINSIC] = "a warp intrinsic",
        [STOP_BARRIER] = "__syncthreads", [STOP_GRID_BARRIER] = "the barrier of the grid",
        [STOP_PHASE] = "a cuda::barrier",
    };
    return reasons[stop.reason];
}

/* Lanes that wait at one place: the first of them, and how many there are. */
enum { PLACES = 6 };
struct waiting_place {
    uintptr_t pc;
    struct stop stop;
    const struct lane *lane;
    unsigned int lanes;
};

/* Adds a lane to the places; returns whether there was room for it. */
static bool add_place(struct waiting_place *places, const struct lane *lane)
{
    const struct warp *warp = lane->warp;
    uintptr_t pc = sim_lane_pc(warp, lane->number);
    for (int i = 0; i < PLACES; i++) {
        if (!places[i].lanes)
            places[i] = (struct waiting_place){pc, warp->stop[lane->number], lane, 0};
        if (places[i].pc == pc) {
            places[i].lanes++;
            return true;
        }
    }
    return false;
}

static bool find_places(const struct launch *launch, struct waiting_place *places)
{
    bool all = true;
    for (size_t b = 0; b < launch->resident_count; b++)
        for (unsigned int w = 0; w < launch->warps && launch->resident[b]->live; w++) {
            const struct warp *warp = &launch->resident[b]->warps[w];
            for (uint32_t rest = warp->live; rest; rest &= rest - 1)
                all &= add_place(places, &warp->lane[__builtin_ctz(rest)]);
        }
    return all;
}

void sim_report_waiting(const struct launch *launch)
{
    struct waiting_place places[PLACES] = {{0}};
    bool all = find_places(launch, places);
    char where[160], who[128], others[32];
    if (sim_keep_quiet(CHECK_PROGRESS))
        return;
    fprintf(stderr, "=========     Where threads stand:\n");
    for (int i = 0; i < PLACES && places[i].lanes; i++) {
        sim_report_names(places[i].pc);
        snprintf(others, sizeof others, " and %u other%s", places[i].lanes - 1,
                 places[i].lanes == 2 ? "" : "s");
        fprintf(stderr, "=========     %s%s: at %s in %s\n",
                sim_describe_lane(places[i].lane, who, sizeof who),
                places[i].lanes > 1 ? others : "", sim_waits_at(places[i].stop),
                sim_locate(places[i].pc, where, sizeof where));
    }
    if (!all)
        fprintf(stderr, "=========     ... and more places\n");
}
