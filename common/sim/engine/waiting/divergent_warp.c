/* divergent_warp.c - tells of lanes that wait at a warp intrinsic for one that waits elsewhere. */
#include <stdio.h>

#include "engine/waiting/waiting.h"

/* Why `other`, whom the mask of `lane` names, will not come. */
static void describe_absent(const struct lane *lane, const struct lane *other, char *text,
                            size_t size)
{
    const struct warp *warp = lane->warp;
    char where[160], calls[64] = "";
    struct stop stop = warp->stop[other->number];
    if (stop.reason == STOP_INTRINSIC && other->mask != lane->mask)
        snprintf(calls, sizeof calls, ", with the mask 0x%08x", other->mask);
    sim_locate(sim_lane_pc(warp, other->number), where, sizeof where);
    snprintf(text, size, "its mask 0x%08x names lane %u of the warp, which waits at %s in %s%s",
             lane->mask, other->number, sim_waits_at(stop), where, calls);
}

/* Of the lanes that `lane` waits for, the first that waits for something else. */
static const struct lane *find_absent(const struct lane *lane)
{
    const struct warp *warp = lane->warp;
    for (uint32_t rest = lane->mask & warp->live; rest; rest &= rest - 1) {
        const struct lane *other = &warp->lane[__builtin_ctz(rest)];
        uint32_t bit = rest & -rest;
        if (warp->barrier & bit)
            return other;
        if (warp->intrinsic & bit &&
            (!same_stop(warp->stop[other->number], warp->stop[lane->number]) ||
             other->mask != lane->mask))
            return other;
    }
    return NULL;
}

bool sim_report_divergent_warp(const struct launch *launch)
{
    char detail[320];
    for (size_t b = 0; b < launch->resident_count; b++)
        for (unsigned int w = 0; w < launch->warps && launch->resident[b]->live; w++) {
            const struct warp *warp = &launch->resident[b]->warps[w];
            for (uint32_t rest = warp->intrinsic; rest; rest &= rest - 1) {
                const struct lane *lane = &warp->lane[__builtin_ctz(rest)];
                const struct lane *absent = find_absent(lane);
                if (!absent)
                    continue;
                describe_absent(lane, absent, detail, sizeof detail);
                sim_report(CHECK_SYNC, lane, sim_lane_pc(warp, lane->number),
                           "Barrier error detected. Divergent thread(s) in warp", detail,
                           "let every lane that the mask names reach this intrinsic: keep it out "
                           "of branches and loops that only some of them take");
                sim_report_names(sim_lane_pc(absent->warp, absent->number));
                return true;
            }
        }
    return false;
}
