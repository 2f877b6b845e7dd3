/* atomics.c - atomicAdd and its kind.
 *
 * A lane stops at the atomic like at any access; when it goes on, it performs
 * the operation, and no other lane runs in between: that makes it atomic. */
#include <string.h>

#include "engine/engine.h"
#include "include/sim_half_bits.h"

static const unsigned char type_bytes[] = {
    [SIM_U16] = 2, [SIM_S32] = 4, [SIM_U32] = 4, [SIM_S64] = 8,   [SIM_U64] = 8,
    [SIM_F32] = 4, [SIM_F64] = 8, [SIM_F16] = 2, [SIM_F16X2] = 4,
};

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
    if (type != SIM_F32) /* one half, or two */
        return sim_half_sum((uint16_t)a, (uint16_t)b) |
               (uint64_t)sim_half_sum((uint16_t)(a >> 16), (uint16_t)(b >> 16)) << 16;
    uint32_t bits = (uint32_t)a, other = (uint32_t)b;
    float x, y;
    memcpy(&x, &bits, sizeof x);
    memcpy(&y, &other, sizeof y);
    x += y;
    memcpy(&bits, &x, sizeof x);
    return bits;
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
static void note_change(struct lane *lane, bool changed)
{
    if (!changed) {
        lane->spin++;
        return;
    }
    lane->spin = 0;
    lane->warp->quiet = 0;
    lane->warp->block->launch->idle = 0;
}

/* nvcc sums these in the warp first when the address is the same in all lanes. */
static bool aggregates(enum sim_atomic_op op, enum sim_type type)
{
    return (type == SIM_S32 || type == SIM_U32) &&
           (op == SIM_ATOMIC_ADD || op == SIM_ATOMIC_MIN || op == SIM_ATOMIC_MAX ||
            op == SIM_ATOMIC_AND || op == SIM_ATOMIC_OR || op == SIM_ATOMIC_XOR);
}

/* Whether shared memory has no instruction for it: what nvcc 13 makes of them for sm_90. There are
 * ATOMS.EXCH and ATOMS.CAS of 32 and of 64 bits, and the rest for 32-bit integers alone. */
static bool loops_in_shared(enum sim_atomic_op op, enum sim_type type)
{
    return op != SIM_ATOMIC_EXCH && op != SIM_ATOMIC_CAS &&
           (type_bytes[type] == 8 || type >= SIM_F32);
}

static struct stop atomic_stop(const struct lane *lane, enum sim_atomic_op op, enum sim_type type,
                               unsigned int flags)
{
    if (aggregates(op, type))
        flags |= ACCESS_AGGREGATES | (lane->uniform ? ACCESS_UNIFORM : 0);
    if (loops_in_shared(op, type))
        flags |= ACCESS_LOOPS;
    if (op == SIM_ATOMIC_CAS)
        flags |= ACCESS_COMPARES;
    if (op == SIM_ATOMIC_EXCH)
        flags |= ACCESS_EXCHANGE;
    return (struct stop){STOP_ATOMIC, {type_bytes[type]}, (uint16_t)flags};
}

void sim_relaxed(void)
{
    if (sim_lane)
        sim_lane->relaxed = true;
}

void sim_note_uniform(void)
{
    if (sim_lane)
        sim_lane->uniform = true;
}

/* Everything before sim_lane_wait happens when the lane arrives, everything behind it when the
 * warp's atomic has been counted. No lane runs in between read and write of `*address`. */
void sim_atomic(enum sim_atomic_op op, enum sim_type type, void *address, uint64_t operand,
                uint64_t compare, unsigned int flags)
{
    struct place here = HERE;
    struct lane *lane = sim_lane_for("an atomic", here.pc);
    struct warp *warp = lane->warp;
    warp->value[lane->number] = compare;
    sim_lane_arrive(lane, atomic_stop(lane, op, type, flags), (uintptr_t)address, here);
    lane->uniform = false;
    warp->runnable |= 1u << lane->number;
    sim_lane_wait(lane);

    size_t bytes = type_bytes[type];
    if (sim_explaining)
        sim_explain_access(lane, (uintptr_t)address, type_bytes[type], STOP_ATOMIC, here.pc);
    uint64_t old = 0, mask = bytes == 8 ? UINT64_MAX : ((uint64_t)1 << 8 * bytes) - 1;
    memcpy(&old, address, bytes);
    uint64_t new = apply(op, type, old, operand, compare) & mask;
    memcpy(address, &new, bytes);
    warp->value[lane->number] = old;
    note_change(lane, new != old);
    if (sim_fences_used && (op != SIM_ATOMIC_CAS || old == compare))
        sim_order_release(lane, (uintptr_t)address, flags & SIM_SCOPE_BLOCK, true);
    lane->atomic_address = (uintptr_t)address;
    lane->atomic_block_scope = flags & SIM_SCOPE_BLOCK;
    lane->atomic_relaxed = lane->relaxed;
    lane->relaxed = false;
}

/* That it is called at all is the point: the result is used, so the atomic is ATOM. */
uint64_t sim_atomic_result(void)
{
    struct lane *lane = sim_lane;
    sim_note_result_used(lane);
    if (sim_fences_used && lane->atomic_relaxed)
        sim_order_read_relaxed(lane, lane->atomic_address);
    else if (sim_fences_used)
        sim_order_acquire(lane, lane->atomic_address, lane->atomic_block_scope);
    return lane->warp->value[lane->number];
}
