/* atomic.c - what an atomic does to memory.
 *
 * Lanes that wait at one are let go on together, one after the other; between an atomic and
 * the next stop a lane touches no memory that others see. So all atomics of a step are carried
 * out at once, in the order in which the lanes then run. */
#include <string.h>

#include "engine/engine.h"
#include "include/sim_half_bits.h"

static uint32_t float_sum(uint32_t a, uint32_t b)
{
    float x, y;
    memcpy(&x, &a, sizeof x);
    memcpy(&y, &b, sizeof y);
    x += y;
    memcpy(&a, &x, sizeof a);
    return a;
}

static uint64_t two_float_sums(uint64_t a, uint64_t b)
{
    return float_sum((uint32_t)a, (uint32_t)b) |
           (uint64_t)float_sum((uint32_t)(a >> 32), (uint32_t)(b >> 32)) << 32;
}

static uint64_t add_floats(enum sim_type type, uint64_t a, uint64_t b)
{
    if (type == SIM_F64) {
        double x, y;
        memcpy(&x, &a, sizeof x);
        memcpy(&y, &b, sizeof y);
        x += y;
        memcpy(&a, &x, sizeof x);
        return a;
    }
    if (type == SIM_F32)
        return float_sum((uint32_t)a, (uint32_t)b);
    if (type == SIM_F32X2)
        return two_float_sums(a, b);
    /* one half, or two */
    return sim_half_sum((uint16_t)a, (uint16_t)b) |
           (uint64_t)sim_half_sum((uint16_t)(a >> 16), (uint16_t)(b >> 16)) << 16;
}

static bool less(enum sim_type type, uint64_t a, uint64_t b)
{
    if (type == SIM_S32)
        return (int32_t)a < (int32_t)b;
    if (type == SIM_S64)
        return (int64_t)a < (int64_t)b;
    return a < b;
}

/* The value that the operation leaves in memory. */
static uint64_t apply(enum sim_atomic_op op, enum sim_type type, uint64_t old, uint64_t operand,
                      uint64_t compare)
{
    switch (op) {
    case SIM_ATOMIC_ADD:
        return type >= SIM_F32 ? add_floats(type, old, operand) : old + operand;
    case SIM_ATOMIC_EXCH:
        return operand;
    case SIM_ATOMIC_MIN:
        return less(type, operand, old) ? operand : old;
    case SIM_ATOMIC_MAX:
        return less(type, old, operand) ? operand : old;
    case SIM_ATOMIC_INC:
        return old >= operand ? 0 : old + 1;
    case SIM_ATOMIC_DEC:
        return old == 0 || old > operand ? operand : old - 1;
    case SIM_ATOMIC_AND:
        return old & operand;
    case SIM_ATOMIC_OR:
        return old | operand;
    case SIM_ATOMIC_XOR:
        return old ^ operand;
    default:
        return old == compare ? operand : old;
    }
}

/* An atomic that changes nothing, as a failed atomicCAS, is a sign of spinning. */
static inline void note_change(struct warp *warp, unsigned int lane, bool changed)
{
    if (!changed) {
        warp->failed[lane] = warp->address[lane];
        sim_note_spin(warp, lane);
        return;
    }
    warp->spin[lane] = 0;
    warp->spins = false;
    warp->quiet = 0;
    warp->block->launch->idle = 0;
}

uint64_t sim_atomic_outcome(const struct warp *warp, unsigned int lane, uint64_t old)
{
    struct lane_atomic atomic = warp->atomic[lane];
    unsigned int bytes = sim_atomic_bytes(atomic);
    uint64_t mask = bytes == 8 ? UINT64_MAX : ((uint64_t)1 << 8 * bytes) - 1;
    return apply((enum sim_atomic_op)atomic.operation, (enum sim_type)atomic.type, old,
                 warp->operand[lane], warp->value[lane]) &
           mask;
}

/* The same of 16 bytes: a compare-and-swap, an exchange or an addition of four floats. */
static void perform_wide(struct warp *warp, unsigned int lane)
{
    uint64_t old[2], new[2] = {warp->operand[lane], warp->operand_high[lane]};
    memcpy(old, (const void *)warp->address[lane], sizeof old);
    if (warp->atomic[lane].operation == SIM_ATOMIC_ADD) {
        new[0] = two_float_sums(old[0], new[0]);
        new[1] = two_float_sums(old[1], new[1]);
    } else if (warp->atomic[lane].operation == SIM_ATOMIC_CAS &&
               (old[0] != warp->value[lane] || old[1] != warp->value_high[lane])) {
        memcpy(new, old, sizeof new);
    }
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
    if (new != old && warp->stop[lane].flags &(ACCESS_COMPARES | ACCESS_EXCHANGE))
        sim_note_taken(warp, lane, old, new);
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

void sim_carry_out_all(struct warp *warp, uint32_t lanes)
{
    lanes &= warp->deferred;
    warp->deferred &= ~lanes;
    for (; lanes; lanes &= lanes - 1) {
        unsigned int i = (unsigned int)__builtin_ctz(lanes);
        if (sim_fences_used) /* since it came here */
            sim_lane_watch(&warp->lane[i], sim_carry_out, NULL);
        else if (is_addition(warp->atomic[i]))
            add(warp, i);
        else
            perform(warp, i);
    }
}
