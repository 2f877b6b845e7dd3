/* atomic.c - what an atomic does to memory.
 *
 * Lanes that wait at one are let go on together, one after the other; between an atomic and
 * the next stop a lane touches no memory that others see. So all atomics of a step are carried
 * out at once, in the order in which the lanes then run. */
#include <string.h>

#include "engine/engine.h"

/* An atomic that changes nothing, as a failed atomicCAS, is a sign of spinning. By the clock it is none when it finds
 * what it has not found before: a loop of tries goes on with that. */
static inline void note_change(struct warp *warp, unsigned int lane, bool changed)
{
    struct tried *tried = sim_tried_of(warp);
    struct waits *waits = sim_waits_of(warp);
    tried->in_vain = changed ? tried->in_vain & ~(1u << lane) : tried->in_vain | 1u << lane;
    if (!changed) {
        const bool adds = warp->atomic[lane].operation == SIM_ATOMIC_ADD; /* 0, which is no try */
        const bool learns = tried->found[lane] != warp->value[lane];
        tried->failed[lane] = adds ? 0 : warp->address[lane];
        tried->found[lane] = warp->value[lane];
        if (warp->block->launch->clock && learns)
            waits->spin[lane] = 0;
        else
            sim_note_spin(warp, lane);
        return;
    }
    waits->spin[lane] = 0;
    waits->spins = false;
    waits->quiet = 0;
    sim_launch_waits.idle = 0;
}

static void perform_wide(struct warp *warp, unsigned int lane)
{
    uint64_t old[2], new[2];
    memcpy(old, (const void *)warp->address[lane], sizeof old);
    sim_wide_outcome(warp, lane, old, new);
    memcpy((void *)warp->address[lane], new, sizeof new);
    warp->value[lane] = old[0];
    warp->value_high[lane] = old[1];
    note_change(warp, lane, memcmp(old, new, sizeof old) != 0);
}

/* Does what the lane waits to do; its `value` is then what was there before. */
static void perform(struct warp *warp, unsigned int lane)
{
    if (sim_atomic_bytes(warp->atomic[lane]) == 16) {
        perform_wide(warp, lane);
        return;
    }
    void *address = (void *)warp->address[lane];
    size_t bytes = sim_atomic_bytes(warp->atomic[lane]);
    uint64_t old = 0;
    memcpy(&old, address, bytes);
    uint64_t new = sim_atomic_outcome(warp, lane, old);
    memcpy(address, &new, bytes);
    warp->value[lane] = old;
    note_change(warp, lane, new != old);
    if (new != old && warp->stop[lane].flags &(ACCESS_COMPARES | ACCESS_EXCHANGE)) {
        const struct taken *taken = sim_note_taken(warp, lane, old, new);
        if (taken)
            sim_note_retaken(&warp->lane[lane], taken);
    }
}

void sim_carry_out(struct lane *lane)
{
    struct warp *warp = lane->warp;
    unsigned int i = lane->number;
    uint64_t compare = warp->value[i], high = warp->value_high[i];
    perform(warp, i);
    bool swaps = warp->value[i] == compare &&
                 (warp->atomic[i].type != SIM_B128 || warp->value_high[i] == high);
    if (sim_fences_used && (warp->atomic[i].operation != SIM_ATOMIC_CAS || swaps))
        sim_order_release(lane, warp->address[i], warp->stop[i].flags & SIM_SCOPE_BLOCK, true);
}

static bool is_addition(struct lane_atomic atomic)
{
    return atomic.operation == SIM_ATOMIC_ADD && (atomic.type == SIM_U32 || atomic.type == SIM_S32);
}

/* Most atomics are additions of integers. */
static void add(struct warp *warp, unsigned int lane)
{
    uint32_t *address = (uint32_t *)warp->address[lane], operand = (uint32_t)warp->operand[lane];
    warp->value[lane] = *address;
    *address += operand;
    note_change(warp, lane, operand != 0);
}

/* Lanes that are about to go on, and carry their atomics out themselves when they do. */
static uint32_t late;

static void carry_out_late(struct lane *lane)
{
    if (!(late >> lane->number & 1))
        return;
    late &= ~(1u << lane->number);
    sim_carry_out(lane);
}

static void begin(struct launch *launch)
{
    (void)launch;
    late = 0;
}

const struct observer sim_late_atomics = {.launch_begins = begin, .before_store = carry_out_late};

void sim_carry_out_all(struct warp *warp, uint32_t lanes)
{
    lanes &= warp->deferred;
    warp->deferred &= ~lanes;
    for (; lanes; lanes &= lanes - 1) {
        unsigned int i = (unsigned int)__builtin_ctz(lanes);
        if (sim_fences_used) { /* since it came here */
            late |= 1u << i;
            sim_lane_watch(&warp->lane[i]);
        } else if (is_addition(warp->atomic[i])) {
            add(warp, i);
        } else {
            perform(warp, i);
        }
    }
}
